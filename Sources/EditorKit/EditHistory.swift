/// What can be undone and redone; typing and deleting are undone in runs, not by the key.
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
