/// What a long run remembers of what it met lately, in memory that does not grow with what it moves.
///
/// Whoever asks for what was forgotten finds it out again.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let halfSize: Int
  private var newer: [Key: Value] = [:]
  /// What was newer until that was full.
  private var older: [Key: Value] = [:]

  /// Remembers so many values at most, and at least half as many.
  package init(atMost limit: Int = 20_000) {
    halfSize = max(1, limit / 2)
  }

  package var count: Int { newer.count + older.count }

  package subscript(key: Key) -> Value? { newer[key] ?? older[key] }

  package mutating func remember(_ value: Value, for key: Key) {
    if newer.count >= halfSize, newer[key] == nil { (older, newer) = (newer, [:]) }
    newer[key] = value
  }
}
