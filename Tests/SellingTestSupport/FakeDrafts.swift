import MarketViewModels

/// Drafts in memory.
package actor FakeDrafts: DraftKeeper {
  private var kept: [Draft.ID: Draft]

  package init(_ drafts: [Draft] = []) {
    kept = Dictionary(uniqueKeysWithValues: drafts.map { ($0.id, $0) })
  }

  package func drafts() -> [Draft] { Array(kept.values) }

  package func save(_ draft: Draft) -> Bool {
    kept[draft.id] = draft
    return true
  }

  package func delete(_ id: Draft.ID) { kept[id] = nil }
}
