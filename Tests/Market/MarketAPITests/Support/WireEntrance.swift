import MarketAPI
import MarketModel

/// Entrances of foreign bytes, each as one call that must return for any bytes.
enum WireEntrance: CaseIterable, Sendable {
  /// A request's line, headers and body, as a server gets them.
  case request
  /// A form.
  case form
  /// An answer to each question, as a client gets it.
  case answer

  /// Reads the bytes and forgets what they said.
  func read(_ bytes: [UInt8]) {
    switch self {
    case .request: readRequest(bytes)
    case .form: _ = try? MultipartParser.parts(of: bytes, contentType: nil)
    case .answer: readAnswer(bytes)
    }
  }

  private func readRequest(_ bytes: [UInt8]) {
    let pieces = bytes.split(
      separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    let line = String(decoding: pieces[0], as: UTF8.self).split(separator: " ", maxSplits: 1)
    let contentType = pieces.count > 1 ? String(decoding: pieces[1], as: UTF8.self) : ""
    let request = HTTPRequest(
      HTTPMethod(rawValue: line.first.map(String.init) ?? ""),
      RequestTarget(parsing: line.count > 1 ? String(line[1]) : ""),
      headers: [HeaderName.contentType: contentType, HeaderName.identifier: "someone"],
      body: pieces.count > 2 ? Array(pieces[2]) : [])
    _ = try? MarketRouter([ProductsDialect(variant: .y2023), ItemsDialect()]).route(request)
  }

  private func readAnswer(_ bytes: [UInt8]) {
    let id = Product.ID(rawValue: 1)
    let products = ProductsDialect(variant: .y2022)
    let dialects: [any MarketDialect] = [ItemsDialect(), products]
    for status in [HTTPStatus.ok, .badRequest, .preconditionFailed] {
      let response = HTTPResponse(status, body: bytes)
      for dialect in dialects {
        _ = try? dialect.page(from: response, for: PageRequest(position: .number(2)))
        _ = try? dialect.detail(from: response, for: .detail(id))
        _ = try? dialect.deleted(from: response, for: .delete(id, Password(""), .guest))
      }
      _ = try? products.deletionTarget(
        from: response, for: .requestDeletion(id, Password(""), .guest))
      for dialect in dialects { _ = dialect.isSpoken(in: response) }
    }
  }
}
