internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Row or card of a product that is not loaded: its shape, or once per page why it failed to load.
struct PlaceholderRow {
  let browser: BrowserModel
  let index: Int
  let isSelected: Bool
  let context: RenderContext

  /// Draws a row of the list: its lines of text, its thumbnail, and the bar of the selected one.
  func draw(on canvas: inout Canvas, in rect: CellRect, thumbnail: CellRect, bar: CellRect) {
    if isSelected { canvas.markSelected(rect, bar: bar, context.theme) }
    if browser.feed.hasFailed(at: index) {
      drawFailure(on: &canvas, in: rect.inset(left: RowColumns.name, right: 1))
    } else {
      Self.drawShape(in: rect, thumbnail: thumbnail, turn: index, on: &canvas, context)
    }
  }

  /// Draws the failure in place of a card; returns false where nothing failed.
  func drawFailureOfCard(on canvas: inout Canvas, in rect: CellRect) -> Bool {
    guard browser.feed.hasFailed(at: index) else { return false }
    drawFailure(on: &canvas, in: rect)
    return true
  }

  /// Draws the tile of a thumbnail, and lines of the typical length of a name and a seller.
  static func drawShape(
    in rect: CellRect, thumbnail: CellRect, turn: Int, on canvas: inout Canvas,
    _ context: RenderContext
  ) {
    canvas.fill(thumbnail, style: context.theme.tile)
    let room = rect.inset(left: RowColumns.name, right: 1)
    for line in 0..<room.rows {
      let tenths = (3 + (turn * 7) % 4) / (line + 1)
      canvas.fill(
        room.row(line).splitLeft(room.columns * tenths / 10).left, with: .lightDash,
        style: context.theme.rule)
    }
  }

  /// Draws the failure once on the screen, in the first failed row.
  private func drawFailure(on canvas: inout Canvas, in rect: CellRect) {
    let isFirst = index == browser.viewport.visible.lowerBound || browser.feed[index - 1] != nil
    guard isFirst, let error = browser.feed.failure else { return }
    PageFailure(error: error, browser: browser, context: context).draw(on: &canvas, in: rect)
  }
}

/// Line that says why a page failed to load, the key that retries, and the time of the automatic retry.
struct PageFailure {
  let error: RepositoryError
  let browser: BrowserModel
  let context: RenderContext

  func draw(on canvas: inout Canvas, in rect: CellRect) {
    // Wrapping at words needs a little more room.
    let room = rect.rows == 1 ? rect.columns : rect.columns * rect.rows - 2
    var text = ErrorText.withRetry(error, context.strings, columns: room)
    if let next = OutageText.nextTry(browser.reconnection, context.strings),
      text.columns + 3 + next.columns <= room
    {
      text = text + " · " + next
    }
    for (row, line) in text.wrapped(toColumns: rect.columns).prefix(rect.rows).enumerated() {
      canvas.write(line, at: rect.row(row).origin, style: context.theme.warning)
    }
  }
}
