internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension ChoiceModel: ViewedLayer {
  package func view(in frame: Frame) -> ChoiceView { ChoiceView(model: self, frame: frame) }
}

/// Box with words of which one is chosen; of a setting, the screen looks like the selected one.
package struct ChoiceView: MenuLayerView {
  package let model: ChoiceModel
  package let frame: Frame

  package static let bindings = BindingTable<ChoiceView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10, when: \.isField) { $0.choose(nil) },
      Binding(
        "save-setting", [.enter, " ", .control("s")], .keySaveSetting, footer: 10,
        when: \.isSetting
      ) { $0.choose(nil) },
    ]
      + SharedBindings.choosing { $0.moveSelection(by: $1) }
      + SharedBindings.ends { $0.moveSelection(by: $1) }
      + [SharedBindings.cancel(footer: 20) { $0.leave() }])
  package static var takesOwnKeys: Bool { false }

  private var isField: Bool { !isSetting }
  private var isSetting: Bool { if case .setting = model.subject { true } else { false } }

  package var box: ChoiceBox {
    switch model.subject {
    case .field(let field):
      ChoiceBox(
        title: context.strings[field.phrase],
        lines: model.choices.map { (FieldText.choice($0, of: field, context.strings), .empty) },
        selected: model.selected, columns: 24, bounds: frame.body, context: context)
    case .setting(let row):
      ChoiceBox(
        title: SafeText(row.name),
        lines: model.choices.map { word in
          // The one that is kept is marked.
          let mark: SafeText = word == row.shown ? "● " : "○ "
          let note = word == row.standard ? context.strings[.settingsUsual] : .empty
          return (mark + SafeText(word), note)
        },
        selected: model.selected, columns: 36, bounds: SettingsLayout(frame).list, context: context)
    }
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  /// Takes a choice; of a setting that is not selected yet, it is tried first.
  package func choose(_ index: Int?) {
    let distance = (index ?? model.selected) - model.selected
    model.move(by: distance)
    if isField || distance == 0 { model.choose() }
  }

  package func leave() { model.cancel() }
}
