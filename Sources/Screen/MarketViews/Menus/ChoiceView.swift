internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension ChoiceModel: ViewedLayer {
  package func view(in frame: Frame) -> ChoiceView { ChoiceView(model: self, frame: frame) }
}

/// Box of choices, many of them below a text line that narrows them; for a setting, the screen
/// previews the selected one.
package struct ChoiceView: BoxedListView {
  package let model: ChoiceModel
  package let frame: Frame

  package static let bindings = BindingTable<ChoiceView>(
    [
      Binding(
        "save-setting", [.enter, .control("s")], .keySaveSetting, footer: 10, when: \.isSetting
      ) {
        $0.choose()
      },
      Binding("save-setting", [" "], .keySaveSetting, when: \.isSettingByNumber) { $0.choose() },
      Binding("choose", [.enter], .keyChoose, footer: 10, when: \.isText, offered: \.hasItems) {
        $0.choose()
      },
    ] + SharedBindings.typedList().map { $0.only(when: \.isText) }
      + SharedBindings.boxedList().map { $0.only { !$0.isText } }
      + [SharedBindings.cancel(footer: 20) { $0.leave() }])
  package static var takesOwnKeys: Bool { false }

  private var isSetting: Bool { if case .setting = model.subject { true } else { false } }
  private var isSettingByNumber: Bool { isSetting && !isText }

  // MARK: Typing

  package var isText: Bool { model.isNarrowedByTyping }
  package var hasOwnLine: Bool { isText }
  package var editingRows: [EditingRow] { isText ? LineKeys.rows : [] }

  package func edit(_ key: KeyPress) -> Bool {
    guard isText, let change = LineKeys.change(for: key) else { return false }
    narrow { change.apply(to: &$0) }
    return true
  }

  package func paste(_ text: String) -> Bool {
    if isText { narrow { $0.paste(text) } }
    return isText
  }

  private func narrow(_ change: (inout LineEditor) -> Void) {
    list.edit(change)
    fillList()
    model.didSelect()
  }

  // MARK: Places

  /// Rows of the text line and the blank one below it.
  private var headRows: Int { isText ? 2 : 0 }

  private var boxRows: Int { contentRows + headRows }

  package var box: Box {
    switch model.subject {
    case .field(let field):
      // At its field, the field's label is the title.
      frame.formLayout?.strip(of: field, focus: field).map(box(at:))
        ?? Box(
          title: context.strings[field.phrase], columns: Self.columns, rows: boxRows,
          in: frame.body,
          context)
    case .filter(let field, _):
      frame.view(below: model)?.selectedPlace.map(box(at:))
        ?? Box(
          title: context.strings[field.phrase], columns: Self.columns, rows: boxRows,
          in: frame.body,
          context)
    case .setting(let row):
      Box(
        title: row.label, columns: 36, rows: boxRows, in: FullListLayout(frame).list, context)
    }
  }

  private static let columns = 28

  private func box(at strip: CellRect) -> Box {
    Box(of: CellSize(columns: Self.columns, rows: boxRows + 2), at: strip, in: frame.body, context)
  }

  package var listArea: CellRect {
    let content = box.content
    return content.inset(top: content.rows > headRows ? headRows : min(1, headRows))
  }

  private var field: FieldLine {
    FieldLine(
      label: context.strings[.listFilter], editor: list.filter, rect: box.content.row(0),
      hint: .empty)
  }

  // MARK: Drawing

  package func draw(on canvas: inout Canvas) {
    drawBox(on: &canvas)
    guard isText else { return }
    field.draw(on: &canvas, context)
    guard context.showsCursor, let place = selectedPlace else { return }
    canvas.setCursor(at: place.origin, isVisible: true)
  }

  package var selectsByClick: Bool { isSetting }

  /// A choice is found by its text and by its code, which is English.
  package func words(of choice: ChoiceModel.Choice) -> [SafeText] {
    let text = line(of: choice).text
    if case .filter = model.subject { return [text] }
    return [text, SafeText(choice.id)]
  }

  package func draw(_ choice: ChoiceModel.Choice, in row: ListRow, on canvas: inout Canvas) {
    line(of: choice).draw(in: row, on: &canvas)
  }

  private func line(of choice: ChoiceModel.Choice) -> ListLine {
    var line: ListLine =
      switch model.subject {
      case .field(let field):
        ListLine(text: FieldText.choice(choice.id, of: field, context.strings))
      case .filter(_, let choices):
        ListLine(
          text: Int(choice.id).map { RequestText.choice(choices[$0], context.strings) } ?? .empty)
      case .setting(let row):
        // The mark is on the saved value.
        ListLine(
          text: row.text(of: choice.id, context.strings),
          mark: choice.id == row.shown ? .filledDot : .emptyDot,
          remark: choice.id == row.standard ? context.strings[.settingsUsual] : .empty)
      }
    line.isNumbered = !isText
    return line
  }

  package func choose(_ choice: ChoiceModel.Choice) { model.choose(choice) }

  package func leave() { model.cancel() }
}
