internal import MarketModel

/// The drafts above the seller's own products, the latest first: a pure value.
package struct DraftShelf {
  package private(set) var drafts: [Draft] = []
  /// Nil while the selection is among the products.
  package private(set) var selected: Int?

  package init() {}

  package var selectedDraft: Draft? { selected.map { drafts[$0] } }

  /// Takes in what there is now; the selection stays at its place.
  mutating func replace(with drafts: [Draft]) {
    self.drafts = drafts
    if drafts.isEmpty { leave() }
    selected = selected.map { min($0, drafts.count - 1) }
  }

  /// Moves the selection; from the last draft down it goes to the products.
  package mutating func move(by distance: Int) {
    guard let selected else { return }
    let target = max(0, selected + distance)
    self.selected = target < drafts.count ? target : nil
  }

  /// Takes the selection from the products, to the draft of this index or the last one.
  package mutating func enter(at index: Int = .max) {
    guard !drafts.isEmpty else { return }
    selected = index.clamped(to: 0...(drafts.count - 1))
  }

  package mutating func leave() { selected = nil }
}
