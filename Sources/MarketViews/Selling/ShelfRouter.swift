internal import MarketViewModels
internal import TerminalKit

/// Turns keys and clicks into verbs of the drafts above the seller's own products.
struct ShelfRouter {
  let screen: MarketScreen

  private var navigator: Navigator { screen.navigator }

  /// - Parameters:
  ///   - command: what was pressed while nothing lies over the products.
  ///   - times: the count that was typed before it.
  /// - Returns: whether it was for the drafts.
  func run(_ command: Command, times: Int) -> Bool {
    guard let selling = navigator.selling, let shelf = navigator.shelf else { return false }
    guard shelf.selected != nil else { return enter(by: command, selling) }
    switch command {
    case .open: selling.openFromShelf()
    case .removeDraft: selling.askToRemoveFromShelf()
    case .up: selling.moveInShelf { $0.move(by: -times) }
    case .down: selling.moveInShelf { $0.move(by: times) }
    case .first: selling.moveInShelf { $0.enter(at: 0) }
    case .pageUp, .halfPageUp, .left, .right: break
    case .pageDown, .halfPageDown, .last:
      selling.moveInShelf { $0.leave() }
      return false
    default: return false
    }
    return true
  }

  /// Goes from the first products up to the drafts.
  private func enter(by command: Command, _ selling: SellingModel) -> Bool {
    let viewport = navigator.browser.viewport
    switch command {
    case .up where viewport.selected < viewport.columns: selling.moveInShelf { $0.enter() }
    case .first where viewport.selected < viewport.columns:
      selling.moveInShelf { $0.enter(at: 0) }
    default: return false
    }
    return true
  }

  /// A click selects a draft, and a second one opens it; a click on a product leaves the drafts.
  ///
  /// - Returns: whether it was among the drafts.
  func press(at point: CellPoint, in rect: CellRect) -> Bool {
    guard let selling = navigator.selling, let shelf = navigator.shelf else { return false }
    guard rect.contains(point) else {
      selling.moveInShelf { $0.leave() }
      return false
    }
    let view = ShelfView(shelf: shelf, rect: rect, context: screen.context)
    guard let draft = view.draft(at: point) else { return true }
    if draft == shelf.selected {
      selling.openFromShelf()
    } else {
      selling.moveInShelf { $0.enter(at: draft) }
    }
    return true
  }
}
