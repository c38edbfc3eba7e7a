import MarketStrings

/// Group of keys under one heading of the help, in the order of the page.
package enum BindingGroup: CaseIterable, Hashable, Sendable {
  /// What only the screen in front of one is for.
  case here
  case browse
  /// What is done with the product that is selected or open; the menu of actions offers it.
  case product
  case sell
  case view
  case move
  case editing
  case mouse
  case program

  /// Whether its keys may fill what is left of a wide footer: who moves or types needs no telling.
  var fillsFooter: Bool {
    switch self {
    case .here, .browse, .product, .sell, .view, .mouse: true
    case .move, .editing, .program: false
    }
  }

  var heading: Phrase {
    switch self {
    case .here: .headingHere
    case .browse: .headingBrowse
    case .product: .headingProduct
    case .sell: .headingSell
    case .view: .headingView
    case .move: .headingMove
    case .editing: .headingEditing
    case .mouse: .headingMouse
    case .program: .headingProgram
    }
  }
}
