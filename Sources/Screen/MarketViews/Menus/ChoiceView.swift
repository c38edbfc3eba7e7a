internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension ChoiceModel: ViewedLayer {
  package func view(in frame: Frame) -> ChoiceView { ChoiceView(model: self, frame: frame) }
}

/// Box of choices; for a setting, the screen previews the selected one.
package struct ChoiceView: BoxedListView {
  package let model: ChoiceModel
  package let frame: Frame

  package static let bindings = BindingTable<ChoiceView>(
    [
      Binding(
        "save-setting", [.enter, " ", .control("s")], .keySaveSetting, footer: 10,
        when: \.isSetting
      ) { $0.choose() }
    ] + SharedBindings.boxedList() + [SharedBindings.cancel(footer: 20) { $0.leave() }])
  package static var takesOwnKeys: Bool { false }

  private var isSetting: Bool { if case .setting = model.subject { true } else { false } }

  package var box: Box {
    switch model.subject {
    case .field(let field):
      // At its field, the field's label is the title.
      frame.formLayout?.strip(of: field, focus: field).map { strip in
        Box(of: CellSize(columns: 24, rows: contentRows + 2), at: strip, in: frame.body, context)
      }
        ?? Box(
          title: context.strings[field.phrase], columns: 24, rows: contentRows, in: frame.body,
          context)
    case .setting(let row):
      Box(
        title: row.label, columns: 36, rows: contentRows,
        in: FullListLayout(frame).list, context)
    }
  }

  package var selectsByClick: Bool { isSetting }
  package func words(of choice: ChoiceModel.Choice) -> [SafeText] { [line(of: choice).text] }

  package func draw(_ choice: ChoiceModel.Choice, in row: ListRow, on canvas: inout Canvas) {
    line(of: choice).draw(in: row, on: &canvas)
  }

  private func line(of choice: ChoiceModel.Choice) -> ListLine {
    switch model.subject {
    case .field(let field): ListLine(text: FieldText.choice(choice.id, of: field, context.strings))
    case .setting(let row):
      // The mark is on the saved value.
      ListLine(
        text: row.text(of: choice.id, context.strings),
        mark: choice.id == row.shown ? .filledDot : .emptyDot,
        remark: choice.id == row.standard ? context.strings[.settingsUsual] : .empty)
    }
  }

  package func choose(_ choice: ChoiceModel.Choice) { model.choose(choice) }

  package func leave() { model.cancel() }
}
