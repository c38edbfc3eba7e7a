import MarketModel

/// The dialect of 2022 and 2023 (v2): `/api/products`, sellers by identifier, deletion in two steps.
///
/// `discounted_price` is the amount taken off. Servers of either year read the requests of both; their
/// responses have the keys of both, except for dates and the deletion's route.
package struct ProductsDialect: MarketDialect {
  package enum Variant: String, Hashable, Sendable, CaseIterable {
    /// Dates end in `T00:00:00.00`; a deletion key is requested at `/secret`.
    case y2022 = "2022"
    /// Dates end in `T00:00:00`; a deletion path is requested at `/archived`.
    case y2023 = "2023"
  }

  /// Page size where a client gives none.
  static let defaultPageSize = 20

  package let variant: Variant
  /// Time zone of days in responses.
  private let timeZone: TimeZone
  package var name: String { variant.rawValue }
  package let family = "products"
  var fields: ProductFields { ProductFields(variant: variant) }
  package var fieldsNotCarried: Set<ProductField> { fields.notCarried }

  package init(variant: Variant, daysIn timeZone: TimeZone = .utc) {
    self.variant = variant
    self.timeZone = timeZone
  }

  package var greeting: RequestTarget? { ProductsRoute.health.target }

  /// Pages of 2023 have camel-case keys; those of 2022 have dates with a fraction, also where a server
  /// writes the keys of both.
  package func isSpoken(in page: HTTPResponse) -> Bool {
    guard page.status.isSuccess, let root = page.root, let rows = root["pages"], rows.isArray else {
      return false
    }
    var products = rows.elements
    let hasFraction = products.next()?["created_at"]?.string?.contains(".") ?? false
    return variant == (hasFraction || root["pageNo"] == nil ? .y2022 : .y2023)
  }

  package func capabilities(announced: Set<ServerCapability>) -> RepositoryCapabilities {
    var capabilities = RepositoryCapabilities(
      announced: announced, currencies: .only([.krw, .usd]))
    if announced.isEmpty, variant == .y2023 { capabilities.parts = [.words] }
    capabilities.scannable = capabilities.partsOfRows
    return capabilities
  }

  package func patch(
    _ patch: ProductPatch, changing current: Price
  ) throws(RepositoryError) -> ProductPatch {
    try patch.namingAmount(changing: current)
  }

  /// Options of a server's responses.
  func form(_ pictures: PictureAddresses) -> ResponseOptions {
    ResponseOptions(
      pictures: pictures, dates: variant == .y2022 ? .fraction : .seconds, timeZone: timeZone)
  }

  /// Form of the rows of its pages.
  func rowForm(_ pictures: PictureAddresses) -> ListedRow.Form {
    ListedRow.Form(dialect: name, base: pictures.base, daysIn: timeZone)
  }

  var failures: ErrorResponseEncoder {
    ErrorResponseEncoder(
      fields: fields, wrongPassword: .unauthorized, notOwner: .forbidden,
      tooManyAttempts: .tooManyRequests, tooManyRequests: .tooManyRequests,
      marketFull: .insufficientStorage, blocked: .forbidden, keyReused: .unprocessableContent)
  }
}

