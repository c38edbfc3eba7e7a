package import MarketViewModels

/// What has the keys.
package enum Focus: Hashable, Sendable {
  case grid
  case list
  case detail
  case search
  case menu
  case help
  /// A picture over the whole window.
  case picture
  case selling(SellingFocus)

  package init(of navigator: Navigator) {
    switch navigator.top {
    case nil: self = navigator.browser.arrangement == .grid ? .grid : .list
    case .detail: self = .detail
    case .search: self = .search
    case .menu, .pictureMenu: self = .menu
    case .picture: self = .picture
    case .help: self = .help
    case .selling: self = .selling(SellingFocus(of: navigator.selling))
    }
  }

  /// Whether letters are text here.
  package var isText: Bool {
    switch self {
    case .search, .help: true
    case .selling(let focus): focus.isText
    case .grid, .list, .detail, .menu, .picture: false
    }
  }
}
