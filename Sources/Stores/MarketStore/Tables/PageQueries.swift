import MarketModel
import SQLiteKit
import StoreCore

/// Reader of pages of queries without words.
///
/// Every call throws the `StoreError` of its statement.
struct PageQueries {
  /// Maximum number of products counted along each candidate index to find the most selective one.
  private static let maxChecked = 4 * ProductTotal.bound

  private let connection: SQLiteDatabase
  private let blocks: BlockCounts
  private let ordered: OrderedProducts

  /// `kept` are the rows of a page that asks for them.
  init(_ connection: SQLiteDatabase, keeping kept: ListedRowCache? = nil, isBrief: Bool = false) {
    self.connection = connection
    ordered = OrderedProducts(connection, keeping: kept, isBrief: isBrief)
    blocks = BlockCounts(connection)
  }

  /// One page of a query without words, or `.unknownCursor` for a cursor of another query.
  func page(
    _ request: PageRequest, marks: OrderBookmarks
  ) throws(StoreError) -> Outcome<ProductPage> {
    let (size, query) = (request.boundedSize, request.query)
    let narrowing = ProductConditions(query)
    guard let (order, key) = request.place else { return .failure(.unknownCursor) }
    let start = try start(of: request, narrowing, after: key, marks: marks)
    let driver = try driver(for: narrowing)
    let maxSortedCount = ProductConditions.maxSortedCount(along: driver.field, in: query.order)
    let count = try count(
      of: narrowing, along: driver,
      atMost: narrowing.areCountedExactly ? .max : maxSortedCount + 1)
    let total = ProductTotal(
      count, atMost: narrowing.areCountedExactly ? .max : ProductTotal.bound)
    guard let start else {
      return .success(ProductPage(products: [], total: total, next: nil))
    }
    var behind = narrowing
    behind.states = start.states
    // Few products of a field's index need no sorting: they are in the newest order.
    let isInOrder = driver.field != nil && maxSortedCount == ProductTotal.bound
    let chosen =
      isInOrder
      ? driver
      : narrowing.driver(for: query.order, areFew: count <= maxSortedCount, fewAlong: driver)
    let parts = chosen.parts(of: behind, in: order, after: start.after)
    let found = try products(
      of: parts, along: chosen, passing: start.passing, atMost: size + 1, countedAlong: driver)
    return .success(
      try connection.read(ordered.page(of: found, size: size, order: order, total: total)))
  }

  /// The first `limit` products of the parts of an order, in sequence.
  private func products(
    of parts: [OrderPart], along driver: DrivingIndex, passing: Int, atMost limit: Int,
    countedAlong counting: DrivingIndex
  ) throws(StoreError) -> [OrderedProducts.Found] {
    var (found, passing, parts) = ([OrderedProducts.Found](), passing, parts[...])
    while found.count < limit, let part = parts.popFirst() {
      let selection = ProductSelection(
        part, along: driver, passing: passing, limit: limit - found.count)
      let next = try connection.read(
        ordered.listing(selection.sql, in: part.order, selection.values))
      found += next
      guard next.isEmpty, passing > 0, !parts.isEmpty else {
        passing = 0
        continue
      }
      passing -= try count(part.narrowing, along: counting, atMost: passing)
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
    return Int(StoredNumbers.count(try connection.first(SQL(sql), values) { $0.integer(0) } ?? 0))
  }

  private func start(
    of request: PageRequest, _ narrowing: ProductConditions, after key: OrderKey?,
    marks: OrderBookmarks
  ) throws(StoreError) -> PageStart? {
    let (states, order) = (narrowing.states, request.query.order)
    // In a narrowed list all products before the page are skipped one by one.
    guard case .number = request.position, narrowing.isOfStatesAlone else {
      return PageStart(states: states, after: key, passing: request.offset)
    }
    guard order != .newest else {
      return try blocks.place(passing: request.offset, in: states).map { after, passing in
        PageStart(states: states, after: after, passing: passing)
      }
    }
    // `data_version` differs among connections; bookmarks are set over one connection only.
    return try marks.start(
      passing: request.offset, in: order, states: states,
      at: try connection.integer("PRAGMA data_version"),
      count: { states throws(StoreError) in try blocks.total(of: states) },
      next: { walk, after, count throws(StoreError) in
        try self.marks(along: walk, after: after, count: count)
      })
  }

  /// The number of products of some conditions: exact, or up to a limit where more than states are
  /// restricted.
  private func count(
    of narrowing: ProductConditions, along driver: DrivingIndex, atMost limit: Int
  ) throws(StoreError) -> Int {
    guard !narrowing.isOfStatesAlone else { return try blocks.total(of: narrowing.states) }
    return try count(narrowing, along: driver, atMost: limit)
  }

  /// The number of products of a query without words, without a limit.
  func exactTotal(of query: ProductQuery) throws(StoreError) -> Int {
    let narrowing = ProductConditions(query)
    guard !narrowing.isOfStatesAlone else { return try blocks.total(of: narrowing.states) }
    return try count(narrowing, along: try driver(for: narrowing), atMost: -1)
  }

  /// Finds the next bookmarks of a walk.
  ///
  /// Starts after the bookmark `after`, or at the beginning; returns fewer than `count` where the order
  /// ends.
  private func marks(
    along walk: OrderBookmarks.Walk, after: OrderKey?, count: Int
  ) throws(StoreError) -> [OrderKey] {
    var keys: [OrderKey] = []
    let narrowing = ProductConditions(states: walk.states)
    while keys.count < count {
      let selection = ProductSelection(
        OrderPart(narrowing, in: walk.order, after: keys.last ?? after),
        passing: OrderBookmarks.interval - 1, limit: 1)
      let key = try connection.first(SQL(selection.sql), selection.values) { row in
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
