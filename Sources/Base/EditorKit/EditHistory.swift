/// History of edits that can be undone and redone; typing and deleting are undone in runs, not by
/// the key.
struct EditHistory: Hashable, Sendable {
  enum Kind: Sendable {
    case typing, deleting
    /// Undone on its own: a paste, a cut.
    case single
  }

  struct Step: Hashable, Sendable {
    var edit: Edit
    let kind: Kind
    let caretBefore: Int
  }

  private static let depth = 1_000

  private var done: [Step] = []
  private var undone: [Step] = []
  private var isRunOpen = false

  /// Ends the run, so that the next edit is undone on its own.
  mutating func endRun() {
    isRunOpen = false
  }

  mutating func record(_ edit: Edit, kind: Kind, caretBefore: Int) {
    undone = []
    defer { isRunOpen = kind != .single }
    if isRunOpen, let last = done.indices.last, done[last].kind == kind,
      !startsWord(edit, after: done[last].edit), done[last].edit.absorb(edit)
    {
      return
    }
    done.append(Step(edit: edit, kind: kind, caretBefore: caretBefore))
    if done.count > Self.depth { done.removeFirst() }
  }

  /// The step to take back, or nil.
  mutating func undo() -> Step? {
    isRunOpen = false
    guard let step = done.popLast() else { return nil }
    undone.append(step)
    return step
  }

  /// The step to take again, or nil.
  mutating func redo() -> Step? {
    isRunOpen = false
    guard let step = undone.popLast() else { return nil }
    done.append(step)
    return step
  }

  private func startsWord(_ edit: Edit, after last: Edit) -> Bool {
    guard let end = last.inserted.last, let start = edit.inserted.first else { return false }
    return end.isWhitespace && !start.isWhitespace
  }
}

/// Change of a text: at `start`, the characters `removed` gave way to `inserted`.
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
