internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// Line below the last product: that this is all, or what went wrong and which key retries.
struct FeedEnd {
  let browser: BrowserModel
  let context: RenderContext

  func draw(on canvas: inout Canvas, in rect: CellRect) {
    let isEmpty = browser.feed.count == 0
    guard !rect.isEmpty, !isEmpty || browser.feed.phase == .loading else { return }
    if browser.feed.hasReadEnd, !browser.feed.isStale { return drawEndMark(on: &canvas, in: rect) }
    switch browser.feed.phase {
    case .loading where context.isPlain:
      // No skeleton stands for what is coming.
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
    drawCentered(context.strings[.endOfList], on: &canvas, in: rect)
    guard browser.feed.unreadableRows > 0 else { return }
    let text = context.strings.counted(.unreadableRows, browser.feed.unreadableRows)
    drawCentered(text, on: &canvas, in: rect.inset(top: 1))
  }

  private func drawCentered(_ text: SafeText, on canvas: inout Canvas, in rect: CellRect) {
    let text = text.truncated(toColumns: rect.columns)
    let place = rect.row(0).centered(CellSize(columns: text.columns, rows: 1))
    canvas.write(text, at: place.origin, style: context.theme.secondary)
  }
}
