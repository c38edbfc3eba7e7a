import MarketModel
import SQLiteKit
import Synchronization

/// Position in an order, after one product: that product's values of the order's columns.
package struct OrderKey: Hashable, Sendable {
  /// Value of one column of the order.
  package enum Value: Hashable, Sendable {
    case number(Int64)
    case currency(Currency)

    package var sql: SQLValue {
      switch self {
      case .number(let number): .integer(number)
      case .currency(let currency): .text(currency.rawValue)
      }
    }
  }

  package let order: StoredOrder
  /// One for each term of the order.
  package let values: [Value]

  private init(_ values: [Value], in order: StoredOrder) {
    self.order = order
    self.values = values
  }

  /// The key in a row whose order columns begin at `first`.
  package init(in row: StoredRow, from first: Int32, _ order: StoredOrder) {
    let values = order.columns.enumerated().map { index, column in
      let index = first + Int32(index)
      return column == "currency"
        ? Value.currency(Currency(rawValue: row.text(index))) : .number(row.integer(index))
    }
    self.init(values, in: order)
  }

  /// The key of a product; nil where its price is unreadable.
  package init?(of product: Product, in order: StoredOrder) {
    guard let price = product.pricing.price else { return nil }
    let newness = Value.number(0 &- product.id.rawValue)
    let currency = Value.currency(price.currency)
    let values: [Value] =
      switch order.order {
      case .newest: [newness]
      case .cheapest: [currency, .number(price.toPay.hundredths), newness]
      case .priceDescending: [currency, .number(-price.toPay.hundredths), newness]
      case .biggestDiscount: [.number(-Int64(price.discountPercent)), newness]
      }
    let key = OrderKey(values, in: order.withinPart)
    self = order.hasSoldOutLast ? key.inWhole(isSoldOut: product.isSoldOut) : key
  }

  /// The position before the newest product whose id is below `id`.
  package init(newestBelow id: Int64) {
    self.init([.number(0 &- id)], in: StoredOrder(.newest))
  }

  /// Decodes a cursor; nil where it is not a cursor of this order.
  init?(_ cursor: PageCursor, in order: ProductOrder) {
    let parts = cursor.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    let order = StoredOrder(order)
    guard parts.first == order.letter[...], parts.count == order.terms().count + 1 else {
      return nil
    }
    var values: [Value] = []
    for (term, part) in zip(order.terms(), parts.dropFirst()) {
      if term == "currency" {
        let currency = Currency(rawValue: String(part))
        guard StorageRules.currencies.contains(currency) else { return nil }
        values.append(.currency(currency))
      } else {
        guard let number = Int64(part) else { return nil }
        values.append(.number(number))
      }
    }
    self.init(values, in: order)
    if order.hasSoldOutLast, isSoldOut == nil { return nil }
  }

  /// Whether the key's product is sold out; nil in an order that does not separate sold-out products.
  var isSoldOut: Bool? {
    guard order.hasSoldOutLast else { return nil }
    switch values.first {
    case .number(0): return false
    case .number(1): return true
    default: return nil
    }
  }

  /// The key within its part of the order.
  var withinPart: OrderKey {
    OrderKey(values.suffix(order.columns.count), in: order.withinPart)
  }

  /// The key of a part's product in the whole order.
  func inWhole(isSoldOut: Bool) -> OrderKey {
    OrderKey([.number(isSoldOut ? 1 : 0)] + values, in: StoredOrder(order.order))
  }

  package var cursor: PageCursor {
    let parts = values.map { value in
      switch value {
      case .number(let number): String(number)
      case .currency(let currency): currency.rawValue
      }
    }
    return PageCursor(rawValue: ([order.letter] + parts).joined(separator: "."))
  }
}

/// Order as the tables' indexes store it.
///
/// Each index groups products by state. So an order has two parts, in stock and sold out, within each of
/// which the columns of the index alone determine the order.
package struct StoredOrder: Hashable, Sendable {
  package let order: ProductOrder
  /// Whether sold-out products come last; false in the newest order, and within a part of an order.
  package let hasSoldOutLast: Bool

  package init(_ order: ProductOrder) {
    self.init(order, hasSoldOutLast: order != .newest)
  }

  private init(_ order: ProductOrder, hasSoldOutLast: Bool) {
    self.order = order
    self.hasSoldOutLast = hasSoldOutLast
  }

  /// The order within a part.
  package var withinPart: StoredOrder { StoredOrder(order, hasSoldOutLast: false) }

  /// Key columns of the order's index, after the state; all are ascending, and the last makes a key
  /// unique.
  package var columns: [String] {
    switch order {
    case .newest: ["newness"]
    case .cheapest: ["currency", "to_pay", "newness"]
    case .priceDescending: ["currency", "dearness", "newness"]
    case .biggestDiscount: ["reduction", "newness"]
    }
  }

  /// Columns that determine a product's position in the order.
  package var positionColumns: [String] { (hasSoldOutLast ? ["state"] : []) + columns }

  /// Expressions over these columns for ORDER BY; all are ascending.
  package func terms(of table: String? = nil) -> [String] {
    let prefix = table.map { $0 + "." } ?? ""
    return (hasSoldOutLast ? ["1 - (\(prefix)state & 1)"] : []) + columns.map { prefix + $0 }
  }

  package var index: String {
    switch order {
    case .newest: "product_newest"
    case .cheapest: "product_cheapest"
    case .priceDescending: "product_dearest"
    case .biggestDiscount: "product_reduced"
    }
  }

  /// First letter of its cursors.
  fileprivate var letter: String {
    switch order {
    case .newest: "n"
    case .cheapest: "C"
    case .priceDescending: "D"
    case .biggestDiscount: "R"
    }
  }
}

