internal import MarketModel

/// Drafts of one market: on disk, and as listed above the own products.
package final class DraftCollection {
  /// Empty until the own products are first shown.
  @Observed package private(set) var list = DraftListState()

  /// Writes in progress.
  let outliving: OutlivingTasks
  private let store: any DraftStore
  private let account: SellerAccountModel
  private let makeToken: () -> String
  private let now: () -> Timestamp

  init(_ services: SellingServices, account: SellerAccountModel) {
    outliving = account.outliving
    store = services.drafts
    makeToken = services.makeToken
    now = services.now
    self.account = account
  }

  /// All drafts, the last changed first.
  func all() async -> [Draft] { await store.drafts().filter { !$0.isTemplate } }

  /// All templates, by name.
  func templates() async -> [Draft] {
    await store.drafts().filter(\.isTemplate).sorted {
      ($0.templateName ?? "") < ($1.templateName ?? "")
    }
  }

  /// Saves a draft as a template, in place of one with the same name; nil if that failed.
  func keep(_ draft: Draft, asTemplate name: String) async -> Draft? {
    let earlier = await templates().first { $0.templateName == name }
    let id = earlier?.id ?? Draft.ID(rawValue: makeToken())
    let template = Draft(
      id: id, target: .registration, key: IdempotencyKey(rawValue: id.rawValue),
      templateName: name, values: draft.values, changed: now())
    return await store.save(template) ? template : nil
  }

  /// Renames a template, which replaces one with that name; nil if that failed.
  func rename(_ template: Draft, to name: String) async -> Draft? {
    let others = await templates().filter { $0.templateName == name && $0.id != template.id }
    var renamed = template
    renamed.templateName = name
    guard await store.save(renamed) else { return nil }
    for other in others { await store.delete(other.id) }
    return renamed
  }

  /// Saves a draft; false if that failed, as on a full disk.
  func save(_ draft: Draft) async -> Bool { await store.save(draft) }

  /// Deletes a draft.
  func discard(_ id: Draft.ID) {
    outliving.run { [self] in
      await store.delete(id)
      await load()
    }
  }

  /// Loads the drafts above the own products; with `isOpening` the latest is selected and shown.
  package func load(isOpening: Bool = false) async {
    // Known drafts are shown at once, because the next key applies to them.
    if isOpening { list.enter(at: 0) }
    await account.saveAgain()
    list.replace(with: await all())
    if isOpening { list.enter(at: 0) }
  }

  /// Moves the selection among the drafts, and between them and the products.
  package func move(_ change: (inout DraftListState) -> Void) { change(&list) }
}

/// List above the own products: unanswered questions, then drafts, the latest first.
///
/// A pure value.
package struct DraftListState {
  package private(set) var questions: [UnansweredQuestions.Item] = []
  package private(set) var drafts: [Draft] = []
  /// Index among questions and drafts; nil while the selection is in the products.
  package private(set) var selected: Int?

  package init() {}

  package var count: Int { questions.count + drafts.count }

  /// Number of lines, with the heading of the questions.
  package var lines: Int { count + (questions.isEmpty ? 0 : 1) }

  package var selectedQuestion: UnansweredQuestions.Item? {
    selected.flatMap { $0 < questions.count ? questions[$0] : nil }
  }

  package var selectedDraft: Draft? {
    selected.flatMap { $0 < questions.count ? nil : drafts[$0 - questions.count] }
  }

  /// Replaces the drafts; the selection keeps its index.
  mutating func replace(with drafts: [Draft]) {
    self.drafts = drafts
    if count == 0 { leave() }
    selected = selected.map { min($0, count - 1) }
  }

  /// Replaces the questions; the selection stays on its question or draft.
  mutating func replace(with questions: [UnansweredQuestions.Item]) {
    let (question, previousCount) = (selectedQuestion, self.questions.count)
    self.questions = questions
    if count == 0 { leave() }
    selected = selected.map { selected in
      guard let question else { return selected - previousCount + questions.count }
      return questions.firstIndex(of: question) ?? min(selected, count - 1)
    }
  }

  /// Moves the selection; below the last line it leaves to the products.
  package mutating func move(by distance: Int) {
    guard let selected else { return }
    let target = max(0, selected + distance)
    self.selected = target < count ? target : nil
  }

  /// Moves the selection from the products to an index, clamped to the last line.
  package mutating func enter(at index: Int = .max) {
    guard count > 0 else { return }
    selected = index.clamped(to: 0...(count - 1))
  }

  package mutating func leave() { selected = nil }
}
