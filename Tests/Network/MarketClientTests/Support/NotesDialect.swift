import MarketAPI
import MarketModel
import TextCoding

/// A dialect that never was: a product is a note, a line of names and values as in a query.
///
/// Its servers know no sellers and no versions, and delete at once.
struct NotesDialect: MarketDialect {
  static let passwordHeader = "Note-Password"

  let name = "2031"
  let family = "notes"

  // MARK: client half

  let greeting: RequestTarget? = "/notes/hello"

  func isSpoken(in page: HTTPResponse) -> Bool {
    page.status.isSuccess && page.headers[HeaderName.contentType] == "text/notes"
  }

  func capabilities(announced: Set<ServerCapability>) -> RepositoryCapabilities {
    RepositoryCapabilities(
      orders: [.newest], parts: [], paging: .number,
      changesPictures: false, hasVersions: false, isIdempotent: false,
      currencies: .only([.krw]))
  }

  func patch(
    _ patch: ProductPatch, changing current: Price
  ) throws(RepositoryError) -> ProductPatch { patch }

  func perform(
    _ operation: MarketOperation, over line: any ServerRequestPerformer
  ) async throws(RepositoryError) -> MarketResult {
    guard case .update(let update) = operation else {
      return .detail(
        try detail(from: try await line.send(try request(for: operation)), for: operation))
    }
    let read = MarketOperation.detail(update.id)
    let current = try detail(from: try await line.send(try request(for: read)), for: read)
    if let expected = update.expected, expected != current.version {
      throw .conflict(current: current)
    }
    let response = try await line.send(try request(for: operation))
    return .detail(try detail(from: response, for: operation))
  }

  func request(for operation: MarketOperation) throws(RepositoryError) -> HTTPRequest {
    switch operation {
    case .page(let request):
      return HTTPRequest(.get, RequestTarget(parsing: "/notes?page=\(request.position.pageNumber)"))
    case .detail(let id): return HTTPRequest(.get, target(id))
    case .register(let registration, _, _):
      var note = QueryItems()
      note.add(registration.name, for: "name")
      note.add(registration.description, for: "text")
      note.add(String(registration.price.hundredths), for: "price")
      note.add(Hexadecimal.text(of: registration.pictures.first ?? []), for: "picture")
      return write(.post, "/notes", note, registration.password)
    case .verify(let id, let password, _):
      return write(.patch, target(id), QueryItems(), password)
    case .update(let update):
      var note = QueryItems()
      if let name = update.patch.name { note.add(name, for: "name") }
      return write(.patch, target(update.id), note, update.password)
    case .delete(let id, let password, _):
      return write(.delete, target(id), QueryItems(), password)
    case .health, .requestDeletion, .confirmDeletion, .seller, .changeSeller, .picture, .question,
      .report:
      throw .unsupported
    }
  }

  func page(
    from response: HTTPResponse, for request: PageRequest
  ) throws(RepositoryError) -> ProductPage {
    let products = response.notes.compactMap { product($0)?.product }
    return ProductPage(
      products: products, total: .unknown,
      next: products.isEmpty ? nil : .number(request.position.pageNumber + 1))
  }

