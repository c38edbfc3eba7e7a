import MarketStrings
package import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension SettingChoiceModel: ViewedLayer {
  package func view(in frame: Frame) -> SettingChoiceView {
    SettingChoiceView(model: self, frame: frame)
  }
}

/// The words that a setting may be, over the settings, which look like the selected one.
package struct SettingChoiceView: MenuLayerView {
  package let model: SettingChoiceModel
  package let frame: Frame

  package static let bindings = BindingTable<SettingChoiceView>(
    [
      Binding("save-setting", [.enter, " ", .control("s")], .keySaveSetting, footer: 10) {
        $0.choose(nil)
      },
      SharedBindings.cancel(footer: 20) { $0.leave() },
    ]
      + SharedBindings.choosing { $0.moveSelection(by: $1) }
      + SharedBindings.ends { $0.moveSelection(by: $1) })
  package static var takesOwnKeys: Bool { false }

  package var box: ChoiceBox {
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

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  /// Tries a word; the one that is tried is kept.
  package func choose(_ index: Int?) {
    let index = index ?? model.selected
    if index == model.selected { model.keep() } else { model.move(by: index - model.selected) }
  }

  package func leave() { model.cancel() }
}

extension Phrase {
  static var keySaveSetting: Phrase { .named() }
  static var settingsUsual: Phrase { .named() }
}
