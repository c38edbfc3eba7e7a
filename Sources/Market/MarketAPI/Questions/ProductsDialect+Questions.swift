import MarketModel
import TextCoding

/// Questions in v2, the only dialect that has them: requests to operations and back.
extension ProductsDialect {
  // MARK: Client half

  /// Writes an operation as a request.
  ///
  /// - Throws: `.unsupported` for an author without an identifier where one is needed.
  func request(for operation: QuestionOperation) throws(RepositoryError) -> HTTPRequest {
    switch operation {
    case .page(let request): return try self.request(for: request)
    case .ask(let question, let product, let asker, let key):
      var writer = RequestWriter(.object)
      writer.text("text", question.text)
      if let offer = question.offerHundredths { try writer.amount(.price, "offer", offer) }
      var request = json(.post, .ofProduct(product), try headers(.seller(asker)), writer)
      request.idempotencyKey = key
      return request
    case .answer(let id, let answer, let author, let password):
      var writer = RequestWriter(.object)
      writer.text("text", answer.text)
      if answer.reserves { try writer.value(.reserved, "reserve", .yes) }
      if let password { writer.password("secret", password) }
      return json(.put, .answer(id), author.headers, writer)
    case .delete(let id, let author, nil):
      return HTTPRequest(
        .delete, QuestionRoute.one(id).target, headers: try headers(author))
    case .delete(let id, let author, let password?):
      var writer = RequestWriter(.object)
      writer.password("secret", password)
      return json(.post, .deletion(id), author.headers, writer)
    }
  }

  private func request(for request: QuestionsRequest) throws(RepositoryError) -> HTTPRequest {
    var query = QueryItems()
    var route = QuestionRoute.all
    switch request.scope {
    case .product(let id): route = .ofProduct(id)
    case .received(let onlyUnanswered): query.add(onlyUnanswered ? "1" : "0", for: "unanswered")
    case .unanswered(let ids):
      query.add("1", for: "unanswered")
      query.add(ids.map { String($0.rawValue) }.joined(separator: ","), for: "product")
    case .asked: query.add("1", for: "mine")
    }
    if let after = request.after { query.add(after.rawValue, for: "after") }
    query.add(String(request.size), for: "limit")
    let reader = request.reader.map(Author.seller) ?? .guest
    return HTTPRequest(
      .get, RequestTarget(path: route.target.path, query: query), headers: reader.headers)
  }

  private func json(
    _ method: HTTPMethod, _ route: QuestionRoute, _ headers: HTTPHeaders, _ writer: RequestWriter
  ) -> HTTPRequest {
    var headers = headers
    headers.add("application/json", for: HeaderName.contentType)
    return HTTPRequest(method, route.target, headers: headers, body: writer.body)
  }

  /// Reads the response to an operation.
  /// - Throws: the error in the response; `.badAnswer(.unreadable)`.
  package func result(
    from response: HTTPResponse, for operation: QuestionOperation
  ) throws(RepositoryError) -> MarketResult {
    try check(response, .question(operation))
    switch operation {
    case .page:
      return .questions(
        try response.read { value throws(ResponseDecodingError) in
          try QuestionCoding.page(value)
        })
    case .ask, .answer:
      return .question(
        try response.read { value throws(ResponseDecodingError) in
          try QuestionCoding.question(value)
        })
    case .delete: return .questionDeleted
    }
  }

  // MARK: Server half

  /// Reads a request; nil for another path.
  /// - Throws: `.methodNotAllowed`; `.malformed` for a parameter, header or body; `.invalidQuestion` for
  ///   an invalid text or offer.
  func question(from request: HTTPRequest) throws(RequestProblem) -> QuestionOperation? {
    let method = request.method == .head ? HTTPMethod.get : request.method
    guard let route = QuestionRoute(segments: request.target.segments, method: method) else {
      return nil
    }
    switch (route, method) {
    case (.ofProduct(let id), .get): return .page(try page(.product(id), request))
    case (.ofProduct(let id), .post):
      let fields = try uniqueFields(of: request)
      let question = NewQuestion(
        text: try Self.text("text", in: fields) ?? "",
        offerHundredths: try Self.offer(in: fields))
      try Self.check(QuestionRules.problems(of: question))
      return .ask(question, about: id, by: try identifier(of: request), request.idempotencyKey)
    case (.all, .get): return .page(try page(try scope(of: request), request))
    case (.one(let id), .delete): return .delete(id, .seller(try identifier(of: request)), nil)
    case (.answer(let id), .put):
      let fields = try uniqueFields(of: request)
      let answer = NewAnswer(
        text: try Self.text("text", in: fields) ?? "",
        reserves: try Self.flag("reserve", in: fields))
      try Self.check(QuestionRules.problems(of: answer))
      let password = try Self.text("secret", in: fields).map { Password($0) }
      if answer.reserves, password == nil {
        throw .malformed(part: "secret", reason: "is needed to reserve")
      }
      return .answer(id, answer, try author(of: request, password), password)
    case (.deletion(let id), .post):
      guard let secret = try Self.text("secret", in: try uniqueFields(of: request)) else {
        throw .malformed(part: "secret", reason: "is missing")
      }
      return .delete(id, try author(of: request, Password(secret)), Password(secret))
    default: throw .methodNotAllowed(route.methods)
    }
  }

