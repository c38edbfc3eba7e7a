/// The port to products: an SQL store, an HTTP server, or a list in memory.
///
/// All methods may be called from any isolation and block no thread of the shared pool.
///
/// Every method also throws `.cancelled` where its task was cancelled, `.store` where a
/// store cannot be used, and from a server `.unreachable`, `.badAnswer` or `.tooManyRequests`.
package protocol ProductRepository: QuestionRepository, ReportRepository {
  /// Returns what this repository can do; a client may have to ask its server first.
  ///
  /// - Throws: only what every method throws.
  func capabilities() async throws(RepositoryError) -> RepositoryCapabilities

  /// Returns one page of a query; an empty one past the end.
  ///
  /// - Throws: `.unknownCursor` for a cursor that this query never had; `.unsupported` for a part or
  ///   an order that the repository does not answer.
  func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage

  /// Returns the number of products that match a query, counted to its end however long that takes;
  /// `.unknown` where the repository cannot count.
  ///
  /// - Throws: `.unsupported` as `page(_:)` does.
  func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal

  /// Returns one product with its description and pictures.
  ///
  /// - Throws: `.notFound` where there is no such product any more.
  func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail

  /// Registers a product and returns it with its id.
  ///
  /// In an idempotent repository a key never registers twice: a repeated call returns the first
  /// answer, also when the product was deleted since.
  ///
  /// - Throws: `.invalid` naming the fields; `.keyReused` where the key came with another product
  ///   before; `.blocked` for a blocked seller; `.marketFull` where the market's limit is reached.
  func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail

  /// Checks a product's password and changes nothing.
  ///
  /// - Throws: `.notFound`; `.wrongPassword`; `.notOwner` where the product is another seller's;
  ///   `.blocked` for a blocked seller; `.tooManyAttempts` where the password was not checked.
  func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError)

  /// Changes the fields that the patch names and returns the product. A nil `expected` changes any
  /// version.
  ///
  /// - Throws: what `verify(_:for:by:)` throws; `.invalid` naming the fields; `.conflict` where the
  ///   version is not `expected`; `.marketFull` where new pictures exceed the market's limit.
  func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail

  /// Deletes a product permanently, with the pictures that no other product uses, and returns it as
  /// it was.
  ///
  /// - Throws: what `verify(_:for:by:)` throws.
  func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail

  /// Returns the public profile of a seller; nil where the market does not know the identifier. A
  /// seller gets a number with the first product or name.
  ///
  /// - Throws: `.unsupported` where the market has no sellers.
  func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller?

  /// Changes a seller's public profile; an unknown identifier becomes a seller.
  ///
  /// - Throws: `.invalid` naming the fields; `.blocked` for a blocked seller.
  func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) async throws(RepositoryError) -> Seller
}

extension ProductRepository {
  /// Changes a seller's name.
  ///
  /// - Throws: what `change(_:_:)` throws.
  package func rename(
    _ identifier: SellerIdentifier, to name: String
  ) async throws(RepositoryError) -> Seller {
    try await change(identifier, SellerChange(name: name))
  }
}

