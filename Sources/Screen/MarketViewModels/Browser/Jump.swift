/// Jump of the selection to a row that may have to be loaded first.
///
/// The next key ends it; a move further down adds to its target.
struct Jump {
  struct Goal: Hashable {
    let index: Int
    /// Whether the target is the last row, whose index is not known yet.
    let isEnd: Bool
  }

  private(set) var goal: Goal?
  /// Goal that was ended by the key that is handled now.
  private var ended: Goal?

  /// Maximum number of rows that one jump loads, if pages cannot be skipped.
  static let maxRows = 1_000

  mutating func didPressKey() { (ended, goal) = (goal, nil) }

  mutating func end() { goal = nil }

  /// Begins a jump to a row; `.max` is the last one.
  ///
  /// Without a known end it is limited by `maxRows`.
  mutating func begin(to index: Int, in feed: ProductFeed) {
    let last = feed.knowsEnd ? index : min(index, feed.count + Self.maxRows - 1)
    goal = Goal(index: last, isEnd: index == .max)
  }

  /// Waits at a row until it is loaded.
  mutating func wait(at index: Int) { goal = Goal(index: index, isEnd: false) }

  /// Begins a jump to the last row while its number is requested.
  mutating func beginToEnd() { goal = Goal(index: .max, isEnd: true) }

  /// Resumes a jump to the last row, beyond which a move down cannot lead; false if the jump was
  /// another one.
  mutating func goOnToEnd() -> Bool {
    guard let ended, ended.isEnd else { return false }
    goal = ended
    return true
  }

  /// Row from which a move continues: the target of the ended jump, else the selected row.
  func start(selected: Int) -> Int { ended?.index ?? selected }
}
