internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Line below the last product: the end of the list, the progress of a scan, or an error with the key
/// that retries.
struct FeedEnd {
  let browser: BrowserModel
  let context: RenderContext

  func draw(on canvas: inout Canvas, in rect: CellRect) {
    let isEmpty = browser.feed.count == 0
    guard !rect.isEmpty, !isEmpty || browser.feed.phase == .loading else { return }
    if browser.feed.hasReadEnd, !browser.feed.isStale { return drawEndMark(on: &canvas, in: rect) }
    switch browser.feed.phase {
    case .loading where browser.feed.isScanning, .stopped:
      drawCentered(scanLines, on: &canvas, in: rect)
    case .loading where context.isPlain:
      // A plain screen has no skeleton rows.
      canvas.write(
        context.strings[.loading].truncated(toColumns: rect.columns), at: rect.origin,
        style: context.theme.secondary)
    case .idle, .loading, .ended: break
    case .failed where browser.feed.isStale: break
    case .failed(let error):
      guard browser.feed.count == browser.feed.head.count else { return }
      PageFailure(error: error, browser: browser, context: context)
        .draw(on: &canvas, in: rect)
    }
  }

  private func drawEndMark(on canvas: inout Canvas, in rect: CellRect) {
    let count = browser.feed.unreadableRows
    let unreadable = count > 0 ? context.strings.counted(.unreadableRows, count) : nil
    drawCentered(
      [context.strings[.endOfList]] + scanLines + [unreadable].compactMap(\.self),
      on: &canvas,
      in: rect)
  }

  /// Progress and scope of the scan.
  private var scanLines: [SafeText] {
    [
      ScanText.text(browser.feed, context.strings), ScanText.note(browser.feed, context.strings),
    ].compactMap(\.self)
  }

  /// Draws lines one below the other, as far as there is room.
  private func drawCentered(_ lines: [SafeText], on canvas: inout Canvas, in rect: CellRect) {
    for (row, line) in lines.prefix(rect.rows).enumerated() {
      let text = line.truncated(toColumns: rect.columns)
      let position = rect.row(row).centered(CellSize(columns: text.columns, rows: 1))
      canvas.write(text, at: position.origin, style: context.theme.secondary)
    }
  }
}
