internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// Line below the last product: that this is all, why nothing is there, or what went wrong and
/// which key retries.
struct FeedEnd {
  let browser: BrowserModel
  let context: RenderContext

  func draw(on canvas: inout Canvas, in rect: CellRect) {
    guard !rect.isEmpty else { return }
    switch browser.feed.phase {
    case .loading where context.isPlain:
      // No skeleton stands for what is coming.
      canvas.write(
        context.strings[.loading].truncated(toColumns: rect.columns), at: rect.origin,
        style: context.theme.secondary)
    case .idle, .loading: break
    case .failed(let error): drawFailure(error, on: &canvas, in: rect)
    case .ended where browser.feed.rows.isEmpty: drawEmpty(on: &canvas, in: rect)
    case .ended: drawEndMark(on: &canvas, in: rect)
    }
  }

  private func drawFailure(_ error: RepositoryError, on canvas: inout Canvas, in rect: CellRect) {
    // Breaking lines at words takes a little room.
    let room = rect.columns * rect.rows - 2
    let text = ErrorText.withRetry(error, context.strings, columns: room)
    for (row, line) in text.wrapped(toColumns: rect.columns).enumerated() {
      canvas.write(line, at: rect.row(row).origin, style: context.theme.warning)
    }
  }

  private func drawEmpty(on canvas: inout Canvas, in rect: CellRect) {
    let query = browser.feed.query
    let text =
      if !query.text.isEmpty {
        context.strings(.emptySearch, SafeText(query.text))
      } else {
        context.strings[query.filters.isEmpty ? .emptyMarket : .emptyFilter]
      }
    drawCentered(text, on: &canvas, in: rect.inset(top: rect.rows / 3))
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
