import MarketModel
import SQLiteKit
import Synchronization

/// Remembers where every 256th product of an order stands, so that a page far inside is found by
/// its number without passing over all products before it.
///
/// Marks are set as far as somebody has asked for pages, and forgotten when the market changes.
/// (The newest order needs none: its blocks are counted in the file.)
final class OrderMarks: Sendable {
  private static let interval = 256

  private struct Walk: Hashable {
    let order: ProductOrder
    let states: [Int]
  }

  private struct State {
    var version: Int64?
    /// The keys of the products 256, 512 and so on of each walk.
    var keys: [Walk: [OrderKey]] = [:]
  }

  private let state = Mutex(State())

  /// Finds a product by how many are before it, inside a transaction that reads.
  ///
  /// - Parameters:
  ///   - offset: how many products to pass over.
  ///   - order: the order to go by.
  ///   - states: which products count.
  ///   - connection: always the same one, since versions differ among connections.
  /// - Returns: the mark before it and how many to pass over from there; nil past the end.
  /// - Throws: what the database answered.
  func place(
    passing offset: Int, order: ProductOrder, states: [Int], over connection: Connection
  ) throws(DatabaseError) -> (after: OrderKey?, passing: Int)? {
    let walk = Walk(order: order, states: states)
    let version = try connection.integer("PRAGMA data_version")
    var keys = known(of: walk, at: version)
    let wanted = offset / Self.interval
    defer { remember(keys, of: walk, at: version) }
    while keys.count < wanted {
      guard let key = try nextMark(of: walk, after: keys.last, over: connection) else { return nil }
      keys.append(key)
    }
    return (wanted == 0 ? nil : keys[wanted - 1], offset % Self.interval)
  }

  private func nextMark(
    of walk: Walk, after last: OrderKey?, over connection: Connection
  ) throws(DatabaseError) -> OrderKey? {
    let selection = ProductSelection(
      order: walk.order, states: walk.states, seller: nil, after: last,
      passing: Self.interval - 1, limit: 1)
    return try connection.first(selection.sql, selection.values) { row in
      OrderKey(row, in: walk.order)
    }
  }

  private func known(of walk: Walk, at version: Int64?) -> [OrderKey] {
    state.withLock { $0.version == version ? $0.keys[walk] ?? [] : [] }
  }

  private func remember(_ keys: [OrderKey], of walk: Walk, at version: Int64?) {
    state.withLock { state in
      if state.version != version { state = State(version: version) }
      state.keys[walk] = keys
    }
  }
}
