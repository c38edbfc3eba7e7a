internal import MarketViewModels
internal import TerminalKit

/// Sizes that may be changed among the products: of the cards, and of list and detail beside each
/// other.
struct BrowserSizes {
  let layout: ScreenLayout
  let viewStates: ViewStateModel

  func resizeCards(isLarger: Bool) {
    guard case .grid(let grid) = layout.products, let size = grid.nextSize(isLarger: isLarger)
    else { return }
    viewStates.choose(size, for: \.cardColumns)
  }

  func moveDivider(by columns: Int) {
    guard let divider = layout.divider,
      let share = layout.listWidthFraction(forDividerAt: divider.minColumn + columns)
    else { return }
    viewStates.choose(share, for: \.listWidthFraction)
  }

  /// Takes the divider with the mouse; false where it is not at that point.
  func grabDivider(at point: CellPoint) -> Bool {
    guard layout.isOnDivider(point) else { return false }
    viewStates.grabDivider()
    return true
  }

  /// Moves the divider with the mouse while that holds it.
  func dragDivider(to column: Int) -> Bool {
    guard let share = layout.listWidthFraction(forDividerAt: column) else { return false }
    return viewStates.dragDivider(to: share)
  }
}
