internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import TerminalKit

/// Rows of products as they were drawn lately: one of which nothing has changed is put again instead of
/// being written anew.
///
/// A key that moves the selection or scrolls by a row changes two of fifty.
package final class RowCache {
  /// What rows are made of that holds for the whole frame.
  private struct Surroundings: Equatable {
    let theme: Theme
    let language: Language
    let isPlain: Bool
    let day: Int64
  }

  private struct Row {
    let content: ProductRow.Content
    /// Whole hours of its age.
    let hours: Int64
    let block: CellBlock
  }

  private var look: Surroundings?
  private var now = Timestamp(seconds: 0)
  private var rows: [Product.ID: Row] = [:]

  /// Rows of several screens.
  private static let most = 500

  package init() {}

  /// Forgets rows of another look, or of another day.
  func begin(_ context: RenderContext) {
    let look = Surroundings(
      theme: context.theme, language: context.strings.language, isPlain: context.isPlain,
      day: TimeZone.local.day(of: context.now))
    if look != self.look { rows = [:] }
    (self.look, now) = (look, context.now)
  }

  /// Draws a row that is not selected and says an age, as it was drawn before or by `write`.
  func draw(
    _ content: ProductRow.Content, since created: Timestamp, in rect: CellRect,
    on canvas: inout Canvas,
    writing write: (inout Canvas) -> Void
  ) {
    let id = content.listed.id
    let hours = AgeText.hours(since: created, now: now)
    if let known = rows[id], known.block.size == rect.size, known.hours == hours,
      known.content == content, canvas.put(known.block, at: rect.origin)
    {
      return
    }
    write(&canvas)
    if rows.count >= Self.most { rows = [:] }
    rows[id] = canvas.block(rect).map { Row(content: content, hours: hours, block: $0) }
  }
}
