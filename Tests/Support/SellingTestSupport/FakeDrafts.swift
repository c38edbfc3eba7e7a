import MarketModel
import MarketViewModels

/// Drafts in memory.
package actor FakeDrafts: DraftStore {
  private var saved: [Draft.ID: Draft]
  private let isFull: Bool

  /// - Parameters:
  ///   - drafts: those of earlier runs.
  ///   - isFull: whether no more can be kept.
  package init(_ drafts: [Draft] = [], isFull: Bool = false) {
    self.isFull = isFull
    saved = Dictionary(uniqueKeysWithValues: drafts.map { ($0.id, $0) })
  }

  package func drafts() -> [Draft] {
    saved.values.sorted { $0.changed.seconds > $1.changed.seconds }
  }

  package func save(_ draft: Draft) -> Bool {
    if !isFull { saved[draft.id] = draft }
    return !isFull
  }

  package func delete(_ id: Draft.ID) { saved[id] = nil }
}
