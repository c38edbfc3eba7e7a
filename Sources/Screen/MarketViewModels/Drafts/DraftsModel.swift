internal import MarketModel
import Observation

/// The drafts and templates that are offered before a new form is begun.
@Observable
package final class DraftsModel: Dialog {
  /// What one wants to do from the list, which stays open meanwhile.
  package enum Wish: Sendable {
    /// Goes on with a draft, fills a form from a template, or begins anew without one.
    case open(Draft?)
    case remove(Draft)
    /// Keeps a draft as a template.
    case keep(Draft)
    case rename(Draft)
  }

  package let reply = Reply<Wish>()
  package private(set) var list: DraftList

  init(_ drafts: [Draft], _ templates: [Draft] = []) {
    list = DraftList(drafts, templates)
  }

  package func move(by distance: Int) { list.move(by: distance) }

  package func choose() { reply.give(.open(list.selectedDraft)) }

  /// Asks whether the selected draft or template is to go.
  package func askToRemove() { if let draft = list.selectedDraft { reply.give(.remove(draft)) } }

  /// Asks for the name under which the selected draft is kept as a template.
  package func askToKeep() {
    if let draft = list.selectedDraft, list.maySaveSelectedAsTemplate { reply.give(.keep(draft)) }
  }

  /// Asks for another name of the selected template.
  package func askToRename() {
    if let draft = list.selectedDraft, draft.isTemplate { reply.give(.rename(draft)) }
  }

  package func cancel() { reply.give(nil) }

  func replace(templates: [Draft]) { list.replace(templates: templates) }

  func remove(_ id: Draft.ID) { list.remove(id) }
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
