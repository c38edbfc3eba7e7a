internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The drafts above the seller's own products.
struct ShelfView {
  let shelf: DraftShelf
  let rect: CellRect
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    let rule = rect.splitBottom(1).bottom
    list.draw(on: &canvas, in: rows)
    canvas.horizontalRule(at: rule.origin, columns: rule.columns, style: context.theme.rule)
  }

  /// The index of the draft at a point, for a click.
  func draft(at point: CellPoint) -> Int? {
    list.line(at: point, in: rows)
  }

  /// The ages end where those of the products do.
  private var rows: CellRect { rect.inset(right: 2, bottom: 1) }

  private var list: ChoiceBox {
    ChoiceBox(
      title: .empty, lines: shelf.drafts.map { DraftLine.texts($0, context) },
      selected: shelf.selected, bounds: rect, context: context)
  }
}
