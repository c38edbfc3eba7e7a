import MarketModel
import TextCoding

/// Request as a value: what a client sends and a server reads.
package struct HTTPRequest: Hashable, Sendable {
  package var method: HTTPMethod
  package var target: RequestTarget
  package var headers: HTTPHeaders
  package var body: [UInt8]

  package init(
    _ method: HTTPMethod, _ target: RequestTarget, headers: HTTPHeaders = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The key by which a registration that is sent again is known for the same one (an addition of
  /// ours, on both dialects).
  var idempotencyKey: IdempotencyKey? {
    get {
      headers[HeaderName.idempotencyKey].flatMap { $0.isEmpty ? nil : IdempotencyKey(rawValue: $0) }
    }
    set { headers[HeaderName.idempotencyKey] = newValue?.rawValue }
  }
}

/// Method of a request (RFC 9110, section 9); any other than the named ones is kept as it came.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package static let get = HTTPMethod(rawValue: "GET")
  package static let head = HTTPMethod(rawValue: "HEAD")
  package static let post = HTTPMethod(rawValue: "POST")
  package static let put = HTTPMethod(rawValue: "PUT")
  package static let patch = HTTPMethod(rawValue: "PATCH")
  package static let delete = HTTPMethod(rawValue: "DELETE")
}

/// The target of a request: its path and its query, as they stand in the request line.
package struct RequestTarget: Hashable, Sendable {
  /// The path as it was sent, percent-encoded; begins with `/`.
  package var path: String
  package var query: QueryItems

  /// A target of an encoded path that begins with `/`, and a query that is not encoded.
  package init(path: String, query: QueryItems = QueryItems()) {
    self.path = path
    self.query = query
  }

  /// A target of the given words, each encoded as one segment of the path.
  package init(segments: [String], query: QueryItems = QueryItems()) {
    self.init(
      path: "/" + segments.map { PercentCoding.encode($0) }.joined(separator: "/"), query: query)
  }

  /// Reads the target of a request line: everything up to the first `?` is the path.
  package init(parsing text: String) {
    let withoutFragment = text.prefix { $0 != "#" }
    let parts = withoutFragment.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map(String.init) ?? ""
    self.init(
      path: path.isEmpty ? "/" : path,
      query: parts.count > 1 ? QueryItems(parsing: parts[1]) : QueryItems())
  }

  /// The words of the path, decoded; double and trailing slashes make no word.
  package var segments: [String] {
    path.split(separator: "/").map { PercentCoding.decode($0) }
  }

  /// Path and query as a request line holds them.
  package var text: String {
    query.items.isEmpty ? path : path + "?" + query.encoded
  }
}

extension RequestTarget: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(parsing: value)
  }
}

/// Names and values of a query in their order, decoded.
package struct QueryItems: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  package private(set) var items: [Item] = []
  /// Whether all that was read is UTF-8; what is not was repaired.
  package private(set) var isUTF8 = true

  package init() {}

  /// Reads what follows the `?`; empty pieces are skipped, a name without `=` has an empty value.
  package init(parsing text: some StringProtocol) {
    isUTF8 = PercentCoding.isUTF8(text)
    for piece in text.split(separator: "&") {
      let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first else { continue }
      add(
        PercentCoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true),
        for: PercentCoding.decode(name, plusIsSpace: true))
    }
  }

  package mutating func add(_ value: String, for name: String) {
    items.append(Item(name: name, value: value))
  }

  /// The first value of a name that is not empty; an empty value counts as absent.
  package subscript(name: String) -> String? {
    items.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// All values of a name that are not empty, in order.
  package func values(of name: String) -> [String] {
    items.compactMap { $0.name == name && !$0.value.isEmpty ? $0.value : nil }
  }

  /// The query in its encoded form, without the `?`.
  package var encoded: String {
    items.map { PercentCoding.encode($0.name) + "=" + PercentCoding.encode($0.value) }
      .joined(separator: "&")
  }
}
