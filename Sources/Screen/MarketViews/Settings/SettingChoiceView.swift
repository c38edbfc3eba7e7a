import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension SettingChoiceModel: ViewedLayer {
  package func view(in frame: Frame) -> SettingChoiceView {
    SettingChoiceView(model: self, frame: frame)
  }
}

/// The words that a setting may be, over the settings, which look like the selected one.
package struct SettingChoiceView: LayerView {
  package let model: SettingChoiceModel
  package let frame: Frame

  package static let bindings = BindingTable<SettingChoiceView>(
    [
      Binding("keep-setting", [.enter, " ", .control("s")], .keyKeepSetting, footer: 10) {
        $0.model.keep()
      },
      SharedBindings.cancel(footer: 20) { $0.model.cancel() },
    ]
      + SharedBindings.choosing { $0.model.move(by: $1) }
      + SharedBindings.ends { $0.model.move(by: $1) })
  package static var takesOwnKeys: Bool { false }

  private var choices: ChoiceBox {
    ChoiceBox(
      title: SafeText(model.row.name),
      lines: model.words.map { word in
        // The one that is kept is marked.
        let mark: SafeText = word == model.row.shown ? "● " : "○ "
        let note = word == model.row.standard ? context.strings[.settingsUsual] : .empty
        return (mark + SafeText(word), note)
      },
      selected: model.selected, columns: 36, bounds: SettingsLayout(frame).list, context: context)
  }

  package func draw(on canvas: inout Canvas) { choices.draw(on: &canvas) }

  /// A click tries a word; one on the word that is tried keeps it.
  package func press(at point: CellPoint) -> Bool {
    guard let line = choices.line(at: point) else {
      model.cancel()
      return true
    }
    if line == model.selected { model.keep() } else { model.move(by: line - model.selected) }
    return true
  }

  package func scroll(by notches: Int) -> Bool {
    model.move(by: notches)
    return true
  }
}

extension Phrase {
  static var keyKeepSetting: Phrase { .named() }
  static var settingsUsual: Phrase { .named() }
}