/// Client operations of several requests: deletions take two, and most servers have neither versions nor
/// sellers.
extension ProductsDialect {
  package func perform(
    _ operation: MarketOperation, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> MarketResult {
    switch operation {
    case .page(let request): return .page(try await listed(request, over: line))
    // On other servers an empty edit may have any effect; clients check passwords by the first step of a
    // deletion.
    case .verify(let id, let password, let author) where !line.announced.contains(.versions):
      let target = try await deletionTarget(of: id, password, author, over: line)
      return .deletionToken(target.segments.last ?? "")
    case .update(let update) where !line.announced.contains(.versions):
      return try await updateAfterReading(update, over: line)
    case .delete(let id, let password, let author):
      return .detail(try await delete(id, password, author, over: line))
    case .seller, .changeSeller:
      guard line.announced.contains(.contact) else { throw .unsupported }
      return try await exchange(operation, over: line)
    case .question:
      guard line.announced.contains(.questions) else { throw .unsupported }
      return try await exchange(operation, over: line)
    case .report:
      guard line.announced.contains(.reports) else { throw .unsupported }
      try check(try await line.send(try request(for: operation)), operation)
      return .reported
    default: return try await exchange(operation, over: line)
    }
  }

  /// A page of a list; how exact its count is, is asked of servers that tell it.
  private func listed(
    _ request: PageRequest, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductPage {
    // An empty list of ids cannot be expressed as a parameter.
    if request.query.ids?.isEmpty == true { return .nothing }
    let target = RequestTarget(
      path: ProductsRoute.products.target.path,
      query: PageParameters.write(request, asksCount: line.announced.contains(.cursors)))
    return try page(from: try await line.send(HTTPRequest(.get, target)), for: request)
  }

  private func delete(
    _ id: Product.ID, _ password: Password, _ author: Author, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductDetail {
    let current = try await product(answering: .detail(id), over: line)
    let target = try await deletionTarget(of: id, password, author, over: line)
    let response = try await line.send(
      HTTPRequest(.delete, target, headers: try headers(author)))
    let last = MarketOperation.confirmDeletion(token: target.path, of: id, author)
    var deleted = try deleted(from: response, for: last) ?? current
    deleted.version = current.version
    return deleted
  }

  /// Runs the first step of a deletion, and returns the target of the second.
  ///
  /// A server of the other year has another route.
  ///
  /// - Throws: `.wrongPassword`; `.notFound` or `.unsupported` where neither route exists; what
  ///   `deletionTarget(from:for:)` throws.
  private func deletionTarget(
    of id: Product.ID, _ password: Password, _ author: Author, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> RequestTarget {
    let operation = MarketOperation.requestDeletion(id, password, author)
    var failure = RepositoryError.unsupported
    for variant in [variant, variant == .y2022 ? .y2023 : .y2022] {
      let dialect = ProductsDialect(variant: variant)
      let response = try await line.send(try dialect.request(for: operation))
      do throws(RepositoryError) {
        return try dialect.deletionTarget(from: response, for: operation)
      } catch {
        guard error == .notFound || error == .unsupported else { throw error }
        failure = error
      }
    }
    throw failure
  }
}

/// Client half: operations to requests.
extension ProductsDialect {
  package func request(for operation: MarketOperation) throws(RepositoryError) -> HTTPRequest {
    switch operation {
    case .health: HTTPRequest(.get, ProductsRoute.health.target)
    case .page(let request):
      HTTPRequest(
        .get,
        RequestTarget(
          path: ProductsRoute.products.target.path, query: PageParameters.write(request)))
    case .detail(let id): HTTPRequest(.get, ProductsRoute.product(id).target)
    case .register(let registration, let author, let key):
      try request(registering: registration, by: author, key)
    case .verify(let id, let password, let author):
      try request(
        updating: ProductUpdate(
          id: id, patch: ProductPatch(), password: password, author: author))
    case .update(let update): try request(updating: update)
    case .requestDeletion(let id, let password, let author):
      json(.post, .deletion(id, variant), try headers(author), secret(password))
    case .confirmDeletion(let token, let id, let author):
      HTTPRequest(
        .delete, ProductsRoute.deletion(by: token, of: id).target, headers: try headers(author))
    case .seller(let identifier):
      HTTPRequest(.get, ProductsRoute.seller.target, headers: try headers(.seller(identifier)))
    case .changeSeller(let identifier, let change):
      json(.patch, .seller, try headers(.seller(identifier)), body(change))
    case .picture(let address): HTTPRequest(.get, RequestTarget(path: address.path))
    case .question(let operation): try request(for: operation)
    case .report(let report, let author): try request(reporting: report, by: author)
    case .delete: throw .unsupported
    }
  }

  private func request(
    registering registration: ProductRegistration, by author: Author, _ key: IdempotencyKey?
  ) throws(RepositoryError) -> HTTPRequest {
    let headers = try headers(author)
    var request = form(
      .post, .products, headers, try fields.write(registration, in: .object))
    request.idempotencyKey = key
    return request
  }

  private func request(updating update: ProductUpdate) throws(RepositoryError) -> HTTPRequest {
    var headers = try headers(update.author)
    if let expected = update.expected {
      headers.add(EntityTag(value: expected.rawValue).text, for: HeaderName.ifMatch)
    }
    let writer = try fields.write(update, in: .object)
    let route = ProductsRoute.product(update.id)
    if writer.files.isEmpty { return json(.patch, route, headers, writer) }
    return form(.patch, route, headers, writer)
  }

  /// The identifier header of a seller.
  /// - Throws: `.unsupported` for a guest.
  func headers(_ author: Author) throws(RepositoryError) -> HTTPHeaders {
    guard case .seller(let identifier) = author else { throw .unsupported }
    return [HeaderName.identifier: identifier.secret]
  }

  private func secret(_ password: Password) -> RequestWriter {
    var writer = RequestWriter(.object)
    writer.password("secret", password)
    return writer
  }

  private func body(_ change: SellerChange) -> RequestWriter {
    var writer = RequestWriter(.object)
    if let name = change.name { writer.text("name", name) }
    switch change.contact {
    case .set(let contact): writer.text(SellerMember.contact, contact.text)
    case .removed: writer.text(SellerMember.contact, "")
    case nil: break
    }
    return writer
  }

  private func json(
    _ method: HTTPMethod, _ route: ProductsRoute, _ headers: HTTPHeaders,
    _ writer: RequestWriter
  ) -> HTTPRequest {
    var headers = headers
    headers.add("application/json", for: HeaderName.contentType)
    return HTTPRequest(method, route.target, headers: headers, body: writer.body)
  }

  private func form(
    _ method: HTTPMethod, _ route: ProductsRoute, _ headers: HTTPHeaders,
    _ writer: RequestWriter
  ) -> HTTPRequest {
    let params = MultipartPart(
      name: "params", contentType: "application/json", bytes: writer.body)
    let pictures = MultipartPart.pictures(writer.files, named: "images")
    let form = MultipartForm(parts: [params] + pictures).encoded()
    var headers = headers
    headers.add(form.contentType, for: HeaderName.contentType)
    return HTTPRequest(method, route.target, headers: headers, body: form.body)
  }
}

/// Client half: responses to results.
extension ProductsDialect {
  package func page(
    from response: HTTPResponse, for request: PageRequest
  ) throws(RepositoryError) -> ProductPage {
    try check(response, .page(request))
    return try response.read { value throws(ResponseDecodingError) in
      let rows = try PageRows(of: value, in: "pages", reading: reader.product)
      return ProductPage(
        products: rows.products, total: total(value),
        next: rows.isEmpty ? nil : next(value, after: request),
        unreadableRows: rows.unreadable)
    }
  }

  package func detail(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail {
    try check(response, operation)
    // A deleted product has no version.
    let version: ProductVersion? =
      switch operation {
      case .delete, .confirmDeletion: nil
      default: version(in: response)
      }
    return try response.read { value throws(ResponseDecodingError) in
      try reader.detail(value, version: version)
    }
  }

  /// Reads the response to `.seller` and `.changeSeller`.
  /// - Throws: the error in the response; `.badAnswer(.unreadable)`.
  package func seller(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> Seller {
    try check(response, operation)
    return try response.read { value throws(ResponseDecodingError) in
      Seller(
        id: Seller.ID(rawValue: try value.integer(of: "id")),
        name: try value.name(of: "name", .sellerName), contact: value.contact)
    }
  }

  /// Reads the response to `.requestDeletion`: the target of the second step, from a bare key or a path,
  /// with or without quotes.
  ///
  /// A key of 2022 follows the product's number in the path; one of 2023 is used alone.
  ///
  /// - Throws: the error in the response; `.badAnswer(.unreadable)` for a body that is neither a key nor
  ///   a path.
  package func deletionTarget(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> RequestTarget {
    try check(response, operation)
    let text = String(decoding: response.body.prefix(2_048), as: UTF8.self).unquoted
    guard case .requestDeletion(let id, _, _) = operation, !text.isEmpty,
      text.utf8.count <= Self.deletionKeyBytes, text.utf8.allSatisfy(Self.isAllowedInPath)
    else { throw .badAnswer(.unreadable) }
    if text.hasPrefix("/") {
      guard !text.hasPrefix("//") else { throw .badAnswer(.unreadable) }
      return RequestTarget(path: text)
    }
    guard !text.contains("/") else { throw .badAnswer(.unreadable) }
    return ProductsRoute.deletion(by: text, of: variant == .y2022 ? id : nil).target
  }

  /// Maximum length of a deletion key, or of a path with one.
  static let deletionKeyBytes = 1_024

  /// Whether a path may contain a byte (RFC 3986): a response never sets a query, a host or a header.
  private static func isAllowedInPath(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "/-._~%!$&'()*+,;=:@".utf8.contains(byte)
    }
  }

  /// The count; an inexact count is the counted number plus 1.
  private func total(_ value: JSONValue) -> ProductTotal {
    guard let total = (value["totalCount"] ?? value["total_count"])?.number?.integer,
      let count = Int(exactly: total)
    else { return .unknown }
    let isExact = value["totalIsExact"]?.bool ?? true
    return isExact ? .exactly(max(0, count)) : .atLeast(max(1, count) - 1)
  }

  private func next(_ value: JSONValue, after request: PageRequest) -> PagePosition? {
    if let cursor = value["nextCursor"]?.string, !cursor.isEmpty,
      cursor.utf8.count <= PageCursor.maxBytes
    {
      return .after(PageCursor(rawValue: cursor))
    }
    if case .after = request.position { return nil }
    let number = request.position.pageNumber
    let last = (value["lastPage"] ?? value["last_page"])?.number?.integer
    let hasNext = (value["hasNext"] ?? value["has_next"])?.bool ?? last.map { $0 > Int64(number) }
    return hasNext == true && number < .max ? .number(number + 1) : nil
  }

  /// The version of a response; only servers with our additions use entity tags for it.
  private func version(in response: HTTPResponse) -> ProductVersion? {
    guard response.headers.announcesAdditions, let header = response.headers[HeaderName.entityTag]
    else { return nil }
    return EntityTag(parsing: header).map { ProductVersion(rawValue: $0.value) }
  }

  private var reader: ProductReader { ProductReader(fields: fields) }

  /// Checks the status of a response.
  /// - Throws: the error in the response, where its status is not 2xx.
  package func check(
    _ response: HTTPResponse, _ operation: MarketOperation
  ) throws(RepositoryError) {
    guard !response.status.isSuccess else { return }
    let version = version(in: response)
    throw ErrorResponseDecoder(
      fields: fields, hidesWrongPasswords: false,
      current: { try? reader.detail($0, version: version) }
    ).error(of: response, to: operation)
  }
}

extension String {
  /// Without white space and one pair of quotes around it.
  fileprivate var unquoted: String {
    let text = trimmed
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast())
  }
}
