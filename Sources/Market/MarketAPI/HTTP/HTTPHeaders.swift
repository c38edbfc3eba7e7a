/// Header fields in the order of addition; a name may occur several times, in any case.
package struct HTTPHeaders: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  package private(set) var fields: [Field] = []

  package init() {}

  /// The first value of a name; setting it replaces all values, and nil removes them.
  package subscript(name: String) -> String? {
    get { fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value }
    set {
      fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
      if let newValue { add(newValue, for: name) }
    }
  }

  /// All values of a name, in order.
  package func values(of name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
  }

  /// Appends a field; white space around the value is dropped.
  package mutating func add(_ value: String, for name: String) {
    fields.append(Field(name: name, value: value.trimmed))
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(value, for: name) }
  }
}

extension HTTPHeaders: Sequence {
  package func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

/// Names of the header fields that the dialects use.
package enum HeaderName {
  package static let accept = "Accept"
  package static let contentType = "Content-Type"
  package static let allow = "Allow"
  package static let date = "Date"
  package static let cacheControl = "Cache-Control"
  /// Seconds since a cached response was validated.
  package static let age = "Age"
  package static let entityTag = "ETag"
  package static let ifMatch = "If-Match"
  package static let ifNoneMatch = "If-None-Match"
  package static let lastModified = "Last-Modified"
  package static let ifModifiedSince = "If-Modified-Since"
  package static let location = "Location"
  package static let retryAfter = "Retry-After"
  /// The seller's credential (v2).
  package static let identifier = "identifier"
  /// Identifies one registration, however often it is sent.
  package static let idempotencyKey = "Idempotency-Key"
  /// Announces our additions: `1`.
  package static let extensions = "Market-Extensions"
  /// Announces which additions a server has, beside the header above (`ServerCapability`).
  package static let capabilities = "Market-Capabilities"
  /// Announces the public address of the market, where its operator has set one.
  package static let marketAddress = "Market-Address"
  /// The market's random id.
  package static let marketID = "Market-Id"
  /// The name that the market's operator set, percent-encoded; absent where there is none.
  package static let marketName = "Market-Name"
  /// The market's position after a change; sent back, it excludes older data from responses.
  package static let marketPosition = "Market-Position"
  /// Announces the origin of the storage that picture requests are redirected to, where there is one.
  package static let marketStorage = "Market-Storage"
}

/// Header value with parameters (RFC 9110, section 5.6.6): `form-data; name="params"`.
struct HeaderParameters {
  /// Text before the first `;`.
  let value: String
  private var parameters: [(name: String, value: String)] = []

  /// Reads leniently: values may be quoted or not, and spaces may be missing.
  ///
  /// An unclosed quote extends to the end of the line, or to the next parameter where that has quotes of
  /// its own (`name="images[]; filename="a.jpg"`).
  init(parsing text: String) {
    var rest = Array(text.utf8)[...]
    value = Self.piece(of: &rest)
    while !rest.isEmpty {
      let name = rest.prefix { $0 != 0x3D && $0 != 0x3B }
      rest = rest[name.endIndex...]
      guard rest.popFirst() == 0x3D else { continue }
      rest = rest.drop(while: \.isASCIIWhitespace)
      let value = rest.first == 0x22 ? Self.quoted(&rest) : Self.piece(of: &rest)
      parameters.append((String(decoding: name, as: UTF8.self).trimmed, value))
    }
  }

  /// The first parameter of a name, in any case.
  subscript(name: String) -> String? {
    parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  /// Consumes everything up to and including the next `;`.
  private static func piece(of rest: inout ArraySlice<UInt8>) -> String {
    let piece = rest.prefix { $0 != 0x3B }
    rest = rest[piece.endIndex...].dropFirst()
    return String(decoding: piece, as: UTF8.self).trimmed
  }

  /// Consumes a quoted value, and the `;` after it.
  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String {
    let inside = rest.dropFirst()
    var bytes: [UInt8] = []
    var isEscaped = false
    for (index, byte) in zip(inside.indices, inside) {
      if byte == 0x22, !isEscaped {
        let after = inside[(index + 1)...].drop(while: \.isASCIIWhitespace)
        guard after.isEmpty || after.first == 0x3B else {
          // The quote of another parameter, or one inside a file name.
          rest = inside
          return piece(of: &rest)
        }
        rest = after.dropFirst()
        return String(decoding: bytes, as: UTF8.self)
      }
      // Only quotes and backslashes are escaped; paths of old browsers contain single backslashes.
      if isEscaped, byte != 0x22, byte != 0x5C { bytes.append(0x5C) }
      isEscaped = byte == 0x5C && !isEscaped
      if !isEscaped { bytes.append(byte) }
    }
    rest = []
    return String(decoding: bytes, as: UTF8.self).trimmed
  }
}
