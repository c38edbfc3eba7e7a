internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import TerminalKit

/// Cache of drawn rows or cards of products; an unchanged one is copied instead of drawn.
///
/// A key that moves the selection or scrolls by a row changes two of fifty.
final class RowCache<Content: Equatable> {
  private struct Row {
    let content: Content
    /// Age of the product in whole hours.
    let hours: Int64
    let block: CellBlock
  }

  private var style: RenderContext.FrameStyle?
  private var day: Int64?
  private var now = Timestamp(seconds: 0)
  private var rows: [Product.ID: Row] = [:]

  // Maximum number of rows, those of several screens; then the cache is emptied. A generic type has no
  // static value.
  private let most = 500

  /// Discards rows of another style or another day.
  func begin(_ context: RenderContext) {
    let (style, day) = (context.frameStyle, TimeZone.local.day(of: context.now))
    if style != self.style || day != self.day { rows = [:] }
    (self.style, self.day, now) = (style, day, context.now)
  }

  /// Draws an unselected row that shows an age: from the cache, or by `write`.
  func draw(
    _ content: Content, of id: Product.ID, since created: Timestamp, in rect: CellRect,
    on canvas: inout Canvas, writing write: (inout Canvas) -> Void
  ) {
    let hours = AgeText.hours(since: created, now: now)
    if let known = rows[id], known.block.size == rect.size, known.hours == hours,
      known.content == content, canvas.put(known.block, at: rect.origin)
    {
      return
    }
    write(&canvas)
    if rows.count >= most { rows = [:] }
    rows[id] = canvas.block(rect).map { Row(content: content, hours: hours, block: $0) }
  }
}

/// Contents of a card's texts.
struct CardContent: Equatable {
  let listed: ListedProduct
  let marks: RowMarks
}
