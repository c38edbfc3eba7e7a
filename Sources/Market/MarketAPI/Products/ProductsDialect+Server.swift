import MarketModel

/// Server half: requests to operations, and results to responses.
extension ProductsDialect {
  package func owns(_ target: RequestTarget) -> Bool {
    ProductsRoute(segments: target.segments, method: .get) != nil
      || QuestionRoute(segments: target.segments, method: .get) != nil
      || Self.ownsReports(target.segments)
  }

  package func operation(
    from request: HTTPRequest
  ) throws(RequestProblem) -> MarketOperation? {
    let method = request.method == .head ? HTTPMethod.get : request.method
    if let question = try question(from: request) { return .question(question) }
    if let report = try report(from: request) { return report }
    guard let route = ProductsRoute(segments: request.target.segments, method: method) else {
      return nil
    }
    switch (route, method) {
    case (.health, .get): return .health
    case (.products, .get): return .page(try PageParameters.read(request.target.query))
    case (.products, .post):
      let author = try author(of: request)
      return .register(
        try fields.registration(from: try fields(of: request)), author, request.idempotencyKey)
    case (.product(let word), .get): return .detail(try id(word))
    case (.product(let word), .patch): return try edit(of: try id(word), from: request)
    case (.product(let word), .delete):
      return .confirmDeletion(token: word, of: nil, try author(of: request))
    case (.deletion(let id, _), .post):
      let author = try author(of: request)
      return .requestDeletion(id, try fields.password(from: try fields(of: request)), author)
    case (.keyedDeletion(let id, let key), .delete):
      return .confirmDeletion(token: key, of: id, try author(of: request))
    case (.seller, .get): return .seller(try identifier(of: request))
    case (.seller, .patch):
      return .changeSeller(try identifier(of: request), try change(from: request))
    default: throw .methodNotAllowed(methods(of: route))
    }
  }

  private func methods(of route: ProductsRoute) -> [HTTPMethod] {
    switch route {
    case .health: [.get, .head]
    case .products: [.get, .head, .post]
    case .product: [.get, .head, .patch, .delete]
    case .deletion: [.post]
    case .keyedDeletion: [.delete]
    case .seller: [.get, .head, .patch]
    }
  }

  private func id(_ word: String) throws(RequestProblem) -> Product.ID {
    guard let id = Product.ID(segment: word) else { throw .unknownRoute }
    return id
  }

  /// The seller of a request.
  /// - Throws: what `identifier(of:)` throws.
  func author(of request: HTTPRequest) throws(RequestProblem) -> Author {
    .seller(try identifier(of: request))
  }