/// Capabilities of a repository; screens offer these only.
package struct RepositoryCapabilities: Hashable, Sendable {
  /// Whether the market may turn out to be able to more, so that it is asked again.
  package var isProvisional = false
  /// Method of requesting the next page.
  package enum Paging: Hashable, Sendable {
    case cursor
    case number
  }

  /// Currencies that a product may be registered in.
  package enum Currencies: Hashable, Sendable {
    case only([Currency])
    case any(suggested: [Currency])
  }

  package var orders: [ProductOrder]
  /// The parts of a query that the repository answers.
  package var parts: Set<QueryPart>
  /// Parts of a query that the repository does not answer but its rows show, so that a client can
  /// scan its pages.
  package var scannable: Set<QueryPart> = []
  package var paging: Paging
  /// Whether an edit can change the pictures.
  package var changesPictures: Bool
  /// Whether an edit that names a version is refused with `.conflict` when the product has changed
  /// since.
  package var hasVersions: Bool
  /// Whether a repeated registration with one key registers once.
  package var isIdempotent: Bool
  package var currencies: Currencies
  /// Fields that this market does not have; screens neither show nor offer them.
  package var lackingFields: Set<ProductField> = []
  /// Whether products can be asked about.
  package var hasQuestions = false
  /// Whether products and questions can be reported to operators.
  package var hasReports = false
  /// Whether it takes photos from telephones for forms.
  package var takesUploads = false
  /// Wrong passwords in a row before the market asks to wait; nil where it has no limit or does not
  /// tell.
  package var passwordTries: Int?
  /// Address below which each product has a public page; nil where products have none, as in a file.
  package var publicAddress: WebAddress?
  /// Market's name, set by its operator, unfiltered; nil where it has none.
  package var marketName: String?

  package init(
    orders: [ProductOrder], parts: Set<QueryPart>, paging: Paging, changesPictures: Bool,
    hasVersions: Bool, isIdempotent: Bool, currencies: Currencies, hasQuestions: Bool = false
  ) {
    self.hasQuestions = hasQuestions
    self.orders = orders
    self.parts = parts
    self.paging = paging
    self.changesPictures = changesPictures
    self.hasVersions = hasVersions
    self.isIdempotent = isIdempotent
    self.currencies = currencies
  }

  /// All capabilities: those of our own stores.
  package static let full = {
    var full = RepositoryCapabilities(
      orders: ProductOrder.allCases, parts: Set(QueryPart.allCases), paging: .cursor,
      changesPictures: true, hasVersions: true, isIdempotent: true,
      currencies: .only([.krw, .usd]), hasQuestions: true)
    full.hasReports = true
    return full
  }()

  /// Filters that screens offer.
  package var filters: [ProductFilter] { ProductFilter.offered.filter { offers(.filter($0)) } }

  /// Whether a part of a query can be used: the repository answers it, or the client scans pages for
  /// it.
  package func offers(_ part: QueryPart) -> Bool {
    parts.contains(part) || scannable.contains(part)
  }

  /// Whether the repository answers all parts and the order of a query itself.
  package func answers(_ query: ProductQuery) -> Bool {
    query.parts.isSubset(of: parts) && orders.contains(query.order)
  }

  /// Returns the parts of a query for which the client has to scan pages; nil where scanning cannot
  /// answer it: parts that rows do not show, and orders.
  package func scannedParts(of query: ProductQuery) -> Set<QueryPart>? {
    let lacking = query.parts.subtracting(parts)
    return lacking.isSubset(of: scannable) && orders.contains(query.order) ? lacking : nil
  }

  package var searches: Bool { parts.contains(.words) }

  /// Whether products can be listed by seller.
  package var queriesBySeller: Bool { parts.contains(.seller) }
}

/// Value with the time at which it was read.
package struct Cached<Value: Sendable>: Sendable {
  package var value: Value
  /// Time at which it was read, in seconds since 1970.
  package var seconds: Int64

  package init(_ value: Value, at seconds: Int64) {
    self.value = value
    self.seconds = seconds
  }
}

extension Cached: Equatable where Value: Equatable {}

/// The port to cached reads of a repository, for the first frame and for times when it is
/// unreachable; nil means not cached.
package protocol ProductCache: Sendable {
  /// Returns the capabilities that the repository reported last.
  func cachedCapabilities() async -> RepositoryCapabilities?

  func cachedPage(_ request: PageRequest) async -> Cached<ProductPage>?

  func cachedDetail(of id: Product.ID) async -> Cached<ProductDetail>?

  /// Returns the products of the pages read last, each as last read; the time is that of the oldest
  /// page.
  func cachedProducts() async -> Cached<[Product]>?
}