  func detail(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail {
    switch response.status {
    case .ok: break
    case .forbidden: throw .wrongPassword
    case .notFound: throw .notFound
    default: throw .badAnswer(.status(response.status.rawValue))
    }
    guard let detail = response.notes.first.flatMap(product) else { throw .badAnswer(.unreadable) }
    return detail
  }

  private func target(_ id: Product.ID) -> RequestTarget {
    RequestTarget(segments: ["notes", String(id.rawValue)])
  }

  private func write(
    _ method: HTTPMethod, _ target: RequestTarget, _ note: QueryItems, _ password: Password
  ) -> HTTPRequest {
    let word = password.withBytes { String(decoding: Array($0), as: UTF8.self) }
    return HTTPRequest(
      method, target, headers: [Self.passwordHeader: word], body: Array(note.encoded.utf8))
  }

  private func product(_ note: QueryItems) -> ProductDetail? {
    guard let id = note["id"].flatMap({ Product.ID(segment: $0) }), let name = note["name"],
      let price = note["price"].flatMap({ Int64($0) }),
      let pricing = Price(full: Money(hundredths: price, currency: .krw), discountHundredths: 0)
    else { return nil }
    let time = Timestamp(seconds: 0, precision: .day)
    let product = Product(
      id: id, seller: .guest, name: name, pricing: .readable(pricing), stock: 1, created: time,
      changed: time, thumbnail: nil)
    return ProductDetail(
      product: product, description: note["text"] ?? "", pictures: [],
      version: ProductVersion(rawValue: note.encoded))
  }

  // MARK: server half

  func owns(_ target: RequestTarget) -> Bool { target.segments.first == "notes" }

  func operation(from request: HTTPRequest) throws(RequestProblem) -> MarketOperation? {
    guard owns(request.target) else { return nil }
    let words = request.target.segments
    let id = words.count > 1 ? Product.ID(segment: words[1]) : nil
    let password = Password(request.headers[Self.passwordHeader] ?? "")
    let note = QueryItems(parsing: request.body[...])
    switch (request.method, id) {
    case (.get, nil) where words.count > 1: return .health
    case (.get, nil):
      let number = request.target.query["page"].flatMap { Int($0) } ?? 1
      return .page(PageRequest(position: number == 1 ? .first : .number(number)))
    case (.get, let id?): return .detail(id)
    case (.post, nil):
      let price = note["price"].flatMap { Int64($0) } ?? 0
      return .register(
        ProductRegistration(
          name: note["name"] ?? "", description: note["text"] ?? "",
          price: Money(hundredths: price, currency: .krw), stock: 1,
          pictures: [Hexadecimal.bytes(of: note["picture"] ?? "").map { Array($0) } ?? []],
          password: password), .guest, nil)
    case (.patch, let id?):
      guard let name = note["name"] else { return .verify(id, password, .guest) }
      return .update(
        ProductUpdate(
          id: id, patch: ProductPatch(name: name), password: password, author: .guest))
    case (.delete, let id?): return .delete(id, password, .guest)
    default: throw .methodNotAllowed([.get, .post])
    }
  }

  func response(
    with result: MarketResult, to operation: MarketOperation, in request: HTTPRequest,
    pictures: PictureAddresses
  ) -> HTTPResponse {
    switch result {
    case .page(let page): notes(page.products.map { note($0, "") })
    case .detail(let detail): notes([note(detail.product, detail.description)])
    case .healthy: notes([])
    case .deletionToken, .seller, .picture, .questions, .question, .questionDeleted, .reported:
      HTTPResponse(.internalServerError)
    }
  }

  func response(
    failing error: RepositoryError, to operation: MarketOperation, pictures: PictureAddresses
  ) -> HTTPResponse {
    HTTPResponse(error == .wrongPassword ? .forbidden : .notFound)
  }

  func response(to problem: RequestProblem) -> HTTPResponse {
    HTTPResponse(.badRequest, body: Array("a note says: \(problem)".utf8))
  }

  private func note(_ product: Product, _ text: String) -> String {
    var note = QueryItems()
    note.add(String(product.id.rawValue), for: "id")
    note.add(product.name, for: "name")
    note.add(text, for: "text")
    note.add(String(product.pricing.price?.full.hundredths ?? 0), for: "price")
    return note.encoded
  }

  private func notes(_ notes: [String]) -> HTTPResponse {
    HTTPResponse(
      .ok, headers: [HeaderName.contentType: "text/notes"],
      body: Array(notes.joined(separator: "\n").utf8))
  }
}

extension HTTPResponse {
  fileprivate var notes: [QueryItems] {
    String(decoding: body, as: UTF8.self).split(separator: "\n").map {
      QueryItems(parsing: Array($0.utf8)[...])
    }
  }
}