/// Part of an order within which the columns of the index alone determine the order.
package struct OrderPart: Sendable {
  package let order: StoredOrder
  package let narrowing: ProductConditions
  /// Key after which the part is read; nil reads all of it.
  package let after: OrderKey?

  package init(_ narrowing: ProductConditions, in order: StoredOrder, after: OrderKey?) {
    self.order = order
    self.narrowing = narrowing
    self.after = after
  }
}

/// Position in an order at which a page begins.
package struct PageStart: Sendable {
  /// States of the products from there on.
  package let states: [Int]
  package let after: OrderKey?
  /// Number of products to skip from there.
  package let offset: Int
}

/// Cache of the keys of every 256th product of an order, so that a page far down is found by number
/// without reading all products before it.
///
/// Keys are added as far as pages are requested, and dropped when the market changes. The newest order
/// needs none: its blocks are counted in the tables.
package final class OrderBookmarks: Sendable {
  package static let interval = 256

  /// Part of an order, read in order.
  package struct Walk: Hashable, Sendable {
    package let order: StoredOrder
    /// States of the products that are counted.
    package let states: [Int]
  }

  private struct State {
    var version: Int64?
    /// The keys of the products 256, 512 and so on of each walk.
    var keys: [Walk: [OrderKey]] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Finds the position of a page by the number of products of some states before it, inside a read
  /// transaction; nil past the end.
  ///
  /// `count` counts products of some states. `next` returns up to `count` further keys, 256 apart, after
  /// one; fewer where the walk ends.
  ///
  /// - Throws: what `count` and `next` throw.
  package func start<Failure: Error>(
    atOffset offset: Int, in order: ProductOrder, states: [Int], at version: Int64?,
    count: (_ states: [Int]) throws(Failure) -> Int,
    next: (_ walk: Walk, _ after: OrderKey?, _ count: Int) throws(Failure) -> [OrderKey]
  ) throws(Failure) -> PageStart? {
    var rest = offset
    var parts = ProductConditions(states: states).parts(of: StoredOrder(order), after: nil)[...]
    while let part = parts.popFirst() {
      let states = part.narrowing.states
      let size = parts.isEmpty ? Int.max : try count(states)
      guard rest < size else {
        rest -= size
        continue
      }
      let walk = Walk(order: part.order, states: states)
      var keys = known(of: walk, at: version)
      let wanted = rest / Self.interval
      if keys.count < wanted {
        keys += try next(walk, keys.last, wanted - keys.count)
        remember(keys, of: walk, at: version)
        guard keys.count >= wanted else { return nil }
      }
      let isSoldOut = states.allSatisfy(ProductState.isSoldOut)
      return PageStart(
        states: states + parts.flatMap(\.narrowing.states),
        after: wanted == 0 ? nil : keys[wanted - 1].inWhole(isSoldOut: isSoldOut),
        offset: rest % Self.interval)
    }
    return nil
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

extension ProductTotal {
  /// Maximum number of products that are counted.
  package static let bound = 10_000

  /// Converts a count that stopped one above a bound.
  package init(_ count: Int, atMost bound: Int) {
    self = count > bound ? .atLeast(bound) : .exactly(count)
  }
}

extension PageRequest {
  /// Maximum number of matches of words that are counted.
  package var maxMatchCount: Int { countsExactly ? ProductTotal.bound : 1_000 }

  /// Whether finding the page may need bookmarks.
  package var walksAnOrder: Bool {
    guard case .number = position else { return false }
    return query.order != .newest
  }

  /// The key after which the page begins; nil for a page by number.
  /// - Throws: `.unknownCursor` for a cursor of another order.
  package func keyBefore() throws(RepositoryError) -> OrderKey? {
    guard case .after(let cursor) = position else { return nil }
    guard let key = OrderKey(cursor, in: query.order) else { throw .unknownCursor }
    return key
  }

  /// The page size, clamped to `sizes`.
  package var boundedSize: Int {
    min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound)
  }

  /// Number of products before a page requested by number; 0 for a cursor.
  package var offset: Int {
    guard case .number(let number) = position else { return 0 }
    let (offset, overflow) = max(0, number - 1).multipliedReportingOverflow(by: boundedSize)
    return overflow ? Int(Int32.max) : min(offset, Int(Int32.max))
  }
}
