import MarketModel
import SQLiteKit

/// Counts of live products by blocks of ids, level over level.
enum Blocks {
  /// By how many bits an id is shifted to give the number of its block, from the finest level up.
  static let shifts: [Int64] = [7, 12, 17]

  /// The expression that adds up the products in some states.
  static func sum(of states: [Int]) -> String {
    states.map { "state_\($0)" }.joined(separator: " + ")
  }
}

extension Connection {
  /// Counts a product in (`+1`) or out (`-1`) of the blocks of its id.
  func count(_ id: Int64, state: Int, by change: Int64) throws(DatabaseError) {
    for (level, shift) in Blocks.shifts.enumerated() {
      try run(
        """
        INSERT INTO block (level, number, state_\(state)) VALUES (?1, ?2, ?3)
        ON CONFLICT DO UPDATE SET state_\(state) = state_\(state) + ?3
        """, .integer(Int64(level)), .integer(id >> shift), .integer(change))
    }
  }

  /// How many products are in one of these states.
  func total(of states: [Int]) throws(DatabaseError) -> Int {
    let top = Int64(Blocks.shifts.count - 1)
    return Int(
      try integer(
        "SELECT sum(\(Blocks.sum(of: states))) FROM block WHERE level = ?", .integer(top)) ?? 0)
  }

  /// Finds the place of a product by how many newer ones, of the states that count, are before it:
  /// the beginning of its block, and how many of that block to pass over; nil past the end.
  func place(
    passing offset: Int, in states: [Int]
  ) throws(DatabaseError) -> (after: OrderKey, passing: Int)? {
    var rest = Int64(offset)
    var numbers: ClosedRange<Int64> = 0...(Int64.max >> 17)
    for level in Blocks.shifts.indices.reversed() {
      guard let found = try block(at: level, in: numbers, states: states, passing: &rest) else {
        return nil
      }
      let shift = Blocks.shifts[level]
      guard level > 0 else { return (OrderKey(newestBelow: (found + 1) << shift), Int(rest)) }
      let step = shift - Blocks.shifts[level - 1]
      numbers = (found << step)...((found + 1) << step - 1)
    }
    return nil
  }

  private func block(
    at level: Int, in numbers: ClosedRange<Int64>, states: [Int], passing rest: inout Int64
  ) throws(DatabaseError) -> Int64? {
    let blocks = try all(
      """
      SELECT number, \(Blocks.sum(of: states)) FROM block
      WHERE level = ? AND number BETWEEN ? AND ? ORDER BY number DESC
      """,
      [.integer(Int64(level)), .integer(numbers.lowerBound), .integer(numbers.upperBound)]
    ) { row in (number: row.integer(0), count: row.integer(1)) }
    for (number, count) in blocks {
      if rest < count { return number }
      rest -= count
    }
    return nil
  }
}
