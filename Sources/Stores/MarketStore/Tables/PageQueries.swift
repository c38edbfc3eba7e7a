import MarketModel
import SQLiteKit
import StoreCore

/// Reader of pages of queries without words.
struct PageQueries {
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
    let size = request.boundedSize
    guard let start = try start(of: request, marks: marks) else { return .failure(.unknownCursor) }
    let total = try total(of: request.query)
    guard case .at(let after, let passing) = start else {
      return .success(ProductPage(products: [], total: total, next: nil))
    }
    let selection = ProductSelection(
      order: request.query.order, states: request.query.filters.states,
      seller: request.query.sellers.first, after: after, passing: passing, limit: size + 1)
    let ids = try connection.all(selection.sql, selection.values) { row throws(DatabaseError) in
      try row.productID(0).orDamaged()
    }
    return .success(try page(of: ids, size: size, order: request.query.order, total: total))
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
    of request: PageRequest, marks: OrderMarks
  ) throws(DatabaseError) -> Start? {
    let query = request.query
    switch request.position {
    case .first: return .at(nil, passing: 0)
    case .after(let cursor): return OrderKey(cursor, in: query.order).map { .at($0, passing: 0) }
    case .number:
      // One seller's products are few enough to be passed over.
      guard query.sellers.isEmpty else { return .at(nil, passing: request.offset) }
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

  /// The number of products of a query without words: exact, but of one seller's only up to the
  /// bound.
  private func total(of query: ProductQuery) throws(DatabaseError) -> ProductTotal {
    guard let seller = query.sellers.first else {
      return .exactly(try blocks.total(of: query.filters.states))
    }
    let limit = ProductTotal.bound + 1
    return ProductTotal(
      bounded: try total(of: query.filters.states, by: seller, atMost: limit))
  }

  /// The number of products of a query without words, whatever that costs.
  func exactTotal(of query: ProductQuery) throws(DatabaseError) -> Int {
    guard let seller = query.sellers.first else { return try blocks.total(of: query.filters.states) }
    return try total(of: query.filters.states, by: seller, atMost: -1)
  }

  private func total(
    of states: [Int], by seller: Seller.ID, atMost limit: Int
  ) throws(DatabaseError) -> Int {
    let states = states.map(String.init).joined(separator: ", ")
    let count = try connection.integer(
      """
      SELECT count(*) FROM (
        SELECT 1 FROM product INDEXED BY product_of_seller
        WHERE seller = ? AND state IN (\(states)) LIMIT ?)
      """, .integer(seller.rawValue), .integer(Int64(limit)))
    return Int(StoredNumbers.count(count ?? 0))
  }

  /// Finds the next marks of a walk.
  ///
  /// Begins after the mark `after`, or at the beginning; fewer than `count` where the order ends.
  private func marks(
    along walk: OrderMarks.Walk, after: OrderKey?, count: Int
  ) throws(DatabaseError) -> [OrderKey] {
    var keys: [OrderKey] = []
    while keys.count < count {
      let selection = ProductSelection(
        order: walk.order, states: walk.states, seller: nil, after: keys.last ?? after,
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

/// The statement that finds the ids of one page.
///
/// The products of each state come from their own range of the order's index, and SQLite merges
/// the ranges as it goes; so each combination of filters costs what the page costs.
struct ProductSelection {
  let order: ProductOrder
  let states: [Int]
  let seller: Seller.ID?
  /// Key before the page; nil for the first page.
  let after: OrderKey?
  /// Number of products to pass over from there.
  let passing: Int
  let limit: Int

  var sql: String {
    let arms =
      seller == nil ? states.map { "state = \($0)" } : [statesCondition + " AND seller = ?"]
    let columns = order.columns.joined(separator: ", ")
    let selects = arms.map { arm in
      "SELECT id, \(columns) FROM product INDEXED BY \(index) WHERE \(arm)\(range)"
    }
    let positions = order.columns.indices.map { String($0 + 2) }.joined(separator: ", ")
    return selects.joined(separator: " UNION ALL ") + " ORDER BY \(positions) LIMIT ? OFFSET ?"
  }

  var values: [SQLValue] {
    let key = after?.parameters ?? []
    let arms: [SQLValue] =
      seller.map { [.integer($0.rawValue)] + key } ?? states.flatMap { _ in key }
    return arms + [.integer(Int64(limit)), .integer(Int64(passing))]
  }

  private var index: String { seller == nil ? order.index : "product_of_seller" }

  private var statesCondition: String {
    "state IN (\(states.map(String.init).joined(separator: ", ")))"
  }

  private var range: String {
    guard after != nil else { return "" }
    let marks = order.columns.map { _ in "?" }.joined(separator: ", ")
    return " AND (\(order.columns.joined(separator: ", "))) > (\(marks))"
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

  /// Values of the statement's parameters.
  var parameters: [SQLValue] {
    values.map { value in
      switch value {
      case .number(let number): .integer(number)
      case .currency(let currency): .text(currency.rawValue)
      }
    }
  }
}
