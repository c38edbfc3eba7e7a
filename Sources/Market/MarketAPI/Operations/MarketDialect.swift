import MarketModel

/// Language of market servers: a client performs operations in it, a server reads and answers them.
///
/// What the client half writes the server half reads, and the other way round. How many requests an
/// operation takes, how deletions are confirmed and how conflicts are found is the dialect's own.
package protocol MarketDialect: Sendable {
  /// The word for it in `--api` and in the cache: the year of its servers.
  var name: String { get }
  /// The word for the paths it uses; a server answers in one dialect of each family.
  var family: String { get }

  /// The fields of a product that it has no words for; none by default.
  var fieldsNotCarried: Set<ProductField> { get }

  // MARK: client half

  /// Probe that finds out whether a server speaks this.
  var probe: DialectProbe { get }

  /// Whether a server that gave this answer to the probe's page speaks this dialect.
  func isSpoken(in page: HTTPResponse) -> Bool

  /// Capabilities of a server of this dialect that announces our additions up to a level.
  func capabilities(at level: ExtensionLevel) -> RepositoryCapabilities

  /// Performs an operation of a client: sends what is to be sent and reads what is answered.
  ///
  /// The operations are those of a repository: page, detail, register, verify, update, delete, seller
  /// and rename. A product that comes back has a version in any case; what verifying comes back with
  /// says nothing. By default one request does it all.
  func perform(
    _ operation: MarketOperation, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> MarketResult

  /// The products among which one is that was registered last; the newest page by default.
  func latestProducts(over line: any ServerRequestPerformer) async throws(RepositoryError)
    -> [Product]

  /// The number of products that a query finds; what the first page says by default.
  func total(
    of query: ProductQuery, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductTotal

  /// Names the price and discount of an edit as the dialect can write them.
  ///
  /// In a patch the discount is the amount taken off and stays when only the price changes; v1
  /// names the price to pay instead and keeps that. Throws `.invalid` where the discount would be
  /// above the price.
  func patch(
    _ patch: ProductPatch, changing current: Price
  ) throws(RepositoryError) -> ProductPatch

  /// Writes an operation that takes one request; throws `.unsupported` for any other.
  func request(for operation: MarketOperation) throws(RepositoryError) -> HTTPRequest

  /// Reads the answer to `.page`: a row that cannot be read costs itself alone.
  func page(
    from response: HTTPResponse, for request: PageRequest
  ) throws(RepositoryError) -> ProductPage

  /// Reads a product in the answer to an operation.
  func detail(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail

  /// Reads the answer to `.seller` and `.changeSeller`; `.unsupported` by default.
  func seller(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> Seller

  /// Reads the answer to `.question`; `.unsupported` by default.
  func result(
    from response: HTTPResponse, for operation: QuestionOperation
  ) throws(RepositoryError) -> MarketResult

  // MARK: server half

  /// Whether a path is one of this dialect.
  func owns(_ target: RequestTarget) -> Bool

  /// Reads a request; nil where the path belongs to another dialect.
  func operation(from request: HTTPRequest) throws(RequestProblem) -> MarketOperation?

  /// Writes a result as the answer to a request, with all its headers but `Content-Length` and
  /// `Date`.
  ///
  /// The operation is the one that was read from the request; the result must be of its kind.
  func response(
    with result: MarketResult, to operation: MarketOperation, in request: HTTPRequest,
    pictures: PictureAddresses
  ) -> HTTPResponse

  /// Writes a failure.
  func response(
    failing error: RepositoryError, to operation: MarketOperation, pictures: PictureAddresses
  ) -> HTTPResponse

  /// Writes the answer to a request that is no operation.
  func response(to problem: RequestProblem) -> HTTPResponse
}

/// The harmless requests that show whether a server speaks a dialect.
package struct DialectProbe: Hashable, Sendable {
  /// Asked first, and alone where the user has said which dialect it is; nil where there is nothing
  /// to ask.
  ///
  /// The headers of the answer tell of our additions.
  package var greeting: RequestTarget?
  /// The page whose form shows the dialect.
  package var page: RequestTarget

  package init(greeting: RequestTarget? = nil, page: RequestTarget) {
    self.greeting = greeting
    self.page = page
  }
}

/// Way to one server, over which a dialect performs.
package protocol ServerRequestPerformer: Sendable {
  /// How much of our additions the server announces.
  var level: ExtensionLevel { get }

  /// Sends a request; the answer comes whatever its status is.
  func send(_ request: HTTPRequest) async throws(RepositoryError) -> HTTPResponse

  /// The whole file of a picture that the server names, to be sent again.
  func file(of picture: Picture) async throws(RepositoryError) -> [UInt8]
}

extension ServerRequestPerformer {
  /// Whether the server announces our additions.
  var isExtended: Bool { level > .none }
}

extension MarketDialect {
  package var fieldsNotCarried: Set<ProductField> { [] }

  package func perform(
    _ operation: MarketOperation, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> MarketResult {
    try await exchange(operation, over: line)
  }

  package func latestProducts(
    over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> [Product] {
    try await page(PageRequest(), over: line).products
  }

  package func total(
    of query: ProductQuery, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductTotal {
    try await page(PageRequest(query: query), over: line).total
  }

  package func seller(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> Seller {
    throw .unsupported
  }

  package func result(
    from response: HTTPResponse, for operation: QuestionOperation
  ) throws(RepositoryError) -> MarketResult {
    throw .unsupported
  }

  /// A page, asked for and read.
  package func page(
    _ request: PageRequest, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductPage {
    guard case .page(let page) = try await perform(.page(request), over: line) else {
      throw .unsupported
    }
    return page
  }

  /// The product that an operation answers.
  package func product(
    answering operation: MarketOperation, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductDetail {
    guard case .detail(let detail) = try await perform(operation, over: line) else {
      throw .unsupported
    }
    return detail
  }

  /// One request and its answer.
  func exchange(
    _ operation: MarketOperation, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> MarketResult {
    let response = try await line.send(try request(for: operation))
    switch operation {
    case .page(let request): return .page(try page(from: response, for: request))
    case .seller, .changeSeller: return .seller(try seller(from: response, for: operation))
    case .detail, .register, .verify, .update, .delete:
      return .detail(try detail(from: response, for: operation).versioned)
    case .question(let operation): return try result(from: response, for: operation)
    case .health, .requestDeletion, .confirmDeletion, .picture: throw .unsupported
    }
  }

  /// Reads what a deletion answered: the product, or nil where it says less.
  ///
  /// An answer that is a page of HTML is an error, for that is no word of a market.
  package func deleted(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail? {
    do throws(RepositoryError) {
      return try detail(from: response, for: operation)
    } catch .badAnswer(.unreadable) {
      return nil
    } catch {
      throw error
    }
  }
}

// What takes the place of versions and idempotency at servers that have neither: the product is read
// before it is written, and looked for before it is registered again.

extension MarketDialect {
  /// Edits a product after reading it: a version other than the expected one is a conflict.
  func updateAfterReading(
    _ update: ProductUpdate, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> MarketResult {
    var update = update
    if case .list? = update.patch.pictures,
      !capabilities(at: line.level).changesPictures
    {
      throw .unsupported
    }
    let current = try await product(answering: .detail(update.id), over: line)
    if let expected = update.expected, expected != current.version {
      throw .conflict(current: current)
    }
    update.expected = nil
    if let price = current.product.pricing.price {
      update.patch = try patch(update.patch, changing: price)
    }
    update.patch.pictures = try await files(of: update.patch.pictures, over: line)
    return try await exchange(.update(update), over: line)
  }

  /// Looks among the latest products for one that is just like a registration that was sent before,
  /// with an outcome that nobody knows.
  package func arrival(
    of registration: ProductRegistration, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductDetail? {
    for product in try await latestProducts(over: line) where registration.describes(product) {
      let detail = try await self.product(answering: .detail(product.id), over: line)
      if registration.describes(detail) { return detail }
    }
    return nil
  }

  /// Where a list of pictures replaces the whole set, those that stay are sent again.
  private func files(
    of pictures: ProductPatch.Pictures?, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductPatch.Pictures? {
    guard case .list(let elements)? = pictures else { return pictures }
    var files: [ProductPatch.Pictures.Element] = []
    for element in elements {
      switch element {
      case .new: files.append(element)
      case .kept(let picture): files.append(.new(try await line.file(of: picture)))
      }
    }
    return .list(files)
  }
}

extension ProductDetail {
  /// The product with a version in any case: where the server has none, a digest of everything an
  /// edit can change.
  ///
  /// A change that is made and undone in between goes unseen, and does no harm.
  var versioned: ProductDetail {
    guard version == nil else { return self }
    var digest = ContentDigest()
    for text in content { digest.add(text) }
    var detail = self
    detail.version = ProductVersion(rawValue: "content-" + String(digest.value, radix: 16))
    return detail
  }
}

extension ContentDigest {
  /// Adds a text and a byte that no text holds, so that texts do not run into each other.
  fileprivate mutating func add(_ text: String) {
    add(Array(text.utf8) + [0xFF])
  }
}
