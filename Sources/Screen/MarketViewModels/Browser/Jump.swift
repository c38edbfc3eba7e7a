/// Jump of the selection to a row that may have to be read first: where it leads until it is there.
///
/// The next key ends it; one that leads further down adds to it.
struct Jump {
  /// Row that a jump leads to.
  struct Goal: Hashable {
    let index: Int
    /// Whether the last row is meant, wherever it is.
    let isEnd: Bool
  }

  private(set) var goal: Goal?
  /// The goal that the key which is handled now has ended.
  private var ended: Goal?

  /// How many rows one jump reads at most where none can be passed over.
  static let maxRows = 1_000

  mutating func didPressKey() { (ended, goal) = (goal, nil) }

  mutating func end() { goal = nil }

  /// Sets out to a row of a feed, as far as that can be reached at once.
  mutating func begin(to index: Int, in feed: ProductFeed) {
    let last = feed.knowsEnd ? index : min(index, feed.count + Self.maxRows - 1)
    goal = Goal(index: last, isEnd: index == .max)
  }

  /// Stays at a row until that is there.
  mutating func wait(at index: Int) { goal = Goal(index: index, isEnd: false) }

  /// Sets out to the last row, whose number is asked for.
  mutating func beginToEnd() { goal = Goal(index: .max, isEnd: true) }

  /// Goes on to the last row, below which no key leads; false where the jump led elsewhere.
  mutating func goOnToEnd() -> Bool {
    guard let ended, ended.isEnd else { return false }
    goal = ended
    return true
  }

  /// The row from which a key leads on: where the jump would have ended, else the selected one.
  func start(selected: Int) -> Int { ended?.index ?? selected }
}
