/// Durations counted by their lengths, finely enough for the slowest hundredth.
package struct DurationHistogram: Hashable, Sendable {
  /// Upper bounds in seconds; six for each power of ten, so that a quantile is known within two thirds.
  package static let bounds = [
    0.0001, 0.00015, 0.0002, 0.0003, 0.0005, 0.0007,
    0.001, 0.0015, 0.002, 0.003, 0.005, 0.007,
    0.01, 0.015, 0.02, 0.03, 0.05, 0.07,
    0.1, 0.15, 0.2, 0.3, 0.5, 0.7,
    1, 1.5, 2, 3, 5, 7,
    10,
  ]
  private static let nanosecondBounds = bounds.map { UInt64(($0 * 1e9).rounded()) }

  /// Durations up to the bound of the same place and above the one before; the last one has none.
  package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  package private(set) var nanoseconds: UInt64 = 0

  package init() {}

  package mutating func add(nanoseconds duration: UInt64) {
    let position = Self.nanosecondBounds.firstIndex { duration <= $0 } ?? Self.bounds.count
    counts[position] += 1
    nanoseconds += duration
  }
}
