internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Layout of the photo picker: folder, filter, list, and a preview beside it where there is room.
///
/// The box has room for all entries of the folder, and keeps its height while the filter hides some.
struct PickerLayout {
  let box: Box
  let folder: CellRect
  let filter: CellRect
  let list: CellRect
  /// Area of the preview; empty where there is no room.
  let preview: CellRect

  private static let widest = 112
  private static let headRows = 2
  /// Minimum rows of a box with a preview.
  private static let previewRows = 8
  private static let previewColumns = 18...48
  private static let gap = 2

  init(_ picker: FolderPicker, in bounds: CellRect, title: SafeText, _ context: RenderContext) {
    let hasPreview =
      context.pictures.showsPictures && !picker.listing.entries.allSatisfy(\.isFolder)
    let rows = max(picker.listing.entries.count, hasPreview ? Self.previewRows : 1)
    box = Box(
      title: title, columns: Self.widest, rows: Self.headRows + rows, atTopOf: bounds, context)
    // A very low window leaves out the folder's name.
    let head = min(Self.headRows, max(0, box.content.rows - 1))
    let heads = box.content.splitTop(head).top
    (folder, filter) = (heads.splitTop(head - 1).top, heads.splitBottom(1).bottom)
    let rest = box.content.inset(top: head)
    let columns = rest.columns / 3
    guard hasPreview, columns >= Self.previewColumns.lowerBound, rest.rows >= Self.previewRows / 2
    else {
      (list, preview) = (rest, CellRect(origin: rest.origin, size: .zero))
      return
    }
    let parts = rest.splitRight(min(columns, Self.previewColumns.upperBound))
    list = parts.rest
    preview = parts.right.inset(left: Self.gap)
  }
}
