/// Undo history; runs of typing or deleting are one step.
struct EditHistory: Hashable, Sendable {
  enum Kind: Sendable {
    case typing, deleting
    /// A step of its own: a paste or a cut.
    case single
  }

  struct Step: Hashable, Sendable {
    var edit: Edit
    let kind: Kind
    let caretBefore: Int
  }

  /// Maximum steps; the oldest are dropped.
  private static let depth = 1_000

  private var done: [Step] = []
  private var undone: [Step] = []
  private var isRunOpen = false

  /// Ends the run, so that the next edit is a step of its own.
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

  /// Returns the step to undo; nil for none.
  mutating func undo() -> Step? {
    isRunOpen = false
    guard let step = done.popLast() else { return nil }
    undone.append(step)
    return step
  }

  /// Returns the step to redo; nil for none.
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

/// Replacement of `removed` by `inserted`, at the character offset `start`.
struct Edit: Hashable, Sendable {
  private(set) var start: Int
  private(set) var removed: [Character]
  private(set) var inserted: [Character]

  /// Creates the smallest equivalent edit: equal characters at both ends are left out.
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

  /// Removed characters, as offsets before the edit.
  var range: Range<Int> { start..<start + removed.count }

  var inverse: Edit { Edit(start: start, removed: inserted, inserted: removed) }

  /// Merges an edit that continues this one; false where it does not.
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
  /// Compares scalars; `==` treats composed and decomposed syllables as equal.
  fileprivate func isSame(as other: Character) -> Bool {
    unicodeScalars.elementsEqual(other.unicodeScalars)
  }
}
