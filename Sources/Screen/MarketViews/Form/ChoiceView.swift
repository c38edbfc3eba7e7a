internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension ChoiceModel: ViewedLayer {
  package func view(in frame: Frame) -> ChoiceView { ChoiceView(model: self, frame: frame) }
}

/// The list of what one may choose for a field.
package struct ChoiceView: MenuLayerView {
  package let model: ChoiceModel
  package let frame: Frame

  package static let bindings = BindingTable<ChoiceView>(
    [Binding("choose", [.enter], .keyChoose, footer: 10) { $0.choose(nil) }]
      + SharedBindings.choosing(up: [.up, "k"], down: [.down, "j"]) { $0.moveSelection(by: $1) }
      + SharedBindings.ends { $0.moveSelection(by: $1) }
      + [SharedBindings.cancel(footer: 20) { $0.leave() }])
  package static var takesOwnKeys: Bool { false }

  package var box: ChoiceBox {
    ChoiceBox(
      title: context.strings[model.field.phrase],
      lines: model.choices.map { (FieldText.choice($0, of: model.field, context.strings), .empty) },
      selected: model.selected,
      columns: 24, bounds: frame.body, context: context)
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package func choose(_ index: Int?) {
    if let index { model.move(by: index - model.selected) }
    model.choose()
  }

  package func leave() { model.cancel() }
}
