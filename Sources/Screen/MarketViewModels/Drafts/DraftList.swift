internal import MarketModel

/// The drafts that are offered before a new form is begun, the latest first.
package struct DraftList {
  package private(set) var drafts: [Draft]
  /// The place behind the last draft begins a new form.
  package private(set) var selected = 0

  package init(_ drafts: [Draft]) {
    self.drafts = drafts
  }

  package var selectedDraft: Draft? {
    drafts.indices.contains(selected) ? drafts[selected] : nil
  }

  package mutating func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...drafts.count)
  }

  mutating func remove(_ id: Draft.ID) {
    drafts.removeAll { $0.id == id }
    move(by: 0)
  }
}
