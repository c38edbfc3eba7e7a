internal import MarketModel

/// The drafts of one market: those on disk, and as they stand above the seller's own products.
package final class DraftCollection {
  /// Empty until the seller's own products were asked for.
  @Observed package private(set) var shelf = DraftListState()

  /// What is on its way to the disk.
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

  /// All drafts, the one that was changed last first.
  func all() async -> [Draft] { await store.drafts().filter { !$0.isTemplate } }

  /// What new forms can be filled from, by name.
  func templates() async -> [Draft] {
    await store.drafts().filter(\.isTemplate).sorted {
      ($0.templateName ?? "") < ($1.templateName ?? "")
    }
  }

  /// Keeps what a draft holds as a template, in the place of one that has the name.
  func keep(_ draft: Draft, asTemplate name: String) async -> Draft? {
    let earlier = await templates().first { $0.templateName == name }
    let id = earlier?.id ?? Draft.ID(rawValue: makeToken())
    let template = Draft(
      id: id, target: .registration, key: IdempotencyKey(rawValue: id.rawValue),
      templateName: name, values: draft.values, changed: now())
    return await store.save(template) ? template : nil
  }

  /// Gives a template another name; one that has that name already makes way.
  func rename(_ template: Draft, to name: String) async -> Draft? {
    let others = await templates().filter { $0.templateName == name && $0.id != template.id }
    var renamed = template
    renamed.templateName = name
    guard await store.save(renamed) else { return nil }
    for other in others { await store.delete(other.id) }
    return renamed
  }

  /// Keeps a draft; false where that failed, as on a full disk.
  func save(_ draft: Draft) async -> Bool { await store.save(draft) }

  /// Forgets a draft for good.
  func discard(_ id: Draft.ID) {
    outliving.run { [self] in
      await store.delete(id)
      await load()
    }
  }

  /// Reads the drafts that stand above the seller's own products; `isOpening` brings them into
  /// sight with the latest selected.
  package func load(isOpening: Bool = false) async {
    // Drafts that are known already stand in sight at once, and the next key is for them.
    if isOpening { shelf.enter(at: 0) }
    await account.saveAgain()
    shelf.replace(with: await all())
    if isOpening { shelf.enter(at: 0) }
  }

  /// Moves the selection among the drafts and between them and the products.
  package func move(_ change: (inout DraftListState) -> Void) { change(&shelf) }
}

/// The unanswered questions above the seller's own products, and behind them the drafts, the latest
/// first: a pure value.
package struct DraftListState {
  package private(set) var questions: [UnansweredQuestions.Item] = []
  package private(set) var drafts: [Draft] = []
  /// Nil while the selection is among the products.
  package private(set) var selected: Int?

  package init() {}

  package var count: Int { questions.count + drafts.count }

  /// The lines of all, with the heading of the questions.
  package var lines: Int { count + (questions.isEmpty ? 0 : 1) }

  package var selectedQuestion: UnansweredQuestions.Item? {
    selected.flatMap { $0 < questions.count ? questions[$0] : nil }
  }

  package var selectedDraft: Draft? {
    selected.flatMap { $0 < questions.count ? nil : drafts[$0 - questions.count] }
  }

  /// Takes in what there is now; the selection stays at its place.
  mutating func replace(with drafts: [Draft]) {
    self.drafts = drafts
    if count == 0 { leave() }
    selected = selected.map { min($0, count - 1) }
  }

  /// Takes in what there is now; the selection stays on its question or draft.
  mutating func replace(with questions: [UnansweredQuestions.Item]) {
    let (question, former) = (selectedQuestion, self.questions.count)
    self.questions = questions
    if count == 0 { leave() }
    selected = selected.map { selected in
      guard let question else { return selected - former + questions.count }
      return questions.firstIndex(of: question) ?? min(selected, count - 1)
    }
  }

  /// Moves the selection; from the last one down it goes to the products.
  package mutating func move(by distance: Int) {
    guard let selected else { return }
    let target = max(0, selected + distance)
    self.selected = target < count ? target : nil
  }

  /// Takes the selection from the products, to what has this index or is the last.
  package mutating func enter(at index: Int = .max) {
    guard count > 0 else { return }
    selected = index.clamped(to: 0...(count - 1))
  }

  package mutating func leave() { selected = nil }
}
