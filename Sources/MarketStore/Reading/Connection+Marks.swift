import MarketModel
import SQLiteKit
import StoreCore

extension Connection {
  /// Finds the next marks of a walk.
  ///
  /// - Parameters:
  ///   - walk: the order to go by.
  ///   - after: the mark before them; nil is the beginning.
  ///   - count: how many at most.
  /// - Returns: their keys; fewer than `count` where the order ends.
  /// - Throws: what the database answered.
  func marks(
    along walk: OrderMarks.Walk, after: OrderKey?, count: Int
  ) throws(DatabaseError) -> [OrderKey] {
    var keys: [OrderKey] = []
    while keys.count < count {
      let selection = ProductSelection(
        order: walk.order, states: walk.states, seller: nil, after: keys.last ?? after,
        passing: OrderMarks.interval - 1, limit: 1)
      let key = try first(selection.sql, selection.values) { row in
        OrderKey(row, in: walk.order)
      }
      guard let key else { break }
      keys.append(key)
    }
    return keys
  }
}
