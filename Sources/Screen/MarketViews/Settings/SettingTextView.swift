internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension SettingTextModel: ViewedLayer {
  package func view(in frame: Frame) -> SettingTextView {
    SettingTextView(model: self, frame: frame)
  }
}

/// The line in which a setting is typed, over the settings.
package struct SettingTextView: LineView {
  package let model: SettingTextModel
  package let frame: Frame

  package static let bindings = BindingTable<SettingTextView>([
    Binding("save-setting", [.enter, .control("s")], .keySaveSetting, footer: 10) {
      $0.model.keep()
    },
    SharedBindings.cancel(footer: 20) { $0.model.cancel() },
  ])
  package static var takesOwnKeys: Bool { false }

  package func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    field.draw(on: &canvas, context)
    for (row, line) in note.wrapped(toColumns: max(1, box.content.columns)).prefix(2).enumerated() {
      canvas.write(line, at: box.content.row(row + 1).origin, style: context.theme.secondary)
    }
  }

  /// What may be typed, and that nothing is the standard.
  private var note: SafeText {
    let standard = model.row.standard
    return context.strings(
      .settingsForm, SafeText(model.form),
      standard.isEmpty ? context.strings[.settingsNothing] : SafeText(standard))
  }

  private var box: Box {
    Box(title: SafeText(model.row.name), rows: 3, in: SettingsLayout(frame).list, context)
  }

  package var field: FieldLine {
    FieldLine(
      label: .empty, editor: model.editor, rect: box.content.row(0),
      hint: SafeText(model.row.standard))
  }
}

extension Phrase {
  static var settingsForm: Phrase { .named() }
  static var settingsNothing: Phrase { .named() }
}