  /// Reads the seller's identifier: 1 to 128 visible ASCII characters; those given out were UUIDs, but
  /// nothing depends on that.
  /// - Throws: `.malformed` where the header is missing or invalid.
  func identifier(of request: HTTPRequest) throws(RequestProblem) -> SellerIdentifier {
    let text = request.headers[HeaderName.identifier] ?? ""
    guard !text.isEmpty else {
      throw .malformed(part: HeaderName.identifier, reason: "this header is missing")
    }
    guard text.utf8.count <= 128, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .malformed(part: HeaderName.identifier, reason: "this header cannot be read")
    }
    return SellerIdentifier(secret: text)
  }

  /// The fields of a request's body.
  /// - Throws: `.malformed` for a body that is neither a JSON object nor a form with the part `params`.
  func fields(of request: HTTPRequest) throws(RequestProblem) -> RequestFields {
    try RequestFields(of: request, fields: fields, objectPart: "params")
  }

  /// The fields of a request of our additions, each there once.
  /// - Throws: `.malformed` for a repeated field; what `fields(of:)` throws.
  func uniqueFields(of request: HTTPRequest) throws(RequestProblem) -> RequestFields {
    let fields = try fields(of: request)
    try fields.checkUnique()
    return fields
  }

  private func edit(
    of id: Product.ID, from request: HTTPRequest
  ) throws(RequestProblem) -> MarketOperation {
    let author = try author(of: request)
    return try fields.edit(
      of: id, by: author, expecting: version(in: request), from: try fields(of: request))
  }

  /// The version in `If-Match`; nil where there is none, or for `*`, which matches any.
  private func version(in request: HTTPRequest) -> ProductVersion? {
    guard let header = request.headers[HeaderName.ifMatch], header != "*" else { return nil }
    return EntityTag(parsing: header).map { ProductVersion(rawValue: $0.value) }
  }

  /// Reads a new name, a new contact or both; an empty contact removes it.
  private func change(from request: HTTPRequest) throws(RequestProblem) -> SellerChange {
    var reader = FieldReader(try uniqueFields(of: request), fields: fields)
    let contact = try contact(in: reader.request)
    let name = reader.text(.name)
    let change = SellerChange(
      name: contact == nil ? reader.required(name, .name) : name, contact: contact)
    try reader.finish()
    return change
  }

  private func contact(in fields: RequestFields) throws(RequestProblem) -> SellerChange.Contact? {
    switch fields.value(named: [SellerMember.contact]) {
    case .absent, .null: return nil
    case .text(let text):
      if let contact = SellerChange.Contact(entered: text) { return contact }
    case .flag, .wrongType: break
    }
    throw .malformed(
      part: "\(SellerMember.contact)",
      reason: "one line of at most \(TextLimit.contact.characters.upperBound) characters")
  }

  package func response(
    with result: MarketResult, to operation: MarketOperation, in request: HTTPRequest,
    pictures: PictureAddresses
  ) -> HTTPResponse {
    let products = writer(pictures)
    return switch (result, operation) {
    // The quotes belong to the body: clients compare with them.
    case (.healthy, _): .json(.ok, Array("\"OK\"".utf8))
    case (.page(let page), .page(let asked)):
      .json(
        .ok,
        PageWriter(products: products, form: rowForm(pictures)).write(
          page, for: asked, tellsExactness: PageParameters.asksCount(request.target.query)))
    case (.detail(let detail), _):
      .json(status(for: operation), body(detail, products), headers: tag(of: detail, operation))
    case (.deletionToken(let token), .requestDeletion):
      .text(isAskedForKey(request) ? token : ProductsRoute.product(token).target.path)
    case (.seller(let seller), _): .json(.ok, body(seller))
    case (.questions, .question(let asked)), (.question, .question(let asked)),
      (.questionDeleted, .question(let asked)):
      self.response(with: result, to: asked) ?? HTTPResponse(.internalServerError)
    case (.reported, .report): .json(.created, Array("{}".utf8))
    case (.picture(let picture), .picture(let address)):
      .picture(picture, at: address, for: request)
    case (.page, _), (.deletionToken, _), (.picture, _), (.questions, _), (.question, _),
      (.questionDeleted, _), (.reported, _):
      HTTPResponse(.internalServerError)
    }
  }

  package func response(
    failing error: RepositoryError, to operation: MarketOperation, pictures: PictureAddresses
  ) -> HTTPResponse {
    let products = writer(pictures)
    var failures = failures
    // Clients that know questions also know 403.
    if case .question = operation {
      (failures.wrongPassword, failures.fields) = (.forbidden, QuestionFields())
    }
    if case .report = operation { failures.fields = ReportFields() }
    var response = failures.response(to: error) { body($0, products) }
    if case .conflict(let current) = error, let version = current.version {
      response.headers[HeaderName.entityTag] = EntityTag(value: version.rawValue).text
    }
    return response
  }

  package func response(to problem: RequestProblem) -> HTTPResponse {
    failures.response(to: problem)
  }

  /// Whether a client of 2022 asks for a bare key, where one of 2023 asks for a path.
  private func isAskedForKey(_ request: HTTPRequest) -> Bool {
    let route = ProductsRoute(segments: request.target.segments, method: request.method)
    if case .deletion(_, .y2022) = route { return true }
    return false
  }

  private func writer(_ pictures: PictureAddresses) -> ProductWriter {
    ProductWriter(fields: fields, form: form(pictures))
  }

  /// The statuses that clients require; never 204, since some fail on it.
  private func status(for operation: MarketOperation) -> HTTPStatus {
    switch operation {
    case .register: .created
    case .verify, .update: .accepted
    case .health, .page, .detail, .delete, .requestDeletion, .confirmDeletion, .seller,
      .changeSeller, .picture, .question, .report:
      .ok
    }
  }

  private func body(_ detail: ProductDetail, _ products: ProductWriter) -> [UInt8] {
    var writer = JSONWriter(capacity: 2_048 + detail.description.utf8.count)
    products.write(detail, to: &writer)
    return writer.bytes
  }

  private func body(_ seller: Seller) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("id", seller.id.rawValue)
    writer.member("name", seller.name)
    if let contact = seller.contact { writer.member(SellerMember.contact, contact.text) }
    writer.endObject()
    return writer.bytes
  }

  /// The version of an existing product; a deleted one has none.
  private func tag(of detail: ProductDetail, _ operation: MarketOperation) -> HTTPHeaders {
    if case .confirmDeletion = operation { return [:] }
    guard let version = detail.version else { return [:] }
    return [HeaderName.entityTag: EntityTag(value: version.rawValue).text]
  }
}
