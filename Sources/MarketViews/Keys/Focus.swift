package import MarketViewModels

/// What has the keys.
package enum Focus: Hashable, Sendable {
  case grid
  case list
  /// The drafts above the seller's own products.
  case shelf
  case detail
  case search
  case menu
  case help
  /// A picture over the whole window.
  case picture
  case selling(SellingFocus)

  package init(of navigator: Navigator) {
    switch navigator.top {
    case nil: self = Focus(browsing: navigator)
    case .detail: self = .detail
    case .search: self = .search
    case .menu, .pictureMenu: self = .menu
    case .picture: self = .picture
    case .help: self = .help
    case .selling: self = .selling(SellingFocus(of: navigator.selling))
    }
  }

  /// What has the keys where nothing lies over the products.
  init(browsing navigator: Navigator) {
    if navigator.shelf?.selected != nil {
      self = .shelf
    } else {
      self = navigator.browser.arrangement == .grid ? .grid : .list
    }
  }

  /// Whether letters are text here.
  package var isText: Bool {
    switch self {
    case .search, .help: true
    case .selling(let focus): focus.isText
    case .grid, .list, .shelf, .detail, .menu, .picture: false
    }
  }
}
