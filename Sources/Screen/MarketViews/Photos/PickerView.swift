internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension PickerModel: ViewedLayer {
  package func view(in frame: Frame) -> PickerView { PickerView(model: self, frame: frame) }
}

/// A folder's pictures and folders, with the selected picture beside them.
package struct PickerView: LayerView {
  package let model: PickerModel
  package let frame: Frame

  package static let bindings = BindingTable<PickerView>(
    [
      Binding("choose", [.enter, .right, "l"], .keyChoose, footer: 10) { $0.model.choose() },
      Binding("folder-up", [.left, "h", .backspace], .keyFolderUp, footer: 20) {
        $0.model.goUp()
      },
    ]
      + SharedBindings.choosing(up: [.up, "k"], down: [.down, "j"]) { $0.model.move(by: $1) }
      + [SharedBindings.cancel(footer: 30) { $0.model.cancel() }])
  package static var takesOwnKeys: Bool { false }

  private var picker: FolderPicker { model.picker }

  private var box: Box {
    Box(
      title: context.strings[.pickerTitle], columns: 76, rows: max(8, frame.body.rows - 6),
      in: frame.body, context)
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
      selected: picker.selected, bounds: frame.body, context: context)
  }

  /// A first click shows a picture beside the list, a second one takes it.
  package func press(at point: CellPoint) -> Bool {
    guard let line = choices.line(at: point, in: list) else { return false }
    if line == picker.selected {
      model.choose()
    } else {
      model.move(by: line - picker.selected)
    }
    return true
  }

  package func scroll(by notches: Int) -> Bool {
    model.move(by: notches)
    return true
  }

  /// The picture that the picker shows.
  package var wants: [PictureWant] {
    let box = PictureBox(picker.preview, in: preview, fit: .whole, style: context.pictures)
    return [box.want].compactMap(\.self)
  }

  package func draw(on canvas: inout Canvas) {
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
      .draw(on: &canvas, from: frame.gallery, context)
  }
}