  /// Reads the author: the identifier where there is one, *guest* for a password without a readable one.
  private func author(
    of request: HTTPRequest, _ password: Password?
  ) throws(RequestProblem) -> Author {
    do throws(RequestProblem) {
      return .seller(try identifier(of: request))
    } catch {
      guard password != nil else { throw error }
      return .guest
    }
  }

  private func scope(of request: HTTPRequest) throws(RequestProblem) -> QuestionsRequest.Scope {
    let query = request.target.query
    if query["mine"] == "1" { return .asked }
    guard let products = query["product"] else {
      return .received(onlyUnanswered: query["unanswered"] == "1")
    }
    let words = products.split(separator: ",")
    let ids = words.compactMap { Product.ID(segment: String($0)) }
    guard ids.count == words.count, (1...ProductQuery.maxIDs).contains(ids.count) else {
      throw .malformed(
        part: "product", reason: "must be 1 to \(ProductQuery.maxIDs) numbers with commas")
    }
    return .unanswered(ids)
  }

  private func page(
    _ scope: QuestionsRequest.Scope, _ request: HTTPRequest
  ) throws(RequestProblem) -> QuestionsRequest {
    let query = request.target.query
    var page = QuestionsRequest(scope)
    switch scope {
    case .received, .asked: page.reader = try identifier(of: request)
    case .product, .unanswered:
      if request.headers[HeaderName.identifier] != nil {
        page.reader = try identifier(of: request)
      }
    }
    page.after = query["after"].map(PageCursor.init)
    if let limit = query["limit"] {
      guard let size = Int(limit), size > 0 else {
        throw .malformed(part: "limit", reason: "must be a number of 1 or more")
      }
      page.size = min(size, QuestionsRequest.sizes.upperBound)
    }
    return page
  }

  /// Writes a result as a response; nil for a result of another operation.
  func response(with result: MarketResult, to operation: QuestionOperation) -> HTTPResponse? {
    switch (result, operation) {
    case (.questions(let page), .page): .json(.ok, QuestionCoding.write(page))
    case (.question(let question), .ask): .json(.created, QuestionCoding.write(question))
    case (.question(let question), .answer): .json(.ok, QuestionCoding.write(question))
    case (.questionDeleted, .delete): .json(.noContent, [])
    default: nil
    }
  }

  private static func text(
    _ key: StaticString, in fields: RequestFields
  ) throws(RequestProblem) -> String? {
    switch fields.value(named: [key]) {
    case .absent, .null: return nil
    case .text(let text): return text
    case .flag, .wrongType: throw .malformed(part: "\(key)", reason: "must be a text")
    }
  }

  private static func flag(
    _ key: StaticString, in fields: RequestFields
  ) throws(RequestProblem) -> Bool {
    switch fields.value(named: [key]) {
    case .absent, .null: return false
    case .flag(let flag): return flag
    case .text, .wrongType: throw .malformed(part: "\(key)", reason: "must be true or false")
    }
  }

  private static func offer(in fields: RequestFields) throws(RequestProblem) -> Int64? {
    guard let text = try text("offer", in: fields), !text.isEmpty else { return nil }
    guard let amount = DecimalNumber(text)?.hundredths else {
      throw .invalidQuestion([FieldError(.price, .unreadable)])
    }
    return amount
  }

  private static func check(_ problems: [FieldError]) throws(RequestProblem) {
    guard problems.isEmpty else { throw .invalidQuestion(problems) }
  }
}

extension Author {
  /// The identifier header of a seller; none for a guest.
  fileprivate var headers: HTTPHeaders {
    if case .seller(let identifier) = self {
      [HeaderName.identifier: identifier.secret]
    } else {
      [:]
    }
  }
}
