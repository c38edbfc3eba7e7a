internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Row or card of a product that is not loaded: its shape with its number, or once on the screen why it
/// failed to load.
struct PlaceholderRow {
  let browser: BrowserModel
  let index: Int
  let isSelected: Bool
  let context: RenderContext

  /// Draws a row of the list: its lines of text, its thumbnail, and the bar of the selected one.
  func draw(on canvas: inout Canvas, in rect: CellRect, thumbnail: CellRect, bar: CellRect) {
    if isSelected { canvas.markSelected(rect, bar: bar, context.theme) }
    if drawFailure(on: &canvas, in: rect.inset(left: RowColumns.name, right: 1)) { return }
    drawShape(on: &canvas, in: rect, thumbnail: thumbnail)
  }

  /// Draws the tile of a thumbnail, the number, and lines of the typical length of a name and a seller.
  func drawShape(on canvas: inout Canvas, in rect: CellRect, thumbnail: CellRect) {
    canvas.fill(thumbnail, style: context.theme.tile)
    let room = rect.inset(left: RowColumns.name, right: 1)
    for line in 0..<room.rows {
      let tenths = (3 + (index * 7) % 4) / (line + 1)
      canvas.fill(
        room.row(line).splitLeft(room.columns * tenths / 10).left, with: .lightDash,
        style: context.theme.rule)
    }
    drawNumber(on: &canvas, in: room)
  }

  /// Draws the number of a place that is known, over the line of the name.
  func drawNumber(on canvas: inout Canvas, in rect: CellRect) {
    guard !browser.feed.isStale else { return }
    canvas.write(
      (SafeText(index + 1) + " ").truncated(toColumns: rect.columns), at: rect.origin,
      style: context.theme.secondary)
  }

  /// Draws the failure once on the screen, in the first failed row or card, or behind the product to
  /// which the selection came back; returns false elsewhere.
  func drawFailure(on canvas: inout Canvas, in rect: CellRect) -> Bool {
    let (feed, viewport) = (browser.feed, browser.viewport)
    let isFirst = index == viewport.visible.lowerBound || feed[index - 1] != nil
    guard isFirst, feed.hasFailed(at: index) || index == viewport.selected + 1,
      let error = feed.failure
    else { return false }
    PageFailure(
      error: error, missing: feed.unread(from: index), browser: browser, context: context
    ).draw(on: &canvas, in: rect)
    return true
  }
}

/// Line that says which products are missing, why their page failed to load, the key that retries, and
/// the time of the automatic retry.
struct PageFailure {
  let error: RepositoryError
  /// Places of the missing products; nil if that is every further one.
  var missing: Range<Int>?
  let browser: BrowserModel
  let context: RenderContext

  func draw(on canvas: inout Canvas, in rect: CellRect) {
    // Wrapping at words needs a little more room.
    let room = rect.rows == 1 ? rect.columns : rect.columns * rect.rows - 2
    var text = ErrorText.withRetry(error, context.strings, missing: missing, columns: room)
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
