import StoreCore

/// A set of product ids, one bit each.
struct ProductIDSet {
  /// Other ids are never in it.
  ///
  /// A forged file can then ask for 32 MB and not for all memory; a market is far from so many
  /// products.
  private static let range = StoredNumbers.keptIDs

  private var words: [UInt64] = []

  mutating func insert(_ id: Int64) {
    guard Self.range.contains(id) else { return }
    let word = Int(id >> 6)
    if word >= words.count {
      words += repeatElement(0, count: max(word + 1 - words.count, words.count))
    }
    words[word] |= 1 << UInt64(id & 63)
  }

  func contains(_ id: Int64) -> Bool {
    let word = Int(clamping: id >> 6)
    guard id >= 0, word < words.count else { return false }
    return words[word] & 1 << UInt64(id & 63) != 0
  }
}
