internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension PhotoPathModel: ViewedLayer {
  package func view(in frame: Frame) -> PhotoPathView { PhotoPathView(model: self, frame: frame) }
}

/// The line for paths of photos, and under it what the last of them could go on with.
package struct PhotoPathView: LineView {
  package let model: PhotoPathModel
  package let frame: Frame

  package static let bindings = BindingTable<PhotoPathView>(
    [
      Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.confirm() },
      SharedBindings.cancel(footer: 40) { $0.model.cancel() },
      Binding("complete", [.tab], .keyComplete, footer: 20) { $0.model.complete() },
      Binding("browse-folders", [.control("o")], .keyBrowseFolders, footer: 30) {
        $0.model.browse()
      },
    ])
  package static var opens: [any LayerView.Type] { [PickerView.self] }
  package static var takesOwnKeys: Bool { false }

  package func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    field.draw(on: &canvas, context)
    let choices = model.line.choices.map { SafeText($0.isFolder ? $0.name + "/" : $0.name) }
    let text = choices.isEmpty ? context.strings[.photoPathHelp] : choices.joined(separator: "  ")
    for (row, line) in text.wrapped(toColumns: box.content.columns).prefix(2).enumerated() {
      canvas.write(line, at: box.content.row(row + 1).origin, style: context.theme.secondary)
    }
  }

  private var box: Box {
    Box(title: context.strings[.photoPathTitle], rows: 3, in: frame.body, context)
  }

  package var field: FieldLine {
    FieldLine(
      label: context.strings[.photoPathLabel], editor: model.line.editor, rect: box.content.row(0),
      hint: context.strings[.photoPathHint])
  }
}

extension Phrase {
  static var keyComplete: Phrase { .named() }
  static var keyBrowseFolders: Phrase { .named() }
  static var photoPathTitle: Phrase { .named() }
  static var photoPathLabel: Phrase { .named() }
  static var photoPathHint: Phrase { .named() }
  static var photoPathHelp: Phrase { .named() }
}
