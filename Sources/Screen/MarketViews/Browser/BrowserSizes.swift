internal import MarketViewModels
internal import TerminalKit

/// Changes of sizes in the product list: of the cards, and of the divider between list and detail.
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

  /// Starts dragging the divider; returns false where it is not at `point`.
  func grabDivider(at point: CellPoint) -> Bool {
    guard layout.isOnDivider(point) else { return false }
    viewStates.grabDivider()
    return true
  }

  /// Moves the divider while it is dragged; returns false where it is not.
  func dragDivider(to column: Int) -> Bool {
    guard let share = layout.listWidthFraction(forDividerAt: column) else { return false }
    return viewStates.dragDivider(to: share)
  }
}
