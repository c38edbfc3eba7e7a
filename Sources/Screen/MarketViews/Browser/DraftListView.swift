internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// The drafts above the seller's own products.
struct DraftListView {
  let shelf: DraftListState
  let selling: SellingModel?
  let rect: CellRect
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    let rule = rect.splitBottom(1).bottom
    for (index, draft) in shelf.drafts.enumerated().dropFirst(first).prefix(rows.rows) {
      let (text, remark) = DraftLine.texts(draft, context)
      let row = ListRow(
        rect: rows.row(index - first).inset(right: 1), number: index,
        isSelected: index == shelf.selected, context: context)
      ListLine(text: text, remark: remark, isNumbered: false).draw(in: row, on: &canvas)
    }
    canvas.horizontalRule(at: rule.origin, columns: rule.columns, style: context.theme.rule)
  }

  /// Moves among the drafts, and between them and the first products; true where that was all of
  /// the move.
  func move(_ move: Viewport.Move, times: Int, isInFirstRow: Bool) -> Bool {
    guard let drafts = selling?.drafts else { return false }
    switch (move, shelf.selected != nil) {
    case (.up, true): drafts.move { $0.move(by: -times) }
    case (.down, true): drafts.move { $0.move(by: times) }
    case (.first, true): drafts.move { $0.enter(at: 0) }
    case (.pageUp, true), (.halfPageUp, true), (.left, true), (.right, true): break
    case (.pageDown, true), (.halfPageDown, true), (.last, true):
      drafts.move { $0.leave() }
      return false
    case (.up, false) where isInFirstRow: drafts.move { $0.enter() }
    case (.first, false) where isInFirstRow: drafts.move { $0.enter(at: 0) }
    case (_, false): return false
    }
    return true
  }

  /// The selection goes back to the products.
  func leave() { selling?.drafts.move { $0.leave() } }

  /// Selects a draft; a second click opens it.
  func press(at point: CellPoint) {
    guard let selling, let draft = draft(at: point) else { return }
    if draft == shelf.selected {
      selling.openDraft()
    } else {
      selling.drafts.move { $0.enter(at: draft) }
    }
  }

  /// The index of the draft at a point.
  private func draft(at point: CellPoint) -> Int? {
    guard rows.contains(point) else { return nil }
    let index = first + point.row - rows.minRow
    return shelf.drafts.indices.contains(index) ? index : nil
  }

  private var rows: CellRect { rect.inset(bottom: 1) }

  /// The first draft in sight, so that the selected one is among them.
  private var first: Int {
    max(0, min((shelf.selected ?? 0) - rows.rows / 2, shelf.drafts.count - rows.rows))
  }
}
