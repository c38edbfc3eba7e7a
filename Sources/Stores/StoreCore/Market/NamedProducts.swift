import MarketModel
import SQLiteKit

extension StoredMarket {
  /// One page of a query by product ids, in the order of the ids, of the products that match its other
  /// conditions.
  /// - Throws: `.unknownCursor` for a cursor of another query; `.store` or `.cancelled`.
  package func page(
    of ids: [Product.ID], in request: PageRequest
  ) async throws(RepositoryError) -> ProductPage {
    let named = NamedProducts(ids)
    var start = 0
    if case .after(let cursor) = request.position {
      guard let place = named.place(of: cursor) else { throw .unknownCursor }
      start = place
    }
    let matches = try await matches(of: request.query, among: named.ids)
    let rest = matches.filter { $0.place >= start }.dropFirst(request.offset)
    let size = request.boundedSize
    let shown = rest.prefix(size)
    let next = rest.count > size ? shown.last.map { named.cursor(after: $0.place) } : nil
    return ProductPage(
      products: shown.map(\.product), total: .exactly(matches.count),
      next: next.map { .after($0) })
  }

  /// The number of products that a query lists by id and that match its other conditions.
  /// - Throws: `.store` or `.cancelled`.
  package func exactTotal(
    of query: ProductQuery, among ids: [Product.ID]
  ) async throws(RepositoryError) -> Int {
    try await matches(of: query, among: NamedProducts(ids).ids).count
  }

  /// The products that match, each with its position among the ids.
  private func matches(
    of query: ProductQuery, among ids: [Product.ID]
  ) async throws(RepositoryError) -> [(place: Int, product: Product)] {
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
      return ids.enumerated().compactMap { place, id in listed[id].map { (place, $0) } }
    }
  }
}

/// The product ids of a query, each once; ids beyond `ProductQuery.maxIDs` are dropped.
private struct NamedProducts {
  private static let letter = "i"

  let ids: [Product.ID]

  init(_ ids: [Product.ID]) {
    var known: Set<Product.ID> = []
    self.ids = Array(ids.filter { known.insert($0).inserted }.prefix(ProductQuery.maxIDs))
  }

  /// The cursor of the page after a product.
  func cursor(after place: Int) -> PageCursor {
    PageCursor(rawValue: "\(Self.letter).\(place + 1)")
  }

  /// The position that a cursor encodes; nil for a cursor of another query.
  func place(of cursor: PageCursor) -> Int? {
    let parts = cursor.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == Self.letter[...], let place = Int(parts[1]),
      (0...ProductQuery.maxIDs).contains(place)
    else { return nil }
    return place
  }
}
