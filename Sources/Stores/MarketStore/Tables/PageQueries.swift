import MarketModel
import SQLiteKit
import StoreCore

/// Reader of pages of queries without words.
struct PageQueries {
  /// How many products of each of several indexes are counted to find the narrowest.
  private static let mostLookedAt = 4 * ProductTotal.bound

  private let connection: Connection
  private let blocks: BlockCounts

  init(_ connection: Connection) {
    self.connection = connection
    blocks = BlockCounts(connection)
  }

  /// One page of a query without words, or `.unknownCursor` for one that nobody was given.
  func page(
    _ request: PageRequest, marks: OrderMarks
  ) throws(DatabaseError) -> Outcome<ProductPage> {
    let (size, query) = (request.boundedSize, request.query)
    let narrowing = ProductNarrowing(query)
    guard let start = try start(of: request, narrowing, marks: marks) else {
      return .failure(.unknownCursor)
    }
    let driver = try driver(for: narrowing)
    let total = try total(of: narrowing, along: driver)
    guard case .at(let after, let passing) = start else {
      return .success(ProductPage(products: [], total: total, next: nil))
    }
    let selection = ProductSelection(
      order: query.order, narrowing: narrowing,
      driver: narrowing.driver(for: query.order, of: total, fewAlong: driver), after: after,
      passing: passing, limit: size + 1)
    let ids = try connection.all(selection.sql, selection.values) { row throws(DatabaseError) in
      try row.productID(0).orDamaged()
    }
    return .success(try page(of: ids, size: size, order: query.order, total: total))
  }

  /// The index by which the products of some conditions are counted: of those that would do the one
  /// that has to look at the fewest, as far as that is soon known.
  func driver(for narrowing: ProductNarrowing) throws(DatabaseError) -> ProductDriver {
    let drivers = ProductDriver.all(for: narrowing)
    guard drivers.count > 1 else { return drivers.first ?? .order }
    var (best, fewest) = (drivers[0], Self.mostLookedAt)
    for driver in drivers {
      let count = try count(
        narrowing.part(along: driver), along: driver, atMost: fewest)
      if count < fewest { (best, fewest) = (driver, count) }
      if fewest <= ProductTotal.bound / 4 { break }
    }
    return best
  }

  /// The number of products of some conditions along an index, up to a limit; negative is none.
  func count(
    _ narrowing: ProductNarrowing, along driver: ProductDriver, atMost limit: Int
  ) throws(DatabaseError) -> Int {
    let (sql, values) = ProductScan(narrowing, along: driver).count(atMost: limit)
    return Int(StoredNumbers.count(try connection.first(sql, values) { $0.integer(0) } ?? 0))
  }

  /// The products of a page, of which one more may have been found than it holds.
  func page(
    of ids: [Product.ID], size: Int, order: ProductOrder, total: ProductTotal
  ) throws(DatabaseError) -> ProductPage {
    var products: [Product] = []
    products.reserveCapacity(size)
    let queries = ProductQueries(connection)
    for id in ids.prefix(size) {
      if let product = try queries.product(id) { products.append(product) }
    }
    let key = products.last.flatMap { OrderKey(of: $0, in: order) }
    let next = ids.count > size ? key.map { PagePosition.after($0.cursor) } : nil
    return ProductPage(products: products, total: total, next: next)
  }

  private enum Start {
    case at(OrderKey?, passing: Int)
    case pastTheEnd
  }

  private func start(
    of request: PageRequest, _ narrowing: ProductNarrowing, marks: OrderMarks
  ) throws(DatabaseError) -> Start? {
    let query = request.query
    switch request.position {
    case .first: return .at(nil, passing: 0)
    case .after(let cursor): return OrderKey(cursor, in: query.order).map { .at($0, passing: 0) }
    case .number:
      // Of those that are narrowed down so many are passed over as were asked for.
      guard narrowing.isOfStatesAlone else { return .at(nil, passing: request.offset) }
      let place = try place(passing: request.offset, of: query, marks: marks)
      return place.map { .at($0.after, passing: $0.passing) } ?? .pastTheEnd
    }
  }

  private func place(
    passing offset: Int, of query: ProductQuery, marks: OrderMarks
  ) throws(DatabaseError) -> (after: OrderKey?, passing: Int)? {
    let states = query.filters.states
    guard query.order == .newest else {
      let walk = OrderMarks.Walk(order: query.order, states: states)
      // Versions differ among connections, and marks are only set over one.
      return try marks.place(
        passing: offset, along: walk, at: try connection.integer("PRAGMA data_version")
      ) { after, count throws(DatabaseError) in
        try self.marks(along: walk, after: after, count: count)
      }
    }
    return try blocks.place(passing: offset, in: states).map { ($0.after, $0.passing) }
  }

  /// The number of products that a page shows: exact, but where conditions narrow them down only up to
  /// the bound.
  private func total(
    of narrowing: ProductNarrowing, along driver: ProductDriver
  ) throws(DatabaseError) -> ProductTotal {
    guard !narrowing.isOfStatesAlone else {
      return .exactly(try blocks.total(of: narrowing.states))
    }
    return ProductTotal(
      bounded: try count(narrowing, along: driver, atMost: ProductTotal.bound + 1))
  }

  /// The number of products of a query without words, whatever that costs.
  func exactTotal(of query: ProductQuery) throws(DatabaseError) -> Int {
    let narrowing = ProductNarrowing(query)
    guard !narrowing.isOfStatesAlone else { return try blocks.total(of: narrowing.states) }
    return try count(narrowing, along: try driver(for: narrowing), atMost: -1)
  }

  /// Finds the next marks of a walk.
  ///
  /// Begins after the mark `after`, or at the beginning; fewer than `count` where the order ends.
  private func marks(
    along walk: OrderMarks.Walk, after: OrderKey?, count: Int
  ) throws(DatabaseError) -> [OrderKey] {
    var keys: [OrderKey] = []
    let narrowing = ProductNarrowing(states: walk.states)
    while keys.count < count {
      let selection = ProductSelection(
        order: walk.order, narrowing: narrowing, after: keys.last ?? after,
        passing: OrderMarks.interval - 1, limit: 1)
      let key = try connection.first(selection.sql, selection.values) { row in
        OrderKey(row, in: walk.order)
      }
      guard let key else { break }
      keys.append(key)
    }
    return keys
  }
}

extension ProductNarrowing {
  /// The index along which a page is found: where few match all of them are sorted, unless the order's
  /// own index finds them by themselves.
  func driver(
    for order: ProductOrder, of total: ProductTotal, fewAlong driver: ProductDriver
  ) -> ProductDriver {
    switch order {
    case .newest
    where driver == .sellers && part(along: .sellers) == self
      && sellers.count <= ProductSelection.mostRanges:
      .order
    case .cheapest where part(along: .prices) == self,
      .priceDescending where part(along: .prices) == self:
      .order
    case .newest, .cheapest, .priceDescending, .biggestDiscount:
      if case .exactly = total { driver } else { .order }
    }
  }
}

extension OrderKey {
  /// The key in a row that a `ProductSelection` found: its columns after the id.
  init(_ row: borrowing Row, in order: ProductOrder) {
    var values: [Value] = []
    for (place, column) in order.columns.enumerated() {
      let place = Int32(place + 1)
      values.append(
        column == "currency"
          ? .currency(Currency(rawValue: row.text(place))) : .number(row.integer(place)))
    }
    self.init(values, in: order)
  }
}
