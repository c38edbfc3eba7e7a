internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension DraftsModel: ViewedLayer {
  package func view(in frame: Frame) -> DraftsView { DraftsView(model: self, frame: frame) }
}

/// List of drafts that is offered before a new form, with templates under a heading and the new form
/// last.
package struct DraftsView: FullListView {
  package let model: DraftsModel
  package let frame: Frame

  package static let bindings = BindingTable<DraftsView>(
    choosing + SharedBindings.list(back: [.escape, "q", .control("c")], footer: 30))

  private static let choosing: [Binding<DraftsView>] = [
    Binding("choose", [.enter], .keyChoose, footer: 10, offered: \.hasItems) { $0.choose() }
      .needing(.paletteListEmpty),
    Binding(
      "remove-draft", [.delete, "D"], .keyRemoveDraft, footer: 20, isDestructive: true,
      offered: \.isOnDraft
    ) { $0.model.askToRemove() }.needing(.paletteOnDraft),
    SharedBindings.keepingTemplates(when: \.model.maySaveSelectedAsTemplate) {
      $0.model.askToKeep()
    },
    Binding(
      "rename-template", ["r"], .keyRenameTemplate, footer: 26, when: \.model.isOnTemplate
    ) { $0.model.askToRename() },
  ]

  package static var opens: [any LayerView.Type] {
    [FormLayerView.self, PasswordView.self, ConfirmationView.self, PromptView.self]
  }

  private var isOnDraft: Bool { model.selectedDraft != nil }

  package var title: WindowTitle? { WindowTitle(context.strings[.draftsTitle]) }
  package var emptyText: SafeText { .empty }

  package func text(of part: DraftsModel.Part) -> SafeText { context.strings[.templatesTitle] }

  package func words(of item: DraftsModel.Item) -> [SafeText] {
    facts(of: item).map(\.text)
  }

  package func choose(_ item: DraftsModel.Item) { model.choose(item) }

  package func leave() { model.cancel() }

  package func draw(_ item: DraftsModel.Item, in row: ListRow, on canvas: inout Canvas) {
    let (text, remark) =
      item.draft.map { DraftLine.texts($0, context) }
      ?? ("+ " + context.strings[.draftNew], .empty)
    ListLine(text: text, remark: remark, isNumbered: false).draw(in: row, on: &canvas)
  }

  /// Contents of the draft, in the order of its form.
  package func facts(of item: DraftsModel.Item) -> [ListFact] {
    let (strings, theme) = (context.strings, context.theme)
    guard let draft = item.draft else {
      return [ListFact(text: strings[.draftNew], style: theme.strong)]
    }
    let (name, kind) = DraftLine.texts(draft, context)
    let isAsked = draft.target.asked != nil
    let values = FieldText.sale(of: draft.values, strings)
      .filter { !isAsked || $0.field == .price }
      .map { field, value in strings[isAsked ? .questionOffer : field.phrase] + " " + value }
    return [
      ListFact(text: name, style: theme.strong), ListFact(text: kind, style: theme.secondary),
      ListFact(text: values.joined(separator: " · "), style: theme.text),
    ]
      + SafeText.lines(draft.values[.description]).map { ListFact(text: $0, style: theme.text) }
  }

  package func picture(of item: DraftsModel.Item) -> PreviewPicture {
    item.draft.flatMap(model.picture).map(PreviewPicture.ready) ?? .none
  }
}
