/// A change of a text: at `start`, the characters `removed` gave way to `inserted`.
struct Edit: Hashable, Sendable {
  private(set) var start: Int
  private(set) var removed: [Character]
  private(set) var inserted: [Character]

  /// The smallest edit of that effect: what both sides share at their ends is left out.
  init(start: Int, removed: [Character], inserted: [Character]) {
    let shorter = min(removed.count, inserted.count)
    var head = 0
    while head < shorter, removed[head].isSame(as: inserted[head]) { head += 1 }
    var tail = 0
    while tail < shorter - head,
      removed[removed.count - 1 - tail].isSame(as: inserted[inserted.count - 1 - tail])
    {
      tail += 1
    }
    self.start = start + head
    self.removed = Array(removed[head..<removed.count - tail])
    self.inserted = Array(inserted[head..<inserted.count - tail])
  }

  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty }

  /// The characters it removes, by their places before it.
  var range: Range<Int> { start..<start + removed.count }

  var inverse: Edit { Edit(start: start, removed: inserted, inserted: removed) }

  /// Takes in an edit that continues this one where it ended; false when that one does not.
  mutating func absorb(_ next: Edit) -> Bool {
    let end = start + inserted.count
    if next.range.upperBound == end, next.start >= start {
      inserted.replaceSubrange((next.start - start)..., with: next.inserted)
      return true
    }
    guard inserted.isEmpty, next.inserted.isEmpty, next.range.upperBound == start else {
      return false
    }
    removed = next.removed + removed
    start = next.start
    return true
  }
}

extension Character {
  /// Equal scalar by scalar; `==` takes a composed and a decomposed syllable for the same.
  fileprivate func isSame(as other: Character) -> Bool {
    unicodeScalars.elementsEqual(other.unicodeScalars)
  }
}
