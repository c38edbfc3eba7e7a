import MarketModel
import TestSupport

/// A market whose products change while its pages are read, by any of the ways in which markets page.
actor ChangingMarket: ProductRepository, IdentifiedMarket {
  enum Kind: CaseIterable {
    /// Searches and cursors, as our own markets have them.
    case own
    /// The newest first by page number; searches are the client's.
    case foreign
    /// The oldest first by page number, without a count.
    case unordered
  }

  let kind: Kind
  private(set) var products: [Product]
  /// Changes that are made behind the next pages, one each.
  private var changes: [@Sendable (inout [Product]) -> Void] = []
  private(set) var pageCount = 0
  private(set) var lastQuery: ProductQuery?
  private var id = MarketID.random()
  private var failure: RepositoryError?

  init(_ kind: Kind, _ products: [Product] = []) {
    self.kind = kind
    self.products = products
  }

  func change(_ change: @Sendable (inout [Product]) -> Void) { change(&products) }

  func changeBehindPages(_ changes: [@Sendable (inout [Product]) -> Void]) {
    self.changes = changes
  }

  /// From now on it does not answer; nil is that it does.
  func fail(_ failure: RepositoryError?) { self.failure = failure }

  /// Another market is at the same address.
  func becomeAnother(_ products: [Product]) { (id, self.products) = (.random(), products) }

  func marketID() -> MarketID? { kind == .own ? id : nil }

  func capabilities() -> RepositoryCapabilities {
    guard kind != .own else { return .full }
    var capabilities = RepositoryCapabilities.full
    (capabilities.paging, capabilities.orders, capabilities.parts) = (.number, [.newest], [])
    capabilities.scannable = Set(QueryPart.allCases).subtracting([.ids])
    return capabilities
  }

  func page(_ request: PageRequest) throws(RepositoryError) -> ProductPage {
    if let failure { throw failure }
    pageCount += 1
    lastQuery = request.query
    defer { changes.popLast()?(&products) }
    switch kind {
    case .own: return try pageByCursor(request)
    case .foreign: return pageByNumber(request, of: products.sorted { $0.id > $1.id })
    case .unordered:
      var page = pageByNumber(request, of: products.sorted { $0.id < $1.id })
      page.total = .unknown
      return page
    }
  }

  private func pageByCursor(_ request: PageRequest) throws(RepositoryError) -> ProductPage {
    var below = Int64.max
    if case .after(let cursor) = request.position {
      guard let number = Int64(cursor.rawValue) else { throw .unknownCursor }
      below = number
    }
    let sieve = ProductFilterEvaluator(request.query, parts: Set(QueryPart.allCases))
    let found = products.sorted { $0.id > $1.id }
      .filter { $0.id.rawValue < below && sieve.keeps($0) }
    let page = Array(found.prefix(request.size))
    let next =
      found.count > page.count
      ? page.last.map { PagePosition.after(PageCursor(rawValue: String($0.id.rawValue))) } : nil
    return ProductPage(products: page, total: .atLeast(found.count), next: next)
  }

  private func pageByNumber(_ request: PageRequest, of all: [Product]) -> ProductPage {
    let number = if case .number(let number) = request.position { number } else { 1 }
    let page = all.dropFirst((number - 1) * request.size).prefix(request.size)
    let hasNext = all.count > number * request.size
    return ProductPage(
      products: Array(page), total: .exactly(all.count), next: hasNext ? .number(number + 1) : nil)
  }

  // MARK: Operations that alerts do not use

  func total(of query: ProductQuery) -> ProductTotal { .unknown }

  func detail(of id: Product.ID) throws(RepositoryError) -> ProductDetail { throw .unsupported }

  func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) throws(RepositoryError) -> ProductDetail { throw .unsupported }

  func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) throws(RepositoryError) { throw .unsupported }

  func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) throws(RepositoryError) -> ProductDetail { throw .unsupported }

  func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) throws(RepositoryError) -> ProductDetail { throw .unsupported }

  func seller(of identifier: SellerIdentifier) throws(RepositoryError) -> Seller? { nil }

  func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) throws(RepositoryError) -> Seller { throw .unsupported }
}
