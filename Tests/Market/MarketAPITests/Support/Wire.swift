import MarketAPI
import MarketModel
import Testing

/// Small words for tests that speak HTTP.
enum Wire {
  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10, 0x4A, 0x46, 0x49, 0x46]
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00]
  static let identifier = SellerIdentifier(secret: "cd706a3e-66db-11ed-9626-6b1dbcfd8a93")
  static let pictures = PictureAddresses(base: "http://127.0.0.1:8080/")
  /// Those to which the laws apply: all of the list.
  static let dialects = DialectList.market.all
  /// Those whose words are told as facts.
  static let oldDialects: [any MarketDialect] = [
    ItemsDialect(), ProductsDialect(variant: .y2022), ProductsDialect(variant: .y2023),
  ]

  /// A form of text parts, and of the picture where a text is `@`.
  static func form(_ parts: [(String, String)]) -> (contentType: String, body: [UInt8]) {
    MultipartForm(
      parts: parts.map { name, text in
        text == "@"
          ? MultipartPart(
            name: name, filename: "a.jpg", contentType: "image/jpeg", bytes: Self.jpeg)
          : MultipartPart(name: name, text: text)
      }
    ).encoded()
  }

  static func request(
    _ method: HTTPMethod, _ target: RequestTarget, form parts: [(String, String)],
    identifier: Bool = false
  ) -> HTTPRequest {
    let form = form(parts)
    var headers: HTTPHeaders = ["Content-Type": form.contentType]
    if identifier { headers.add(Wire.identifier.secret, for: "identifier") }
    return HTTPRequest(method, target, headers: headers, body: form.body)
  }

  static func request(
    _ method: HTTPMethod, _ target: RequestTarget, json: String, contentType: String? = nil,
    identifier: Bool = false
  ) -> HTTPRequest {
    var headers = HTTPHeaders()
    if let contentType { headers.add(contentType, for: "Content-Type") }
    if identifier { headers.add(Wire.identifier.secret, for: "identifier") }
    return HTTPRequest(method, target, headers: headers, body: Array(json.utf8))
  }

  static func answer(_ body: String, headers: HTTPHeaders = [:]) -> HTTPResponse {
    answer(200, body, headers: headers)
  }

  static func answer(
    _ status: Int, _ body: String, headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    HTTPResponse(HTTPStatus(rawValue: status), headers: headers, body: Array(body.utf8))
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON.
  func parsed() throws -> JSONValue {
    try JSONDocument(parsing: body).root
  }
}
