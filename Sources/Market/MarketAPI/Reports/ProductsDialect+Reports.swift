import MarketModel

/// Reports in v2 (our addition): `POST /api/reports`.
extension ProductsDialect {
  static let reportTarget: RequestTarget = "/api/reports"

  static func ownsReports(_ segments: [String]) -> Bool {
    segments.map { $0.lowercased() } == ["api", "reports"]
  }

  func request(
    reporting report: NewReport, by author: Author
  ) throws(RepositoryError) -> HTTPRequest {
    var writer = JSONWriter()
    writer.beginObject()
    switch report.subject {
    case .product(let id): writer.member("product", id.rawValue)
    case .question(let id): writer.member("question", id.rawValue)
    }
    writer.member("reason", report.reason.rawValue)
    if !report.text.isEmpty { writer.member("text", report.text) }
    writer.endObject()
    var headers: HTTPHeaders = author == .guest ? [:] : try self.headers(author)
    headers.add("application/json", for: HeaderName.contentType)
    return HTTPRequest(.post, Self.reportTarget, headers: headers, body: writer.bytes)
  }

  /// Reads a request; nil for another path.
  /// - Throws: `.methodNotAllowed`; `.malformed` for a header or body; `.invalidReport` for invalid fields.
  func report(from request: HTTPRequest) throws(RequestProblem) -> MarketOperation? {
    guard Self.ownsReports(request.target.segments) else { return nil }
    guard request.method == .post else { throw .methodNotAllowed([.post]) }
    let fields = try fields(of: request)
    let author =
      request.headers[HeaderName.identifier] == nil ? Author.guest : try self.author(of: request)
    var problems: [FieldError] = []
    let (product, question) = (
      Self.number("product", in: fields), Self.number("question", in: fields)
    )
    let subject: Report.Subject? =
      switch (product, question) {
      case (let product?, nil): .product(Product.ID(rawValue: product))
      case (nil, let question?): .question(Question.ID(rawValue: question))
      default: nil
      }
    if subject == nil { problems.append(FieldError(.name, .missing)) }
    var reason: Report.Reason?
    switch fields.value(named: ["reason"]) {
    case .text(let word): reason = Report.Reason(rawValue: word)
    case .absent, .null, .flag, .wrongType: break
    }
    if reason == nil { problems.append(FieldError(.category, .unreadable)) }
    var text = ""
    switch fields.value(named: ["text"]) {
    case .text(let written): text = written
    case .absent, .null: break
    case .flag, .wrongType: problems.append(FieldError(.description, .unreadable))
    }
    guard let subject, let reason, problems.isEmpty else { throw .invalidReport(problems) }
    let report = NewReport(subject, reason, text: text)
    guard report.problems.isEmpty else { throw .invalidReport(report.problems) }
    return .report(report, author)
  }

  private static func number(_ key: StaticString, in fields: RequestFields) -> Int64? {
    guard case .text(let text) = fields.value(named: [key]) else { return nil }
    return Product.ID(segment: text)?.rawValue
  }
}

/// Names of a report's fields in errors.
struct ReportFields: ErrorFields {
  func name(of field: ProductField) -> WireName? {
    [
      .name: WireName("product"), .category: WireName("reason"), .description: WireName("text"),
    ][field]
  }
}
