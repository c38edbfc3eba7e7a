/// The one port to products: a store behind SQL, a server behind HTTP, or a list in memory.
///
/// All methods may be called from any isolation; they block no thread of the shared pool and stop
/// with `.cancelled` when their task is cancelled.
package protocol ProductRepository: QuestionRepository {
  /// The capabilities of this repository; a server may have to be asked first.
  func capabilities() async throws(RepositoryError) -> RepositoryCapabilities

  /// One page of a query. Past the end it is an empty page.
  func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage

  /// The number of products that a query finds, counted to its end however long that takes;
  /// `.unknown` where nobody can tell.
  func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal

  /// One product with its text and pictures; `.notFound` when it does not exist any more.
  func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail

  /// Registers a product, and answers with it and its id.
  ///
  /// The same key never registers twice, where the repository is idempotent; it answers what it
  /// answered also when the product has gone since. Throws `.invalid` naming the fields, `.keyReused`
  /// where the key came with another product before, and `.blocked`.
  func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail

  /// Checks a product's password and changes nothing.
  ///
  /// Throws `.notFound`, `.wrongPassword`, `.notOwner`, `.blocked` or `.tooManyAttempts`.
  func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError)

  /// Changes what the patch names and nothing else.
  ///
  /// `expected` is the version that was read; nil changes whatever is there. Throws as `verify`
  /// does, `.invalid` naming the fields, and `.conflict` where the version is another by now.
  func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail

  /// Deletes a product for good, and its pictures where nothing else refers to them.
  ///
  /// Answers with what was deleted, and throws as `verify` does.
  func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail

  /// The public side of a seller; nil while nothing is known of the identifier, which it stays: a
  /// seller gets a number with the first product or name.
  func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller?

  /// Changes what everyone may see of a seller, who becomes known by that; `.invalid` naming the
  /// fields, `.blocked` for a blocked one.
  func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) async throws(RepositoryError) -> Seller
}

extension ProductRepository {
  /// Gives a seller another name.
  package func rename(
    _ identifier: SellerIdentifier, to name: String
  ) async throws(RepositoryError) -> Seller {
    try await change(identifier, SellerChange(name: name))
  }
}

/// Capabilities of a repository; screens offer these and no more.
package struct RepositoryCapabilities: Hashable, Sendable {
  /// Way in which the next page is asked for.
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
  /// The parts that it does not answer but whose truth its rows tell, so that its pages can be sifted.
  package var scannable: Set<QueryPart>
  package var paging: Paging
  /// Whether an edit can change the pictures.
  package var changesPictures: Bool
  /// Whether an edit that names a version is refused when the product has changed since.
  package var hasVersions: Bool
  /// Whether a registration that is sent twice with one key registers once.
  package var isIdempotent: Bool
  package var currencies: Currencies
  /// Fields that products of the market do not have; neither shown nor offered there.
  package var lackingFields: Set<ProductField> = []
  /// Whether products can be asked about.
  package var hasQuestions = false
  /// How many wrong passwords in a row are looked at before one has to wait; nil where none are
  /// counted or nobody says so.
  package var passwordTries: Int?
  /// The address below which each product has its own, for people and programs; nil where products
  /// have none, as in a file.
  package var publicAddress: WebAddress?
  /// Name that the market's operator gave it, as it came; nil where it has none.
  package var marketName: String?

  package init(
    orders: [ProductOrder], parts: Set<QueryPart>, paging: Paging, changesPictures: Bool,
    hasVersions: Bool, isIdempotent: Bool, currencies: Currencies,
    scannable: Set<QueryPart> = [], hasQuestions: Bool = false
  ) {
    self.hasQuestions = hasQuestions
    self.orders = orders
    self.parts = parts
    self.scannable = scannable
    self.paging = paging
    self.changesPictures = changesPictures
    self.hasVersions = hasVersions
    self.isIdempotent = isIdempotent
    self.currencies = currencies
  }

  /// Everything: what our own stores can do.
  package static let full = RepositoryCapabilities(
    orders: ProductOrder.allCases, parts: Set(QueryPart.allCases), paging: .cursor,
    changesPictures: true, hasVersions: true, isIdempotent: true,
    currencies: .only([.krw, .usd]), hasQuestions: true)

  /// The filters that can be switched.
  package var filters: [ProductFilter] { ProductFilter.offered.filter { offers(.filter($0)) } }

  /// Whether a part of a query can be asked for: it is answered, or pages are sifted for it.
  package func offers(_ part: QueryPart) -> Bool {
    parts.contains(part) || scannable.contains(part)
  }

  /// Whether all that a query asks for is answered as it is.
  package func answers(_ query: ProductQuery) -> Bool {
    query.parts.isSubset(of: parts) && orders.contains(query.order)
  }

  /// The parts of a query for which pages have to be sifted; nil where that does not help: what its
  /// rows do not tell, and orders.
  package func scannedParts(of query: ProductQuery) -> Set<QueryPart>? {
    let lacking = query.parts.subtracting(parts)
    return lacking.isSubset(of: scannable) && orders.contains(query.order) ? lacking : nil
  }

  package var searches: Bool { parts.contains(.words) }

  /// Whether products are told apart by their sellers.
  package var queriesBySeller: Bool { parts.contains(.seller) }
}

/// Value that was read before, and when.
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

/// The port to what was read from a repository before: for the first frame, and for times when the
/// repository cannot be reached.
///
/// It asks nobody, fails never and may know nothing.
package protocol ProductCache: Sendable {
  /// What the repository could do when it said so last.
  func cachedCapabilities() async -> RepositoryCapabilities?

  func cachedPage(_ request: PageRequest) async -> Cached<ProductPage>?

  func cachedDetail(of id: Product.ID) async -> Cached<ProductDetail>?

  /// The products of the pages that were read last, each as it was read last; the time is that of the
  /// oldest page.
  func cachedProducts() async -> Cached<[Product]>?
}
