internal import TerminalKit

/// Layout of the settings: the list, under it what is selected, and right of it what it looks like.
struct SettingsLayout {
  let list: CellRect
  let notes: CellRect
  /// Nil where there is no room.
  let preview: CellRect?

  private static let noteRows = 3
  private static let minRows = 12
  private static let previewColumns = 34
  private static let minColumns = 100

  init(_ frame: Frame) {
    let body = frame.body
    let showsPreview =
      !frame.context.isPlain && body.columns >= Self.minColumns && body.rows >= Self.minRows
    let (left, right) = body.splitRight(showsPreview ? Self.previewColumns : 0)
    preview = showsPreview ? right : nil
    let hasNotes = left.rows >= Self.minRows
    list = left.inset(bottom: hasNotes ? Self.noteRows : 0)
    notes = left.splitBottom(hasNotes ? Self.noteRows : 0).bottom
  }
}
