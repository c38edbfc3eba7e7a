import MarketModel
import SQLiteKit
import StoreCore

/// Pages of queries without words.
extension SQLiteDatabase {
  /// Maximum number of products counted along each candidate index to find the most selective one.
  private static let maxChecked = 4 * ProductTotal.bound

  package func page(
    of narrowing: ProductConditions, from start: PageStart, in order: StoredOrder, size: Int,
    _ products: OrderedProducts
  ) throws(StoreError) -> Reading<ProductPage> {
    let driver = try driver(for: narrowing)
    let maxSortedCount = ProductConditions.maxSortedCount(along: driver.field, in: order.order)
    let areAllCounted = narrowing.areCountedExactly
    let count =
      narrowing.isOfStatesAlone
      ? try read(total(of: narrowing.states))
      : try count(narrowing, along: driver, atMost: areAllCounted ? .max : maxSortedCount + 1)
    var behind = narrowing
    behind.states = start.states
    // Few products of a field's index need no sorting: they are in the newest order.
    let isInOrder = driver.field != nil && maxSortedCount == ProductTotal.bound
    let chosen =
      isInOrder
      ? driver
      : narrowing.driver(for: order.order, areFew: count <= maxSortedCount, fewAlong: driver)
    let parts = chosen.parts(of: behind, in: order, after: start.after)
    let found = try found(
      in: parts, along: chosen, offset: start.offset, atMost: size + 1, countedAlong: driver,
      products)
    return products.page(
      of: found, size: size, order: order,
      total: ProductTotal(count, atMost: areAllCounted ? .max : ProductTotal.bound))
  }

  /// The first `limit` products of the parts of an order, in sequence.
  private func found(
    in parts: [OrderPart], along driver: DrivingIndex, offset: Int, atMost limit: Int,
    countedAlong counting: DrivingIndex, _ products: OrderedProducts
  ) throws(StoreError) -> OrderedProducts.Found {
    var (found, offset, parts) = (OrderedProducts.Found(), offset, parts[...])
    while found.count < limit, let part = parts.popFirst() {
      let selection = ProductSelection(
        part, along: driver, offset: offset, limit: limit - found.count)
      let next = try read(
        products.listing(selection.sql, in: part.order, selection.values))
      found.append(next)
      guard next.count == 0, offset > 0, !parts.isEmpty else {
        offset = 0
        continue
      }
      offset -= try count(part.narrowing, along: counting, atMost: offset)
    }
    return found
  }

  /// The index along which the products of some conditions are counted: the most selective one, as far as
  /// a limited count shows.
  func driver(for narrowing: ProductConditions) throws(StoreError) -> DrivingIndex {
    let drivers = DrivingIndex.all(for: narrowing)
    guard drivers.count > 1 else { return drivers.first ?? .order }
    var (best, fewest) = (drivers[0], Self.maxChecked)
    for driver in drivers {
      let count = try count(
        narrowing.part(along: driver), along: driver, atMost: fewest)
      if count < fewest { (best, fewest) = (driver, count) }
      if fewest <= ProductTotal.bound / 4 { break }
    }
    return best
  }

  /// The number of products of some conditions along an index, up to a limit; a negative limit is none.
  func count(
    _ narrowing: ProductConditions, along driver: DrivingIndex, atMost limit: Int
  ) throws(StoreError) -> Int {
    let (sql, values) = ProductScan(narrowing, along: driver).count(atMost: limit)
    return Int(StoredNumbers.count(try first(SQL(sql), values) { $0.integer(0) } ?? 0))
  }

  package func count(
    _ narrowing: ProductConditions, atMost limit: Int?
  ) throws(StoreError) -> Int {
    try count(narrowing, along: try driver(for: narrowing), atMost: limit ?? -1)
  }

  /// `data_version` differs among connections; bookmarks are set over one connection only.
  package func productsVersion() throws(StoreError) -> Int64? {
    try integer("PRAGMA data_version")
  }

  package func bookmarks(
    along walk: OrderBookmarks.Walk, after: OrderKey?, count: Int
  ) throws(StoreError) -> [OrderKey] {
    var keys: [OrderKey] = []
    let narrowing = ProductConditions(states: walk.states)
    while keys.count < count {
      let selection = ProductSelection(
        OrderPart(narrowing, in: walk.order, after: keys.last ?? after),
        offset: OrderBookmarks.interval - 1, limit: 1)
      let key = try first(SQL(selection.sql), selection.values) { row in
        OrderKey(in: row, from: 1, walk.order)
      }
      guard let key else { break }
      keys.append(key)
    }
    return keys
  }
}

extension ProductConditions {
  /// The index along which a page is read: where few products match they are sorted, unless the order's
  /// own index finds them directly.
  func driver(
    for order: ProductOrder, areFew: Bool, fewAlong driver: DrivingIndex
  ) -> DrivingIndex {
    switch order {
    case .newest
    where driver == .sellers && part(along: .sellers) == self
      && sellers.count <= ProductSelection.maxRanges:
      .order
    case .cheapest where part(along: .prices) == self,
      .priceDescending where part(along: .prices) == self:
      .order
    case .newest, .cheapest, .priceDescending, .biggestDiscount: areFew ? driver : .order
    }
  }
}
