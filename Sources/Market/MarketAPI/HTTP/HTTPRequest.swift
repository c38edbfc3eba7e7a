import MarketModel
import TextCoding

/// HTTP request, which a client sends and a server reads.
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

  /// The key that identifies repeated sending of one registration (our addition, in both dialects); nil
  /// where there is none.
  var idempotencyKey: IdempotencyKey? {
    get {
      headers[HeaderName.idempotencyKey].flatMap { $0.isEmpty ? nil : IdempotencyKey(rawValue: $0) }
    }
    set { headers[HeaderName.idempotencyKey] = newValue?.rawValue }
  }
}

/// Method of a request (RFC 9110, section 9); others than the listed ones are retained.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package static let get = HTTPMethod(rawValue: "GET")
  package static let head = HTTPMethod(rawValue: "HEAD")
  package static let post = HTTPMethod(rawValue: "POST")
  package static let put = HTTPMethod(rawValue: "PUT")
  package static let patch = HTTPMethod(rawValue: "PATCH")
  package static let delete = HTTPMethod(rawValue: "DELETE")
}

/// Target of a request: its path and its query.
package struct RequestTarget: Hashable, Sendable {
  /// The path as sent, percent-encoded; begins with `/`.
  package var path: String
  package var query: QueryItems

  /// A target of an encoded path that begins with `/`, and a query that is not encoded.
  package init(path: String, query: QueryItems = QueryItems()) {
    self.path = path
    self.query = query
  }

  /// A target whose path consists of the given segments, each encoded.
  package init(segments: [String], query: QueryItems = QueryItems()) {
    self.init(
      path: "/" + segments.map { PercentCoding.encode($0) }.joined(separator: "/"), query: query)
  }

  /// Reads the target of a request line: everything up to the first `?` is the path; a fragment is
  /// dropped.
  package init(parsing text: String) {
    let bytes = Array(text.utf8).prefix { $0 != 0x23 }
    let path = bytes.prefix { $0 != 0x3F }
    self.init(
      path: path.isEmpty ? "/" : String(decoding: path, as: UTF8.self),
      query: QueryItems(parsing: bytes[path.endIndex...].dropFirst()))
  }

  /// The segments of the path, decoded; double and trailing slashes add none.
  package var segments: [String] {
    Array(path.utf8).split(separator: 0x2F).map { PercentCoding.decode($0) }
  }

  /// Path and query as in a request line.
  package var text: String {
    query.items.isEmpty ? path : path + "?" + query.encoded
  }
}

extension RequestTarget: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self.init(parsing: value) }
}

/// Names and values of a query in order, decoded.
package struct QueryItems: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  package private(set) var items: [Item] = []
  /// Whether the whole query was UTF-8; other bytes were replaced.
  package private(set) var isUTF8 = true

  package init() {}

  /// Reads the text after the `?`; empty pieces are skipped, and a name without `=` has an empty value.
  package init(parsing text: ArraySlice<UInt8>) {
    isUTF8 = PercentCoding.isUTF8(text)
    for piece in text.split(separator: 0x26) {
      let name = piece.prefix { $0 != 0x3D }
      add(
        PercentCoding.decode(piece[name.endIndex...].dropFirst(), plusIsSpace: true),
        for: PercentCoding.decode(name, plusIsSpace: true))
    }
  }

  package mutating func add(_ value: String, for name: String) {
    items.append(Item(name: name, value: value))
  }

  /// The first value of a name that is not empty; nil where there is none.
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
