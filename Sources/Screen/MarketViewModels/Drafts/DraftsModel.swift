internal import MarketModel
import Observation

/// The drafts and templates that are offered before a new form is begun.
@Observable
package final class DraftsModel: Layer {
  package private(set) var list: DraftList

  /// Choice that somebody makes in the list.
  enum Answer {
    /// Goes on with a draft, fills a form from a template, or begins anew without one.
    case open(Draft?)
    case remove(Draft.ID)
    case say(Notice.Hint)
    case none
  }

  private let store: DraftCollection
  private let stack: LayerStack
  private let didAnswer: (Answer) -> Void
  /// What asks about a draft, over the list.
  @ObservationIgnored private var dialog: (any Layer)?

  init(
    _ drafts: [Draft], _ templates: [Draft] = [], store: DraftCollection, on stack: LayerStack,
    didAnswer: @escaping (Answer) -> Void
  ) {
    list = DraftList(drafts, templates)
    self.store = store
    self.stack = stack
    self.didAnswer = didAnswer
  }

  package func move(by distance: Int) { list.move(by: distance) }

  package func choose() { didAnswer(.open(list.selectedDraft)) }

  /// Asks whether the selected draft or template is to go.
  package func askToRemove() {
    guard let draft = list.selectedDraft else { return }
    let subject =
      draft.templateName.map { QuestionModel.Subject.templateRemoval(name: $0) }
      ?? .draftRemoval(name: draft.values.name)
    show(
      QuestionModel(subject) { [self] answer in
        closeDialog()
        if answer == .yes { remove(draft.id) }
      })
  }

  /// Asks for the name under which the selected draft is kept as a template.
  package func askToKeep() {
    guard let draft = list.selectedDraft, list.maySaveSelectedAsTemplate else { return }
    askName(draft.values.name) { [store] in await store.keep(draft, asTemplate: $0) }
  }

  /// Asks for another name of the selected template.
  package func askToRename() {
    guard let draft = list.selectedDraft, let name = draft.templateName else { return }
    askName(name) { [store] in await store.rename(draft, to: $0) }
  }

  package func cancel() { didAnswer(.none) }

  package func didClose() { closeDialog() }

  private func askName(_ name: String, then keep: @escaping (String) async -> Draft?) {
    show(
      TemplateNameModel(name) { [self] name in
        closeDialog()
        guard let name else { return }
        Task.immediate {
          let saved = await keep(name)
          let templates = await store.templates()
          list.replace(templates: templates)
          didAnswer(.say(saved == nil ? .templateNotSaved : .templateSaved))
        }
      })
  }

  private func show(_ dialog: any Layer) {
    self.dialog = dialog
    stack.push(dialog)
  }

  private func closeDialog() {
    if let dialog { stack.close(dialog) }
    dialog = nil
  }

  private func remove(_ id: Draft.ID) {
    list.remove(id)
    didAnswer(.remove(id))
  }
}

/// The drafts that are offered before a new form is begun, the latest first, and behind them the
/// templates by name.
package struct DraftList {
  package private(set) var drafts: [Draft]
  package private(set) var templates: [Draft]
  /// The place behind the last one begins a new form.
  package private(set) var selected: Int

  package init(_ drafts: [Draft], _ templates: [Draft] = []) {
    self.drafts = drafts
    self.templates = templates
    // Who has nothing to go on with most likely begins anew.
    selected = drafts.isEmpty ? templates.count : 0
  }

  package var selectedDraft: Draft? {
    let all = drafts + templates
    return all.indices.contains(selected) ? all[selected] : nil
  }

  /// Whether the selected one can become a template.
  package var maySaveSelectedAsTemplate: Bool {
    selectedDraft.map { !$0.isTemplate && $0.target == .registration } ?? false
  }

  package mutating func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...(drafts.count + templates.count))
  }

  mutating func replace(templates: [Draft]) {
    let isNew = selected == drafts.count + self.templates.count
    self.templates = templates
    if isNew { selected = drafts.count + templates.count }
    move(by: 0)
  }

  mutating func remove(_ id: Draft.ID) {
    drafts.removeAll { $0.id == id }
    templates.removeAll { $0.id == id }
    move(by: 0)
  }
}
