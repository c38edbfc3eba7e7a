import MarketModel
import Synchronization

/// A place between two products of an order: the key of the one before it.
package struct OrderKey: Hashable, Sendable {
  /// Value of one of the order's columns.
  package enum Value: Hashable, Sendable {
    case number(Int64)
    case currency(Currency)
  }

  package let order: StoredOrder
  /// As many as the order has terms.
  package let values: [Value]

  private init(_ values: [Value], in order: StoredOrder) {
    self.order = order
    self.values = values
  }

  /// The key in a row, whose columns of the order begin at one.
  package init(in row: StoredRow, from first: Int32, _ order: StoredOrder) {
    let values = order.columns.enumerated().map { place, column in
      let place = first + Int32(place)
      return column == "currency"
        ? Value.currency(Currency(rawValue: row.text(place))) : .number(row.integer(place))
    }
    self.init(values, in: order)
  }

  /// The key of a product.
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

  /// The place before the newest product whose id is below `id`.
  package init(newestBelow id: Int64) {
    self.init([.number(0 &- id)], in: StoredOrder(.newest))
  }

  /// Reads a cursor; nil where no store has written it for this order.
  ///
  /// One of an earlier version goes on in the order that it had.
  init?(_ cursor: PageCursor, in order: ProductOrder) {
    let parts = cursor.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    let orders = [StoredOrder(order), StoredOrder(order).withinPart]
    guard let order = orders.first(where: { parts.first == $0.letter[...] }),
      parts.count == order.terms().count + 1
    else { return nil }
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

  /// Whether the product before is sold out; nil in an order in which that makes no difference.
  var isSoldOut: Bool? {
    guard order.hasSoldOutLast else { return nil }
    switch values.first {
    case .number(0): return false
    case .number(1): return true
    default: return nil
    }
  }

  /// The key among the products of its part of the order.
  var withinPart: OrderKey {
    OrderKey(values.suffix(order.columns.count), in: order.withinPart)
  }

  /// The key of a part's product in the whole of the order.
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

/// An order as tables are read in it.
///
/// Its index has the products of each state in one run. So the order is in two parts, what is in stock and
/// what is sold out, within each of which the columns of the index alone say what comes first.
package struct StoredOrder: Hashable, Sendable {
  package let order: ProductOrder
  /// True where all that is sold out stands behind all that is in stock; false in the newest order,
  /// within a part of an order, and where a cursor of an earlier version goes on.
  package let hasSoldOutLast: Bool

  package init(_ order: ProductOrder) {
    self.init(order, hasSoldOutLast: order != .newest)
  }

  private init(_ order: ProductOrder, hasSoldOutLast: Bool) {
    self.order = order
    self.hasSoldOutLast = hasSoldOutLast
  }

  /// The order in which products stand within a part.
  package var withinPart: StoredOrder { StoredOrder(order, hasSoldOutLast: false) }

  /// Key columns of the index of this order, after the state; all of them rise, and the last makes a
  /// key unique.
  package var columns: [String] {
    switch order {
    case .newest: ["newness"]
    case .cheapest: ["currency", "to_pay", "newness"]
    case .priceDescending: ["currency", "dearness", "newness"]
    case .biggestDiscount: ["reduction", "newness"]
    }
  }

  /// Columns of a product that its place in the order follows from.
  package var placeColumns: [String] { (hasSoldOutLast ? ["state"] : []) + columns }

  /// Expressions over these columns that products are sorted by; all of them rise.
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

  /// One letter for cursors.
  ///
  /// Servers of earlier versions know the small ones; they refuse others as cursors of another list.
  fileprivate var letter: String {
    switch order {
    case .newest: "n"
    case .cheapest: hasSoldOutLast ? "C" : "c"
    case .priceDescending: hasSoldOutLast ? "D" : "d"
    case .biggestDiscount: hasSoldOutLast ? "R" : "r"
    }
  }
}

/// Part of an order: products of which the columns of the order's index alone say what comes first.
package struct OrderPart: Sendable {
  package let order: StoredOrder
  package let narrowing: ProductConditions
  /// Key before what is asked for of the part; nil for all of it.
  package let after: OrderKey?

  package init(_ narrowing: ProductConditions, in order: StoredOrder, after: OrderKey?) {
    self.order = order
    self.narrowing = narrowing
    self.after = after
  }
}

/// Place in an order at which a page begins.
package struct PageStart: Sendable {
  /// States of the products behind it.
  package let states: [Int]
  package let after: OrderKey?
  /// How many products to pass over from there.
  package let passing: Int

  package init(states: [Int], after: OrderKey?, passing: Int) {
    self.states = states
    self.after = after
    self.passing = passing
  }
}

/// Memory of where every 256th product of an order stands, so that a page far inside is found by
/// its number without passing over all products before it.
///
/// Marks are set as far as somebody has asked for pages, and forgotten when the market changes.
/// (The newest order needs none: its blocks are counted in the tables.)
package final class OrderBookmarks: Sendable {
  package static let interval = 256

  /// A walk along a part of an order.
  package struct Walk: Hashable, Sendable {
    package let order: StoredOrder
    /// States of the products that count.
    package let states: [Int]
  }

  private struct State {
    var version: Int64?
    /// The keys of the products 256, 512 and so on of each walk.
    var keys: [Walk: [OrderKey]] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Finds where a page begins by how many products of some states are before it, inside a transaction
  /// that reads; nil past the end.
  ///
  /// `count` counts products of some states. `next` finds up to so many further marks after one; fewer
  /// where the walk ends.
  package func start<Failure: Error>(
    passing offset: Int, in order: ProductOrder, states: [Int], at version: Int64?,
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
        passing: rest % Self.interval)
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
  /// Counts that take longer the more there is stop here while a person looks.
  package static let bound = 10_000

  /// A count that stopped one above the bound.
  package init(bounded count: Int) {
    self = count > Self.bound ? .atLeast(Self.bound) : .exactly(count)
  }
}

extension PageRequest {
  /// Whether marks may have to be set to find the page.
  package var walksAnOrder: Bool {
    guard case .number = position else { return false }
    return query.order != .newest
  }

  /// The order that the page is read in, and the key that it begins after; nil for a cursor that no
  /// store has given for this order.
  package var place: (order: StoredOrder, after: OrderKey?)? {
    guard case .after(let cursor) = position else { return (StoredOrder(query.order), nil) }
    return OrderKey(cursor, in: query.order).map { ($0.order, $0) }
  }

  /// The size that is answered, whatever was asked for.
  package var boundedSize: Int {
    min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound)
  }

  /// Number of products before a page that is asked for by number.
  package var offset: Int {
    guard case .number(let number) = position else { return 0 }
    let (offset, overflow) = max(0, number - 1).multipliedReportingOverflow(by: boundedSize)
    return overflow ? Int(Int32.max) : min(offset, Int(Int32.max))
  }
}
