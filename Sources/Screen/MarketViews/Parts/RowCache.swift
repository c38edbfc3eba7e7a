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
    /// Ages are counted from it, in hours at least: they are right to the minute.
    let minute: Int64
  }

  private struct Row {
    let content: ProductRow.Content
    let block: CellBlock
  }

  private var look: Surroundings?
  private var rows: [Product.ID: Row] = [:]

  /// Rows of several screens.
  private static let most = 500

  package init() {}

  /// Forgets rows of another look, or of another minute.
  func begin(_ context: RenderContext) {
    let look = Surroundings(
      theme: context.theme, language: context.strings.language, isPlain: context.isPlain,
      minute: context.now.seconds / 60)
    if look != self.look { rows = [:] }
    self.look = look
  }

  /// Draws a row that is not selected, as it was drawn before or by `write`.
  func draw(
    _ content: ProductRow.Content, in rect: CellRect, on canvas: inout Canvas,
    writing write: (inout Canvas) -> Void
  ) {
    let id = content.listed.id
    if let known = rows[id], known.block.size == rect.size, known.content == content,
      canvas.put(known.block, at: rect.origin)
    {
      return
    }
    write(&canvas)
    if rows.count >= Self.most { rows = [:] }
    rows[id] = canvas.block(rect).map { Row(content: content, block: $0) }
  }
}
