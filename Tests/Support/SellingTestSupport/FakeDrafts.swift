import MarketModel
import MarketViewModels
import TestSupport

/// Drafts in memory.
package actor FakeDrafts: DraftStore {
  private var saved: [Draft.ID: Draft]
  /// Key of the registration without a draft that was not answered.
  private var open: IdempotencyKey?
  private let isFull: Bool
  private let gate: Gate<Draft.ID, Void>?

  /// - Parameters:
  ///   - drafts: those of earlier runs.
  ///   - isFull: whether no more can be kept.
  ///   - gate: lets drafts be written when the test does; nil for at once.
  package init(
    _ drafts: [Draft] = [], isFull: Bool = false, waitingFor gate: Gate<Draft.ID, Void>? = nil
  ) {
    self.isFull = isFull
    self.gate = gate
    saved = Dictionary(uniqueKeysWithValues: drafts.map { ($0.id, $0) })
  }

  package func drafts() -> [Draft] {
    saved.values.sorted { $0.changed.seconds > $1.changed.seconds }
  }

  package func save(_ draft: Draft) async -> Bool {
    try? await gate?.pass(draft.id)
    if !isFull { saved[draft.id] = draft }
    return !isFull
  }

  package func delete(_ id: Draft.ID) { saved[id] = nil }

  package func beginRegistration(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey, again: Bool
  ) -> IdempotencyKey {
    if !again, let open { return open }
    open = key
    return key
  }

  package func endRegistration(_ key: IdempotencyKey, isAnswered: Bool) {
    if isAnswered { open = nil }
  }
}
