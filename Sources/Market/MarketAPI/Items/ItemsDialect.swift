import MarketModel

/// The dialect of 2021 (v1): `/items/:page` and `/item/:id`, a password for each product, no sellers.
///
/// A page has 20 items and no count; an empty page marks the end. Prices are whole units;
/// `discounted_price` is the price to pay.
package struct ItemsDialect: MarketDialect {
  /// Number of items in a page; v1 clients cannot request another number.
  package static let pageSize = 20

  package let name = "2021"
  package let family = "items"
  package var fieldsNotCarried: Set<ProductField> { Self.fields.notCarried }
  private static let fields = ItemFields()

  package init() {}

  package var greeting: RequestTarget? { nil }

  package func isSpoken(in page: HTTPResponse) -> Bool {
    page.status.isSuccess && page.root?["items"]?.isArray == true
  }

  package func capabilities(announced: Set<ServerCapability>) -> RepositoryCapabilities {
    var capabilities = RepositoryCapabilities(
      orders: [.newest], parts: [], paging: .number,
      changesPictures: true, hasVersions: false, isIdempotent: false,
      currencies: .any(suggested: ["KRW", "USD", "JPY", "EUR", "CNY", "GBP"].map(Currency.init)))
    // Of our additions, v1 carries fields of products.
    let all = RepositoryCapabilities(announced: announced, currencies: capabilities.currencies)
    capabilities.lackingFields = all.lackingFields
    capabilities.passwordTries = all.passwordTries
    capabilities.scannable = capabilities.partsOfRows.subtracting([.seller])
    return capabilities
  }

  package func patch(
    _ patch: ProductPatch, changing current: Price
  ) throws(RepositoryError) -> ProductPatch {
    try patch.namingPriceToPay(changing: current)
  }

  package func perform(
    _ operation: MarketOperation, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> MarketResult {
    switch operation {
    case .verify(let id, _, _):
      try await distinguishing(id, over: line) { () throws(RepositoryError) in
        try await exchange(operation, over: line)
      }
    case .update(let update):
      try await distinguishing(update.id, over: line) { () throws(RepositoryError) in
        try await updateAfterReading(update, over: line)
      }
    case .delete(let id, _, _): .detail(try await delete(id, by: operation, over: line))
    default: try await exchange(operation, over: line)
    }
  }

  /// The order is the server's own, so the newest products may be at either end.
  /// - Throws: what `page(_:over:)` throws.
  package func latestProducts(
    over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> [Product] {
    let products = try await PageBoundsFinder.products { number throws(RepositoryError) in
      try await page(PageRequest(position: .page(number)), over: line).products
    }
    return products.reversed()
  }

  /// v1 has no count, but at most some forty requests find the last page.
  /// - Throws: what `page(_:over:)` throws.
  package func total(
    of query: ProductQuery, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductTotal {
    guard query == ProductQuery() else { return .unknown }
    let last = try await PageBoundsFinder.lastPage { number throws(RepositoryError) in
      let page = try await page(PageRequest(position: .page(number)), over: line)
      return page.products.count + page.unreadableRows
    }
    return last.map { .exactly(max(0, $0.number - 1) * Self.pageSize + $0.count) } ?? .unknown
  }

  private func delete(
    _ id: Product.ID, by operation: MarketOperation, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> ProductDetail {
    let current = try await product(answering: .detail(id), over: line)
    let response = try await line.send(try request(for: operation))
    var deleted = try deleted(from: response, for: operation) ?? current
    deleted.version = current.version
    return deleted
  }

  /// Tells a wrong password from a missing product, which v1 reports alike, by requesting the product.
  private func distinguishing(
    _ id: Product.ID, over line: any ServerRequestPerformer,
    _ body: () async throws(RepositoryError) -> MarketResult
  ) async throws(RepositoryError) -> MarketResult {
    do throws(RepositoryError) {
      return try await body()
    } catch {
      if error == .wrongPassword { _ = try await product(answering: .detail(id), over: line) }
      throw error
    }
  }

  var failures: ErrorResponseEncoder {
    ErrorResponseEncoder(
      fields: Self.fields, wrongPassword: .notFound, notOwner: .notFound,
      tooManyAttempts: .notFound,
      tooManyRequests: .badRequest, marketFull: .badRequest, blocked: .badRequest,
      keyReused: .badRequest)
  }
}

/// Client half: operations to requests.
extension ItemsDialect {
  package func request(for operation: MarketOperation) throws(RepositoryError) -> HTTPRequest {
    switch operation {
    case .page(let request): HTTPRequest(.get, ItemsRoute.page(try number(of: request)).target)
    case .detail(let id): HTTPRequest(.get, ItemsRoute.item(id).target)
    case .register(let registration, _, let key):
      try request(registering: registration, key)
    case .verify(let id, let password, let author):
      try request(
        updating: ProductUpdate(
          id: id, patch: ProductPatch(), password: password, author: author))
    case .update(let update): try request(updating: update)
    case .delete(let id, let password, _): deletion(of: id, password)
    case .picture(let address): HTTPRequest(.get, RequestTarget(path: address.path))
    case .health, .requestDeletion, .confirmDeletion, .seller, .changeSeller, .question, .report:
      throw .unsupported
    }
  }

  private func request(
    registering registration: ProductRegistration, _ key: IdempotencyKey?
  ) throws(RepositoryError) -> HTTPRequest {
    var request = form(.post, .items, try Self.fields.write(registration, in: .parts))
    request.idempotencyKey = key
    return request
  }

  private func request(updating update: ProductUpdate) throws(RepositoryError) -> HTTPRequest {
    // An empty value of a form counts as not sent.
    guard update.patch.description != "" else {
      throw .invalid([FieldError(.description, .missing)])
    }
    return form(.patch, .item(update.id), try Self.fields.write(update, in: .parts))
  }

  private func number(of request: PageRequest) throws(RepositoryError) -> Int {
    guard request.query == ProductQuery() else { throw .unsupported }
    switch request.position {
    case .first: return 1
    case .number(let number): return number
    case .after: throw .unsupported
    }
  }

  private func form(
    _ method: HTTPMethod, _ route: ItemsRoute, _ writer: RequestWriter
  ) -> HTTPRequest {
    let form = MultipartForm(parts: writer.parts).encoded()
    return HTTPRequest(
      method, route.target, headers: [HeaderName.contentType: form.contentType], body: form.body)
  }

  private func deletion(of id: Product.ID, _ password: Password) -> HTTPRequest {
    var writer = RequestWriter(.object)
    writer.password("password", password)
    return HTTPRequest(
      .delete, ItemsRoute.item(id).target,
      headers: [HeaderName.contentType: "application/json"], body: writer.body)
  }
}

/// Client half: responses to results.
extension ItemsDialect {
  package func page(
    from response: HTTPResponse, for request: PageRequest
  ) throws(RepositoryError) -> ProductPage {
    try check(response, .page(request))
    let rows = try response.read { page throws(ResponseDecodingError) in
      try PageRows(of: page, in: "items", reading: ItemReader.product)
    }
    let number = request.position.pageNumber
    return ProductPage(
      products: rows.products, total: .unknown,
      next: rows.isEmpty || number == .max ? nil : .number(number + 1),
      unreadableRows: rows.unreadable)
  }

  package func detail(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail {
    try check(response, operation)
    return try response.read(ItemReader.detail)
  }

  private func check(
    _ response: HTTPResponse, _ operation: MarketOperation
  ) throws(RepositoryError) {
    guard !response.status.isSuccess else { return }
    throw ErrorResponseDecoder(
      fields: Self.fields, hidesWrongPasswords: true, current: { try? ItemReader.detail($0) }
    ).error(of: response, to: operation)
  }
}

/// The paths of v1, written and read by one definition.
private enum ItemsRoute: Hashable {
  /// `/items/:page`; nil for an invalid page number.
  case page(Int?)
  /// `/item`
  case items
  /// `/item/:id`
  case item(Product.ID)

  var target: RequestTarget {
    switch self {
    case .page(let number): RequestTarget(segments: ["items", String(number ?? 1)])
    case .items: "/item"
    case .item(let id): RequestTarget(segments: ["item", String(id.rawValue)])
    }
  }

  /// Reads the segments of a path in any case; nil for a path of another dialect.
  init?(segments: [String]) {
    switch (segments.first?.lowercased(), segments.count) {
    case ("items", 2): self = .page(Int(segments[1]).flatMap { $0 >= 1 ? $0 : nil })
    case ("item", 1): self = .items
    case ("item", 2):
      guard let id = Product.ID(segment: segments[1]) else { return nil }
      self = .item(id)
    default: return nil
    }
  }
}

/// Finds the ends of a list of unknown length and order, the far one by doubling and bisection.
private enum PageBoundsFinder {
  /// Maximum number of pages; longer lists are treated as endless.
  private static let limit = 1 << 20

  /// The products of the first page and of the last two that are not empty; `page` reads a page by its
  /// number from 1, which is empty past the end.
  /// - Throws: what `page` throws.
  static func products(
    reading page: (Int) async throws(RepositoryError) -> [Product]
  ) async throws(RepositoryError) -> [Product] {
    let last = try await lastPage { number throws(RepositoryError) in
      try await page(number).count
    }
    guard let last else { return [] }
    var products: [Product] = []
    for number in Set([1, max(1, last.number - 1), max(1, last.number)]).sorted() {
      products += try await page(number)
    }
    return products
  }

  /// The last page that is not empty, and the number of its rows; page 0 of an empty list, nil for an
  /// endless one.
  /// - Throws: what `page` throws.
  static func lastPage(
    counting page: (Int) async throws(RepositoryError) -> Int
  ) async throws(RepositoryError) -> (number: Int, count: Int)? {
    var last = (number: 0, count: 0)
    var empty = 1
    while case let count = try await page(empty), count > 0 {
      guard empty < limit else { return nil }
      last = (empty, count)
      empty *= 2
    }
    while empty - last.number > 1 {
      let middle = (last.number + empty) / 2
      let count = try await page(middle)
      if count == 0 { empty = middle } else { last = (middle, count) }
    }
    return last
  }
}

/// Server half: requests to operations, and results to responses.
extension ItemsDialect {
  package func owns(_ target: RequestTarget) -> Bool {
    ItemsRoute(segments: target.segments) != nil
  }

  package func operation(
    from request: HTTPRequest
  ) throws(RequestProblem) -> MarketOperation? {
    guard let route = ItemsRoute(segments: request.target.segments) else { return nil }
    switch (route, request.method) {
    case (.page(let number), .get), (.page(let number), .head):
      guard let number else { throw .malformed(part: "page", reason: "must be 1 or more") }
      return .page(PageRequest(position: .page(number), size: Self.pageSize))
    case (.item(let id), .get), (.item(let id), .head): return .detail(id)
    case (.items, .post):
      return .register(
        try Self.fields.registration(from: try fields(of: request)), .guest,
        request.idempotencyKey)
    case (.item(let id), .patch):
      return try Self.fields.edit(of: id, by: .guest, from: try fields(of: request))
    case (.item(let id), .delete):
      return .delete(id, try Self.fields.password(from: try fields(of: request)), .guest)
    case (.page, _): throw .methodNotAllowed([.get, .head])
    case (.items, _): throw .methodNotAllowed([.post])
    case (.item, _): throw .methodNotAllowed([.get, .head, .patch, .delete])
    }
  }

  private func fields(of request: HTTPRequest) throws(RequestProblem) -> RequestFields {
    try RequestFields(of: request, fields: Self.fields)
  }

  /// Whether a deletion is from the first clients, which send the product's number along with the
  /// password, and read only the number.
  private func isEarlyDeletion(_ request: HTTPRequest) -> Bool {
    (try? fields(of: request))?["id"] != nil
  }

  package func response(
    with result: MarketResult, to operation: MarketOperation, in request: HTTPRequest,
    pictures: PictureAddresses
  ) -> HTTPResponse {
    let items = ItemWriter(pictures: pictures)
    var writer: JSONWriter
    switch (result, operation) {
    case (.page(let page), .page(let request)):
      writer = JSONWriter(capacity: 64 + page.products.count * 320)
      writer.beginObject()
      writer.member("page", Int64(request.position.pageNumber))
      writer.key("items")
      writer.beginArray()
      let form = ListedRow.Form(dialect: name, base: pictures.base)
      for row in page.rows {
        writer.raw(
          row.bytes(in: form) {
            var writer = JSONWriter()
            items.write(row.product, to: &writer)
            return writer.bytes
          })
      }
      for product in page.products.dropFirst(page.rows.count) {
        items.write(product, to: &writer)
      }
      writer.endArray()
      writer.endObject()
    case (.detail(let detail), .delete) where isEarlyDeletion(request):
      writer = JSONWriter()
      writer.beginObject()
      writer.member("id", detail.id.rawValue)
      writer.endObject()
    case (.detail(let detail), _):
      writer = JSONWriter(capacity: 1_024 + detail.description.utf8.count)
      items.write(detail, to: &writer)
    case (.picture(let picture), .picture(let address)):
      return .picture(picture, at: address, for: request)
    case (.healthy, _), (.page, _), (.deletionToken, _), (.seller, _), (.picture, _),
      (.questions, _), (.question, _), (.questionDeleted, _), (.reported, _):
      return HTTPResponse(.internalServerError)
    }
    return .json(.ok, writer.bytes)
  }

  package func response(
    failing error: RepositoryError, to operation: MarketOperation, pictures: PictureAddresses
  ) -> HTTPResponse {
    failures.response(to: error) { detail in
      var writer = JSONWriter()
      ItemWriter(pictures: pictures).write(detail, to: &writer)
      return writer.bytes
    }
  }

  package func response(to problem: RequestProblem) -> HTTPResponse {
    failures.response(to: problem)
  }
}
