import MarketModel
import SQLiteKit
import StoreCore

/// Set of transactions whose changes a reader has seen: all up to one, except those that were open.
struct SeenTransactions: Hashable {
  private static let radix = 36

  /// Id of the last transaction whose changes were visible.
  let newest: Int64
  /// Nonce of its last change, which identifies the database.
  let nonce: Int64
  /// Lower ids of transactions that were open.
  let open: [Int64]

  init(newest: Int64, nonce: Int64, open: [Int64]) {
    self.newest = newest
    self.nonce = nonce
    self.open = open
  }

  /// Reads id, nonce and the open ids, separated by spaces.
  init(in row: StoredRow) {
    newest = row.integer(0)
    nonce = row.integer(1)
    open = row.text(2).split(separator: " ").compactMap { Int64($0) }
  }

  /// Nil for an invalid text.
  init?(_ text: Substring) {
    var numbers: [Int64] = []
    for part in text.split(separator: "-", omittingEmptySubsequences: false) {
      guard let number = Int64(part, radix: Self.radix), number >= 0 else { return nil }
      numbers.append(number)
    }
    guard numbers.count >= 2 else { return nil }
    newest = numbers[0]
    nonce = numbers[1]
    // Each is encoded as its distance below the newest.
    open = numbers[2...].map { [newest] in newest - $0 }
    guard open.allSatisfy({ $0 >= 0 && $0 < newest }) else { return nil }
  }

  var text: String {
    ([newest, nonce] + open.map { newest - $0 }).map { String($0, radix: Self.radix) }
      .joined(separator: "-")
  }
}

/// Cursor of the log of a database.
struct DatabaseCursor: Hashable {
  /// Batch that is read in several pieces: its end, and the progress within.
  struct PartialBatch: Hashable {
    let end: SeenTransactions
    /// Number of the last change that was read.
    let last: Int64
  }

  private static let separator: Character = "_"
  private static let radix = 36

  let seen: SeenTransactions
  var partial: PartialBatch?

  init(seen: SeenTransactions, partial: PartialBatch? = nil) {
    self.seen = seen
    self.partial = partial
  }

  /// Nil for a cursor of another kind of store, or an invalid one.
  init?(_ cursor: ChangeCursor) {
    guard cursor.rawValue.utf8.count <= ChangeCursor.maxBytes else { return nil }
    let parts = cursor.rawValue.split(separator: Self.separator, omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 3, let seen = SeenTransactions(parts[0]) else {
      return nil
    }
    self.seen = seen
    guard parts.count == 3 else { return }
    guard let end = SeenTransactions(parts[1]), let last = Int64(parts[2], radix: Self.radix),
      end.newest >= seen.newest
    else { return nil }
    partial = PartialBatch(end: end, last: last)
  }

  var cursor: ChangeCursor {
    var parts = [seen.text]
    if let partial { parts += [partial.end.text, String(partial.last, radix: Self.radix)] }
    return ChangeCursor(rawValue: parts.joined(separator: String(Self.separator)))
  }

  /// The transactions seen at the end of the current batch.
  var end: SeenTransactions { partial?.end ?? seen }

  /// The cursor after a read: behind the change of an id, or at the end for nil.
  func next(after last: Int64?, on present: SeenTransactions) -> DatabaseCursor {
    let end = partial?.end ?? present
    return last.map { DatabaseCursor(seen: seen, partial: PartialBatch(end: end, last: $0)) }
      ?? DatabaseCursor(seen: end)
  }
}
