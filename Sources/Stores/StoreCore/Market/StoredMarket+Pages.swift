import MarketModel
import SQLiteKit

/// Pages, totals and details of products.
extension StoredMarket {
  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await page(request, counted: nil)
  }

  package func page(
    _ request: PageRequest, of total: Int
  ) async throws(RepositoryError) -> ProductPage {
    var page = try await page(request, counted: total)
    // A total that was read with the page is of one state with it.
    if case .atLeast = page.total { page.total = .exactly(total) }
    return page
  }

  private func page(
    _ request: PageRequest, counted total: Int?
  ) async throws(RepositoryError) -> ProductPage {
    if let ids = request.query.ids { return try await page(of: ids, in: request) }
    let narrowing = ProductConditions(request.query)
    if request.query.findsNothing || narrowing.passesNothing { return .nothing }
    let key = try request.keyBefore()
    if let page = try await search(request, after: key, counted: total) { return page }
    let (bookmarks, rows) = (bookmarks, rows)
    let isQuick = narrowing.isOfStatesAlone && !request.walksAnOrder
    return try await read(isQuick ? .oneState : .search) {
      database throws(StoreError) -> Reading<ProductPage> in
      try database.page(request, after: key, bookmarks: bookmarks, rows: rows)
    }
  }

  package func exactTotal(of query: ProductQuery) async throws(RepositoryError) -> Int {
    if let ids = query.ids { return try await exactTotal(of: query, among: ids) }
    let narrowing = ProductConditions(query)
    if query.findsNothing || narrowing.passesNothing { return 0 }
    if let total = try await searchTotal(of: query) { return total }
    return try await read(narrowing.isOfStatesAlone ? .oneState : .search) {
      database throws(StoreError) in
      narrowing.isOfStatesAlone
        ? try database.read(database.total(of: narrowing.states))
        : try database.count(narrowing, atMost: nil)
    }
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    guard let detail = try await read(.oneState, { $0.products.detail(of: id) }) else {
      throw .notFound
    }
    return detail
  }

  package func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal {
    .exactly(try await exactTotal(of: query))
  }

  package func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) async throws(RepositoryError) -> [String] {
    try await read(.statements) { database throws(StoreError) in
      try database.products.descriptions(of: ids, atMost: characters)
    }
  }
}

/// Pages of queries without words.
///
/// - Throws: every call throws the `StoreError` of its statement.
extension MarketDatabase {
  /// One page of a query without words; `rows` are the rows of pages that ask for them.
  package func page(
    _ request: PageRequest, after key: OrderKey?, bookmarks: OrderBookmarks,
    rows: ListedRowCache? = nil
  ) throws(StoreError) -> Reading<ProductPage> {
    let narrowing = ProductConditions(request.query)
    var start = PageStart(states: narrowing.states, after: key, offset: request.offset)
    // In a narrowed list all products before the page are skipped one by one.
    if request.offset > 0, narrowing.isOfStatesAlone {
      guard let found = try self.start(of: request, among: narrowing.states, bookmarks) else {
        return total(of: narrowing.states).map {
          ProductPage(products: [], total: .exactly($0), next: nil)
        }
      }
      start = found
    }
    return try page(
      of: narrowing, from: start, in: StoredOrder(request.query.order), size: request.boundedSize,
      OrderedProducts(self, for: request, keeping: rows))
  }

  /// The position of a page by number; nil past the end.
  private func start(
    of request: PageRequest, among states: [Int], _ bookmarks: OrderBookmarks
  ) throws(StoreError) -> PageStart? {
    guard request.query.order != .newest else {
      return try position(atOffset: request.offset, in: states).map { after, offset in
        PageStart(states: states, after: after, offset: offset)
      }
    }
    return try bookmarks.start(
      atOffset: request.offset, in: request.query.order, states: states, at: try productsVersion(),
      count: { states throws(StoreError) in try read(total(of: states)) },
      next: { walk, after, count throws(StoreError) in
        try self.bookmarks(along: walk, after: after, count: count)
      })
  }
}

/// Pages of queries by product ids.
extension StoredMarket {
  /// One page of a query by product ids, in the order of the ids, of the products that match its other
  /// conditions.
  /// - Throws: `.unknownCursor` for a cursor of another query; `.store` or `.cancelled`.
  package func page(
    of ids: [Product.ID], in request: PageRequest
  ) async throws(RepositoryError) -> ProductPage {
    let queried = QueriedIDs(ids)
    var start = 0
    if case .after(let cursor) = request.position {
      guard let index = queried.index(from: cursor) else { throw .unknownCursor }
      start = index
    }
    let matches = try await matches(of: request.query, among: queried.ids)
    let rest = matches.filter { $0.index >= start }.dropFirst(request.offset)
    let size = request.boundedSize
    let shown = rest.prefix(size)
    let next = rest.count > size ? shown.last.map { queried.cursor(after: $0.index) } : nil
    return ProductPage(
      products: shown.map(\.product), total: .exactly(matches.count),
      next: next.map { .after($0) })
  }

  /// The number of products that a query lists by id and that match its other conditions.
  /// - Throws: `.store` or `.cancelled`.
  package func exactTotal(
    of query: ProductQuery, among ids: [Product.ID]
  ) async throws(RepositoryError) -> Int {
    try await matches(of: query, among: QueriedIDs(ids).ids).count
  }

  /// The products that match, each with its position among the ids.
  private func matches(
    of query: ProductQuery, among ids: [Product.ID]
  ) async throws(RepositoryError) -> [(index: Int, product: Product)] {
    let narrowing = ProductConditions(query)
    guard !query.findsNothing, !narrowing.passesNothing, !ids.isEmpty else { return [] }
    let (tokenizer, wanted) = (tokenizer, tokenizer.wanted(by: query))
    return try await read(.oneState) { database throws(StoreError) in
      var listed: [Product.ID: Product] = [:]
      for product in try database.products.listed(ids) where narrowing.passes(product) {
        listed[product.id] = product
      }
      if !wanted.isEmpty {
        let matching = ids.filter { listed[$0] != nil }
        let texts = try database.products.descriptions(
          of: matching, atMost: TextLimit.description.scalars)
        for (id, text) in zip(matching, texts) {
          let others = listed[id].map { [$0.name, $0.seller.name] } ?? []
          if !wanted.areMet(by: others + [text], tokenizer) { listed[id] = nil }
        }
      }
      return ids.enumerated().compactMap { index, id in listed[id].map { (index, $0) } }
    }
  }
}

/// The product ids of a query, each once; ids beyond `ProductQuery.maxIDs` are dropped.
private struct QueriedIDs {
  private static let letter = "i"

  let ids: [Product.ID]

  init(_ ids: [Product.ID]) {
    var known: Set<Product.ID> = []
    self.ids = Array(ids.filter { known.insert($0).inserted }.prefix(ProductQuery.maxIDs))
  }

  /// The cursor of the page after a product.
  func cursor(after index: Int) -> PageCursor {
    PageCursor(rawValue: "\(Self.letter).\(index + 1)")
  }

  /// The position that a cursor encodes; nil for a cursor of another query.
  func index(from cursor: PageCursor) -> Int? {
    let parts = cursor.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == Self.letter[...], let index = Int(parts[1]),
      (0...ProductQuery.maxIDs).contains(index)
    else { return nil }
    return index
  }
}
