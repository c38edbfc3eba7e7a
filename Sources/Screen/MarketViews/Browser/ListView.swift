internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The products as rows: name, price, stock and age, each at its fixed place.
struct ListView {
  let browser: BrowserModel
  let rect: CellRect
  /// Whether the selection is among the products.
  var showsSelection = true
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    canvas.clipped(to: rect) { canvas in
      let columns = RowColumns(width: rect.columns, language: context.strings.language)
      let shown = browser.viewport.visibleWithCutRow
      for index in shown {
        let line = CellRect(
          column: 0, row: index - shown.lowerBound, columns: rect.columns - 1, rows: 1)
        ProductRow(
          listed: browser.feed.rows[index], line: line, columns: columns,
          isSelected: showsSelection && index == browser.viewport.selected, feed: browser.feed,
          context: context
        ).draw(on: &canvas)
      }
      let end = CellRect(size: rect.size).inset(left: 2, top: shown.count, right: 2)
      drawSkeleton(on: &canvas, in: end)
      FeedEnd(browser: browser, context: context).draw(on: &canvas, in: end)
    }
  }

  /// Rows in the shape of what is coming.
  private func drawSkeleton(on canvas: inout Canvas, in rect: CellRect) {
    guard browser.feed.awaitsRows else { return }
    for row in 0..<min(rect.rows, browser.feed.pageSize) {
      let line = rect.row(row).splitLeft(rect.columns * (3 + (row * 7) % 4) / 10).left
      canvas.fill(line, with: .lightDash, style: context.theme.rule)
    }
  }
}
