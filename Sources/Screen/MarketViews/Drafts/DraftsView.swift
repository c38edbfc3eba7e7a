internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
internal import TerminalKit

extension DraftsModel: ViewedLayer {
  package func view(in frame: Frame) -> DraftsView { DraftsView(model: self, frame: frame) }
}

/// The drafts that are offered before a new form is begun, and behind them the new form.
package struct DraftsView: MenuLayerView {
  package let model: DraftsModel
  package let frame: Frame

  package static let bindings = BindingTable<DraftsView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10) { $0.choose(nil) },
      Binding(
        "remove-draft", [.delete, "D"], .keyRemoveDraft, footer: 20, isDestructive: true
      ) { $0.model.askToRemove() },
    ]
      + SharedBindings.choosing(up: [.up, "k"], down: [.down, "j"]) { $0.moveSelection(by: $1) }
      + SharedBindings.ends { $0.moveSelection(by: $1) }
      + [SharedBindings.cancel(footer: 30) { $0.leave() }])
  package static var opens: [any LayerView.Type] {
    [FormLayerView.self, PasswordView.self, QuestionView.self]
  }
  package static var takesOwnKeys: Bool { false }

  package var box: ChoiceBox {
    ChoiceBox(
      title: context.strings[.draftsTitle],
      lines: model.list.drafts.map { DraftLine.texts($0, context) }
        + [("+ " + context.strings[.draftNew], .empty)],
      selected: model.list.selected, bounds: frame.body, context: context)
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package func choose(_ index: Int?) {
    if let index { model.move(by: index - model.list.selected) }
    model.choose()
  }

  package func leave() { model.cancel() }
}
