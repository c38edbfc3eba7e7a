import MarketModel
import Synchronization

/// A place between two products of an order: the key of the one before it.
package struct OrderKey: Hashable, Sendable {
  /// Value of one of the order's columns.
  package enum Value: Hashable, Sendable {
    case number(Int64)
    case currency(Currency)
  }

  package let order: ProductOrder
  /// As many as the order has columns.
  package let values: [Value]

  /// A key as it stands in a row.
  package init(_ values: [Value], in order: ProductOrder) {
    self.order = order
    self.values = values
  }

  /// The key of a product.
  package init?(of product: Product, in order: ProductOrder) {
    guard let price = product.pricing.price else { return nil }
    let newness = Value.number(0 &- product.id.rawValue)
    let currency = Value.currency(price.currency)
    let values: [Value] =
      switch order {
      case .newest: [newness]
      case .cheapest: [currency, .number(price.toPay.hundredths), newness]
      case .priceDescending: [currency, .number(-price.toPay.hundredths), newness]
      case .biggestDiscount: [.number(-Int64(price.discountPercent)), newness]
      }
    self.init(values, in: order)
  }

  /// The place before the newest product whose id is below `id`.
  package init(newestBelow id: Int64) {
    self.init([.number(0 &- id)], in: .newest)
  }

  /// Reads a cursor; nil where no store of this kind has written it for this order.
  package init?(_ cursor: PageCursor, in order: ProductOrder) {
    let parts = cursor.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.first == order.letter[...], parts.count == order.columns.count + 1 else {
      return nil
    }
    var values: [Value] = []
    for (column, part) in zip(order.columns, parts.dropFirst()) {
      if column == "currency" {
        let currency = Currency(rawValue: String(part))
        guard StorageRules.currencies.contains(currency) else { return nil }
        values.append(.currency(currency))
      } else {
        guard let number = Int64(part) else { return nil }
        values.append(.number(number))
      }
    }
    self.init(values, in: order)
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

/// Columns by which the products of an order are found; all of them rise.
extension ProductOrder {
  /// Key columns of the index of this order, after the state; the last makes a key unique.
  package var columns: [String] {
    switch self {
    case .newest: ["newness"]
    case .cheapest: ["currency", "to_pay", "newness"]
    case .priceDescending: ["currency", "dearness", "newness"]
    case .biggestDiscount: ["reduction", "newness"]
    }
  }

  package var index: String {
    switch self {
    case .newest: "product_newest"
    case .cheapest: "product_cheapest"
    case .priceDescending: "product_dearest"
    case .biggestDiscount: "product_reduced"
    }
  }

  /// One letter for cursors.
  var letter: String {
    switch self {
    case .newest: "n"
    case .cheapest: "c"
    case .priceDescending: "d"
    case .biggestDiscount: "r"
    }
  }
}

/// Memory of where every 256th product of an order stands, so that a page far inside is found by
/// its number without passing over all products before it.
///
/// Marks are set as far as somebody has asked for pages, and forgotten when the market changes.
/// (The newest order needs none: its blocks are counted in the tables.)
package final class OrderMarks: Sendable {
  package static let interval = 256

  /// A walk along an order.
  package struct Walk: Hashable, Sendable {
    package let order: ProductOrder
    /// States of the products that count.
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
