package import MarketModel

/// List before a new form: drafts, the latest first, templates by name, and a new form.
package final class DraftsModel: Dialog, ListModel {
  /// Answer of the list, which stays open meanwhile.
  package enum Wish: Sendable {
    /// Opens a draft, a form with the values of a template, or an empty one for nil.
    case open(Draft?)
    case remove(Draft)
    /// Saves a draft as a template.
    case keep(Draft)
    case rename(Draft)
  }

  package nonisolated enum Part { case templates }

  package nonisolated enum Item: Hashable, Identifiable, Sendable {
    case draft(Draft)
    case new

    package var id: Draft.ID? { draft?.id }

    package var draft: Draft? { if case .draft(let draft) = self { draft } else { nil } }
  }

  package let reply = Reply<Wish>()
  package let list = SectionedList<Part, Item>(hasGaps: true)
  @Observed package private(set) var drafts: [Draft]
  @Observed package private(set) var templates: [Draft]
  private let photos: any PhotoImporter

  package init(_ drafts: [Draft], _ templates: [Draft], photos: any PhotoImporter) {
    (self.drafts, self.templates, self.photos) = (drafts, templates, photos)
    for draft in drafts + templates { show(draft) }
    list.show(sections)
    // Without drafts, a new form is the likely choice.
    if drafts.isEmpty { list.move(.last) }
  }

  package var sections: [ListSection<Part, Item>] {
    [
      ListSection(drafts.map(Item.draft)),
      ListSection(.templates, templates.map(Item.draft)), ListSection([.new]),
    ]
  }

  // MARK: Photos

  /// First photo of a draft, for the gallery; nil if there is none.
  package func picture(of draft: Draft) -> Picture? {
    guard let photo = draft.values.photos.first else { return nil }
    if case .kept(let picture) = photo.content { return picture }
    let id = Self.id(of: photo)
    return Picture(original: id.rawValue, thumbnail: id.rawValue)
  }

  /// Returns the photo's id in this list; it differs from that in forms, which release photos by id.
  private static func id(of photo: FormPhoto) -> FormPhoto.ID {
    FormPhoto.ID(rawValue: "draft:" + photo.id.rawValue)
  }

  private func show(_ draft: Draft) {
    guard let photo = draft.values.photos.first, case .ready(let prepared) = photo.content else {
      return
    }
    photos.show(prepared.bytes, as: Self.id(of: photo))
  }

  package func didClose() {
    for photo in (drafts + templates).compactMap(\.values.photos.first) {
      photos.forget(Self.id(of: photo))
    }
  }

  // MARK: Wishes

  package var selectedDraft: Draft? { list.selected?.draft }

  package var isOnTemplate: Bool { selectedDraft?.isTemplate == true }

  /// Whether the selected draft can be saved as a template.
  package var maySaveSelectedAsTemplate: Bool {
    selectedDraft.map { !$0.isTemplate && $0.target == .registration } ?? false
  }

  package func choose(_ item: Item) { reply.give(.open(item.draft)) }

  package func cancel() { reply.give(nil) }

  /// Answers with the removal of the selected draft or template, which is then confirmed.
  package func askToRemove() { if let selectedDraft { reply.give(.remove(selectedDraft)) } }

  /// Answers with the selected draft, to be saved as a template.
  package func askToKeep() {
    if let selectedDraft, maySaveSelectedAsTemplate { reply.give(.keep(selectedDraft)) }
  }

  /// Answers with the selected template, to be renamed.
  package func askToRename() {
    if let selectedDraft, isOnTemplate { reply.give(.rename(selectedDraft)) }
  }

  func replace(templates: [Draft]) {
    self.templates = templates
    for template in templates { show(template) }
    list.show(sections)
  }

  func remove(_ id: Draft.ID) {
    drafts.removeAll { $0.id == id }
    templates.removeAll { $0.id == id }
    list.show(sections)
  }
}
