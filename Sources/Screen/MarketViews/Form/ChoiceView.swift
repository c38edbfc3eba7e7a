internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension ChoiceModel: ViewedLayer {
  package func view(in frame: Frame) -> ChoiceView { ChoiceView(model: self, frame: frame) }
}

/// The list of what one may choose for a field.
package struct ChoiceView: LayerView {
  package let model: ChoiceModel
  package let frame: Frame

  package static let bindings = BindingTable<ChoiceView>(
    [Binding("choose", [.enter], .keyChoose, footer: 10) { $0.model.choose() }]
      + SharedBindings.choosing(up: [.up, "k"], down: [.down, "j"]) { $0.model.move(by: $1) }
      + SharedBindings.ends { $0.model.move(by: $1) }
      + [SharedBindings.cancel(footer: 20) { $0.model.cancel() }])
  package static var takesOwnKeys: Bool { false }

  private var choices: ChoiceBox {
    ChoiceBox(
      title: context.strings[FieldWords[model.field].label],
      lines: model.choices.map { (FieldText.choice($0, of: model.field, context.strings), .empty) },
      selected: model.selected,
      columns: 24, bounds: frame.body, context: context)
  }

  package func draw(on canvas: inout Canvas) { choices.draw(on: &canvas) }

  package func press(at point: CellPoint) -> Bool {
    guard let line = choices.line(at: point) else { return false }
    model.move(by: line - model.selected)
    model.choose()
    return true
  }

  package func scroll(by notches: Int) -> Bool {
    model.move(by: notches)
    return true
  }
}
