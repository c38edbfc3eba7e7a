internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension DraftsModel: ViewedLayer {
  package func view(in frame: Frame) -> DraftsView { DraftsView(model: self, frame: frame) }
}

/// The drafts that are offered before a new form is begun, and behind them the new form.
package struct DraftsView: LayerView {
  package let model: DraftsModel
  package let frame: Frame

  package static let bindings = BindingTable<DraftsView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10) { $0.model.choose() },
      Binding(
        "remove-draft", [.delete, "D"], .keyRemoveDraft, footer: 20, isDestructive: true
      ) { $0.model.askToRemove() },
    ]
      + SharedBindings.choosing(up: [.up, "k"], down: [.down, "j"]) { $0.model.move(by: $1) }
      + SharedBindings.ends { $0.model.move(by: $1) }
      + [SharedBindings.cancel(footer: 30) { $0.model.cancel() }])
  package static var opens: [any LayerView.Type] {
    [FormLayerView.self, PasswordView.self, QuestionView.self]
  }
  package static var takesOwnKeys: Bool { false }

  private var choices: ChoiceBox {
    ChoiceBox(
      title: context.strings[.draftsTitle],
      lines: model.list.drafts.map { DraftLine.texts($0, context) }
        + [("+ " + context.strings[.draftNew], .empty)],
      selected: model.list.selected, bounds: frame.body, context: context)
  }

  package func draw(on canvas: inout Canvas) { choices.draw(on: &canvas) }

  package func press(at point: CellPoint) -> Bool {
    guard let line = choices.line(at: point) else { return false }
    model.move(by: line - model.list.selected)
    model.choose()
    return true
  }

  package func scroll(by notches: Int) -> Bool {
    model.move(by: notches)
    return true
  }
}
