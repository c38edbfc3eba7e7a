import MarketStrings

/// Group of keys under one heading of the help, in order of display.
package enum BindingGroup: CaseIterable, Hashable, Sendable {
  /// Commands of one screen only.
  case here
  case browse
  /// Commands for the selected or open product, also in the menu of actions.
  case product
  case sell
  case view
  case move
  case editing
  case mouse
  case program

  /// Whether the keys may fill the rest of a wide footer; keys for moving and typing need no hint.
  var fillsFooter: Bool {
    switch self {
    case .here, .browse, .product, .sell, .view, .mouse: true
    case .move, .editing, .program: false
    }
  }

  /// Whether text may follow the keys, in the dialogs that they open.
  var hasDialogs: Bool {
    switch self {
    case .here, .browse, .product, .sell, .program: true
    case .view, .move, .editing, .mouse: false
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
