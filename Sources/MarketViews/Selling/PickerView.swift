internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// A folder's pictures and folders, with the selected picture beside them.
struct PickerView {
  let picker: FolderPicker
  let bounds: CellRect
  let context: RenderContext

  private var box: Box {
    Box(
      title: context.strings[.pickerTitle], columns: 76, rows: max(8, bounds.rows - 6),
      in: bounds, context)
  }

  private var preview: CellRect {
    box.content.inset(top: 2).splitRight(box.content.columns * 2 / 5).right.inset(left: 2)
  }

  private var list: CellRect {
    box.content.inset(top: 2).splitRight(box.content.columns * 2 / 5).rest
  }

  private var choices: ChoiceBox {
    ChoiceBox(
      title: .empty,
      lines: picker.entries.map { (SafeText($0.isFolder ? $0.name + "/" : $0.name), .empty) },
      selected: picker.selected, bounds: bounds, context: context)
  }

  /// The index of the entry at a point, for a click.
  func entry(at point: CellPoint) -> Int? { choices.line(at: point, in: list) }

  /// The picture that the picker shows.
  func wants(style: PictureStyle) -> [PictureWant] {
    [PictureBox(picker.preview, in: preview, fit: .whole, style: style).want].compactMap(\.self)
  }

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    let box = box
    box.draw(on: &canvas)
    let path = SafeText(picker.folder.isEmpty ? "/" : picker.folder)
    canvas.write(
      path.truncated(toColumns: box.content.columns), at: box.content.origin,
      style: context.theme.secondary)
    if picker.entries.isEmpty {
      let text = context.strings[picker.isRead ? .pickerEmpty : .loading]
      canvas.write(
        text.truncated(toColumns: list.columns), at: list.origin, style: context.theme.secondary)
    }
    choices.draw(on: &canvas, in: list)
    guard picker.preview != nil else { return }
    PictureBox(picker.preview, in: preview, fit: .whole, style: context.pictures)
      .draw(on: &canvas, from: gallery, context)
  }
}
