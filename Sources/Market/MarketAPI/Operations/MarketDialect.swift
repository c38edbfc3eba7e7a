import MarketModel

/// Protocol dialect of market servers, with a client half and a server half.
///
/// Each half reads what the other writes. The number of requests of an operation, the confirmation of
/// deletions and the detection of conflicts belong to the dialect.
package protocol MarketDialect: Sendable {
  /// Name in `--api` and in the cache: the year of its servers.
  var name: String { get }
  /// Name of its set of paths; a server speaks one dialect of each family.
  var family: String { get }

  /// The product fields that it cannot carry; none by default.
  var fieldsNotCarried: Set<ProductField> { get }

  // MARK: client half

  /// Target without side effects whose response announces our additions, asked for where the user has
  /// chosen the dialect; nil where there is none.
  var greeting: RequestTarget? { get }

  /// Whether a server with this response to the request for a page speaks this dialect.
  func isSpoken(in page: HTTPResponse) -> Bool

  /// Capabilities of a server of this dialect that announces some of our additions, or none.
  func capabilities(announced: Set<ServerCapability>) -> RepositoryCapabilities

  /// Performs a client's operation: sends its requests and reads the responses.
  ///
  /// The operations are those of a repository: page, detail, register, verify, update, delete, seller,
  /// rename and questions. A returned product always has a version; the result of verifying has no
  /// meaning. By default one request does it all.
  ///
  /// - Throws: `.unsupported` for an operation that the dialect or the server does not know; what
  ///   `send(_:)` and the readers below throw.
  func perform(
    _ operation: MarketOperation, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> MarketResult

  /// Products that include the one registered last; the newest page by default.
  /// - Throws: what `perform(_:over:)` throws.
  func latestProducts(over line: any ServerRequestPerformer) async throws(RepositoryError)
    -> [Product]

  /// The number of products that a query finds; the total of the first page by default.
  /// - Throws: what `perform(_:over:)` throws.
  func total(
    of query: ProductQuery, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductTotal

  /// Converts the price and discount of an edit to the form that the dialect can write.
  ///
  /// A patch has the discount as an amount, which stays when only the price changes; v1 has the price to
  /// pay instead, which stays then.
  ///
  /// - Throws: `.invalid` where the discount would exceed the price.
  func patch(
    _ patch: ProductPatch, changing current: Price
  ) throws(RepositoryError) -> ProductPatch

  /// Writes an operation that takes one request.
  /// - Throws: `.unsupported` for other operations, and for values that the dialect cannot carry;
  ///   `.invalid` for a fraction where it carries whole numbers.
  func request(for operation: MarketOperation) throws(RepositoryError) -> HTTPRequest

  /// Reads the response to `.page`; an unreadable row is counted and skipped.
  /// - Throws: the error in the response; `.badAnswer(.notAMarket)` for markup; `.badAnswer(.unreadable)`
  ///   for other unreadable bodies.
  func page(
    from response: HTTPResponse, for request: PageRequest
  ) throws(RepositoryError) -> ProductPage

  /// Reads the product in the response to an operation.
  /// - Throws: what `page(from:for:)` throws, also for an unreadable product.
  func detail(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail

  /// Reads the response to `.seller` and `.changeSeller`.
  /// - Throws: `.unsupported` by default; what `page(from:for:)` throws.
  func seller(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> Seller

  /// Reads the response to `.question`.
  /// - Throws: `.unsupported` by default; what `page(from:for:)` throws.
  func result(
    from response: HTTPResponse, for operation: QuestionOperation
  ) throws(RepositoryError) -> MarketResult

  // MARK: server half

  /// Whether a path belongs to this dialect.
  func owns(_ target: RequestTarget) -> Bool

  /// Reads a request; nil where the path belongs to another dialect.
  /// - Throws: `.methodNotAllowed`; `.malformed` for a parameter, header or body; `.invalid` and
  ///   `.invalidQuestion` with all unreadable fields; `.unknownRoute` for an impossible product id.
  func operation(from request: HTTPRequest) throws(RequestProblem) -> MarketOperation?

  /// Writes a result as the response to a request, with all headers except `Content-Length` and `Date`.
  ///
  /// The operation must be the one read from the request, and the result of its kind.
  func response(
    with result: MarketResult, to operation: MarketOperation, in request: HTTPRequest,
    pictures: PictureAddresses
  ) -> HTTPResponse

  /// Writes a failure of an operation as its response.
  func response(
    failing error: RepositoryError, to operation: MarketOperation, pictures: PictureAddresses
  ) -> HTTPResponse

  /// Writes the response to a request that is not an operation.
  func response(to problem: RequestProblem) -> HTTPResponse
}

/// Connection to one server, over which a dialect performs operations.
package protocol ServerRequestPerformer: Sendable {
  /// The capabilities that the server announces.
  var announced: Set<ServerCapability> { get }

  /// Sends a request, and returns the response with any status.
  /// - Throws: `.unreachable`, `.badAnswer` or `.cancelled` where there is no response.
  func send(_ request: HTTPRequest) async throws(RepositoryError) -> HTTPResponse

  /// Downloads the original of a picture, to upload it again.
  /// - Throws: what `send(_:)` throws; the error in the response.
  func file(of picture: Picture) async throws(RepositoryError) -> [UInt8]
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
    try await page(PageRequest(query: query, countsExactly: true), over: line).total
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

  /// Requests and reads a page.
  /// - Throws: what `perform(_:over:)` throws.
  package func page(
    _ request: PageRequest, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductPage {
    guard case .page(let page) = try await perform(.page(request), over: line) else {
      throw .unsupported
    }
    return page
  }

  /// Performs an operation whose result is a product.
  /// - Throws: what `perform(_:over:)` throws; `.unsupported` for another result.
  package func product(
    answering operation: MarketOperation, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductDetail {
    guard case .detail(let detail) = try await perform(operation, over: line) else {
      throw .unsupported
    }
    return detail
  }

  /// Sends one request and reads its response.
  /// - Throws: what `send(_:)`, `request(for:)` and the reader of the response throw.
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
    case .health, .requestDeletion, .confirmDeletion, .picture, .report: throw .unsupported
    }
  }

  /// Reads the response to a deletion: the product, or nil where it is not in the response.
  ///
  /// A page of HTML is an error, since it does not come from a market.
  ///
  /// - Throws: what `detail(from:for:)` throws, except `.badAnswer(.unreadable)`.
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

// For servers without versions and idempotency: a product is read before it is changed, and looked for
// before it is registered again.

extension MarketDialect {
  /// Edits a product after reading it.
  /// - Throws: `.conflict` for a version other than the expected one; `.unsupported` for a list of
  ///   pictures that the server cannot take.
  func updateAfterReading(
    _ update: ProductUpdate, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> MarketResult {
    var update = update
    if case .list? = update.patch.pictures,
      !capabilities(announced: line.announced).changesPictures
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

  /// Searches the latest products for one that equals a registration sent before, whose outcome is
  /// unknown; nil where there is none.
  /// - Throws: what `latestProducts(over:)` and `perform(_:over:)` throw.
  package func arrival(
    of registration: ProductRegistration, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductDetail? {
    for product in try await latestProducts(over: line) where registration.describes(product) {
      let detail = try await self.product(answering: .detail(product.id), over: line)
      if registration.describes(detail) { return detail }
    }
    return nil
  }

  /// Replaces pictures that stay by their files, for servers where an edit replaces the whole set.
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
  /// The product with a version; where the server has none, a digest of all editable fields.
  ///
  /// A change that was undone in between is not detected, and does no harm.
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
  /// Adds a text and a byte that no UTF-8 text contains, which separates texts.
  fileprivate mutating func add(_ text: String) {
    add(Array(text.utf8) + [0xFF])
  }
}
