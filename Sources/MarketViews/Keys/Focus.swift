package import MarketViewModels

/// What has the keys.
package enum Focus: Hashable, Sendable {
  case grid
  case list
  case detail
  case search
  case menu
  case help

  package init(of navigator: Navigator) {
    switch navigator.top {
    case nil: self = navigator.browser.arrangement == .grid ? .grid : .list
    case .detail: self = .detail
    case .search: self = .search
    case .menu: self = .menu
    case .help: self = .help
    }
  }

  /// Whether letters are text here.
  package var isText: Bool { self == .search || self == .help }
}
