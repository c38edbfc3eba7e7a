import MarketModel
import Synchronization

/// Remembers where every 256th product of an order stands, so that a page far inside is found by
/// its number without passing over all products before it.
///
/// Marks are set as far as somebody has asked for pages, and forgotten when the market changes.
/// (The newest order needs none: its blocks are counted in the tables.)
package final class OrderMarks: Sendable {
  package static let interval = 256

  /// A walk along an order.
  package struct Walk: Hashable, Sendable {
    package let order: ProductOrder
    /// Which products count.
    package let states: [Int]

    package init(order: ProductOrder, states: [Int]) {
      self.order = order
      self.states = states
    }
  }

  private struct State {
    var version: Int64?
    /// The keys of the products 256, 512 and so on of each walk.
    var keys: [Walk: [OrderKey]] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Finds a product by how many are before it, inside a transaction that reads.
  ///
  /// `next` finds up to so many further marks after one; fewer where the order ends. Returns the mark
  /// before the product and how many to pass over from there; nil past the end.
  package func place<Failure: Error>(
    passing offset: Int, along walk: Walk, at version: Int64?,
    next: (_ after: OrderKey?, _ count: Int) throws(Failure) -> [OrderKey]
  ) throws(Failure) -> (after: OrderKey?, passing: Int)? {
    var keys = known(of: walk, at: version)
    let wanted = offset / Self.interval
    if keys.count < wanted {
      keys += try next(keys.last, wanted - keys.count)
      remember(keys, of: walk, at: version)
      guard keys.count >= wanted else { return nil }
    }
    return (wanted == 0 ? nil : keys[wanted - 1], offset % Self.interval)
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
