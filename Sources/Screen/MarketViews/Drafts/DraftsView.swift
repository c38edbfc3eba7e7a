internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension DraftsModel: ViewedLayer {
  package func view(in frame: Frame) -> DraftsView { DraftsView(model: self, frame: frame) }
}

/// The drafts that are offered before a new form is begun, the templates under a heading of their own,
/// and behind them the new form.
package struct DraftsView: MenuLayerView {
  package let model: DraftsModel
  package let frame: Frame

  package static let bindings = BindingTable<DraftsView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10) { $0.choose(nil) },
      Binding(
        "remove-draft", [.delete, "D"], .keyRemoveDraft, footer: 20, isDestructive: true
      ) { $0.model.askToRemove() },
      SharedBindings.keepingTemplates(when: \.model.list.maySaveSelectedAsTemplate) {
        $0.model.askToKeep()
      },
      Binding("rename-template", ["r"], .keyRenameTemplate, footer: 26, when: \.isOnTemplate) {
        $0.model.askToRename()
      },
    ]
      + SharedBindings.choosing(up: [.up, "k"], down: [.down, "j"]) { $0.moveSelection(by: $1) }
      + SharedBindings.ends { $0.moveSelection(by: $1) }
      + [SharedBindings.cancel(footer: 30) { $0.leave() }])
  package static var opens: [any LayerView.Type] {
    [FormLayerView.self, PasswordView.self, ConfirmationView.self, PromptView.self]
  }
  package static var takesOwnKeys: Bool { false }

  package var box: ChoiceBox {
    ChoiceBox(
      title: context.strings[.draftsTitle],
      lines: model.list.drafts.map { DraftLine.texts($0, context) } + templateLines
        + [("+ " + context.strings[.draftNew], .empty)],
      selected: line(of: model.list.selected), bounds: frame.body, context: context)
  }

  private var templateLines: [(left: SafeText, right: SafeText)] {
    let templates = model.list.templates
    guard !templates.isEmpty else { return [] }
    return [(context.strings[.templatesTitle], .empty)]
      + templates.map { template in
        ("  " + DraftLine.name(of: template, context.strings), DraftLine.age(of: template, context))
      }
  }

  /// The line of the heading over the templates; nil without one.
  private var heading: Int? { model.list.templates.isEmpty ? nil : model.list.drafts.count }

  private func line(of choice: Int) -> Int {
    heading.map { choice >= $0 } == true ? choice + 1 : choice
  }

  private var isOnTemplate: Bool { model.list.selectedDraft?.isTemplate == true }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package func choose(_ index: Int?) {
    if let index {
      guard index != heading else { return }
      let choice = heading.map { index > $0 } == true ? index - 1 : index
      model.move(by: choice - model.list.selected)
    }
    model.choose()
  }

  package func leave() { model.cancel() }
}
