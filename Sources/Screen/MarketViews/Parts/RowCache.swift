internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import TerminalKit

/// Rows or cards of products as they were drawn lately: one of which nothing has changed is put again
/// instead of being written anew.
///
/// A key that moves the selection or scrolls by a row changes two of fifty.
final class RowCache<Content: Equatable> {
  private struct Row {
    let content: Content
    /// Whole hours of its age.
    let hours: Int64
    let block: CellBlock
  }

  private var look: RenderContext.Look?
  private var day: Int64?
  private var now = Timestamp(seconds: 0)
  private var rows: [Product.ID: Row] = [:]

  // Rows of several screens; a generic type has no static value.
  private let most = 500

  /// Forgets rows of another look, or of another day.
  func begin(_ context: RenderContext) {
    let (look, day) = (context.look, TimeZone.local.day(of: context.now))
    if look != self.look || day != self.day { rows = [:] }
    (self.look, self.day, now) = (look, day, context.now)
  }

  /// Draws a row that is not selected and says an age, as it was drawn before or by `write`.
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

/// What the texts of a card say.
struct CardContent: Equatable {
  let listed: ListedProduct
  let marks: RowMarks
}
