import Glibc
import MarketAPI

/// Request line and header fields, parsed as strictly as RFC 9112 allows.
///
/// Ambiguous input is refused and never repaired: a proxy in front and this server must agree on where
/// a request ends (section 11.2, request smuggling).
package struct RequestHead: Hashable {
  /// Rule by which the end of the body is found.
  package enum Framing: Hashable {
    case none
    case length(Int)
    case chunked
  }

  package let method: HTTPMethod
  /// Path and query; begins with `/`, or is `*`.
  package let target: String
  package let headers: HTTPHeaders
  package let framing: Framing
  /// Whether the client waits for `100 Continue` before it sends the body.
  let expectsContinue: Bool
  /// Whether the connection stays open after the response.
  let isKeptAlive: Bool
  /// Whether the response needs `Connection: keep-alive`, as HTTP/1.0 clients do.
  let asksToKeepAlive: Bool
  let isHTTP10: Bool

  /// Parses a head up to the empty line that `HeadScanner` found.
  /// - Throws: `.badRequest` for malformed or ambiguous input, `.contentTooLarge` for a length beyond
  ///   `Int`, `.versionNotSupported` for another major version than 1.
  package init(parsing bytes: UnsafeRawBufferPointer) throws(RequestRejection) {
    var lines = HeadLines(bytes)
    guard let first = lines.next() else { throw .badRequest }
    let line = try RequestLine(parsing: first)
    var headers = HTTPHeaders()
    while let line = lines.next() {
      let field = try HeaderLine(parsing: line)
      headers.add(field.value, for: field.name)
    }
    let control = ControlFields(of: headers)
    guard control.hostCount == 1 || (control.hostCount == 0 && line.isHTTP10) else {
      throw .badRequest
    }
    // The authority overrides `Host` (RFC 9112, section 3.2.2).
    if let authority = line.authority { headers["Host"] = authority }
    guard headers["Host"].map({ $0.isEmpty || HostField.isHost($0) }) != false else {
      throw .badRequest
    }
    framing = try control.framing(isHTTP10: line.isHTTP10)
    method = line.method
    target = line.target
    self.headers = headers
    isHTTP10 = line.isHTTP10
    expectsContinue = !line.isHTTP10 && control.expectsContinue && framing != .none
    asksToKeepAlive = line.isHTTP10 && control.asksToKeepAlive
    isKeptAlive = !control.asksToClose && (!line.isHTTP10 || asksToKeepAlive)
  }
}

/// Fields that determine how a request is read, collected in one pass.
private struct ControlFields {
  private(set) var hostCount = 0
  private(set) var expectsContinue = false
  private(set) var asksToClose = false
  private(set) var asksToKeepAlive = false
  private var lengths: [String] = []
  private var encodings: [String] = []

  init(of headers: HTTPHeaders) {
    for field in headers {
      switch field.name.utf8.count {
      case 4 where field.name.isWord("host"): hostCount += 1
      case 6 where field.name.isWord("expect"):
        expectsContinue = field.value.isWord("100-continue")
      case 10 where field.name.isWord("connection"):
        let words = field.value.split { $0 == "," || $0 == " " || $0 == "\t" }
        asksToClose = asksToClose || words.contains { $0.isWord("close") }
        asksToKeepAlive = asksToKeepAlive || words.contains { $0.isWord("keep-alive") }
      case 14 where field.name.isWord("content-length"): lengths.append(field.value)
      case 17 where field.name.isWord("transfer-encoding"): encodings.append(field.value)
      default: break
      }
    }
  }

  /// Framing by RFC 9112, section 6.3, without the repairs that it permits.
  /// - Throws: `.badRequest` for several or invalid fields, `.contentTooLarge` for a length beyond
  ///   `Int`.
  func framing(isHTTP10: Bool) throws(RequestRejection) -> RequestHead.Framing {
    guard lengths.count + encodings.count <= 1 else { throw .badRequest }
    if let encoding = encodings.first {
      guard !isHTTP10, encoding.isWord("chunked") else { throw .badRequest }
      return .chunked
    }
    guard let length = lengths.first else { return .none }
    guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .badRequest
    }
    guard let count = Int(length) else { throw .contentTooLarge }
    return count == 0 ? .none : .length(count)
  }
}

extension StringProtocol {
  /// Whether the text equals a lowercase word, ignoring the case of ASCII letters.
  ///
  /// Letters of other alphabets whose lowercase form is ASCII, such as the Kelvin sign in `chunKed`, do
  /// not match.
  fileprivate func isWord(_ word: String) -> Bool {
    utf8.elementsEqual(word.utf8) { byte, other in
      ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == other
    }
  }
}

/// Validation of `Host`.
enum HostField {
  /// Whether a text is a name or address (IPv6 in brackets) with an optional port.
  static func isHost(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    guard (1...255).contains(bytes.count) else { return false }
    var host = bytes.prefix { $0 != UInt8(ascii: ":") }
    var rest = bytes.dropFirst(host.count)
    if bytes[0] == UInt8(ascii: "[") {
      host = bytes.dropFirst().prefix { $0 != UInt8(ascii: "]") }
      rest = bytes.dropFirst(host.count + 1)
      guard rest.popFirst() != nil else { return false }
      guard isIPv6(host) else { return false }
    } else {
      guard isName(host) else { return false }
    }
    return rest.isEmpty || isPort(rest)
  }

  /// Whether bytes are an IPv6 address as `inet_pton` reads it.
  private static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1
  }

  /// Whether bytes are a name or an IPv4 address: labels of 1 to 63 characters between dots, after which
  /// one more dot may end a name.
  private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    let name = bytes.last == UInt8(ascii: ".") ? bytes.dropLast() : bytes
    return name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { (1...63).contains($0.count) && $0.allSatisfy(isNamed) }
  }

  /// Whether a byte may occur in names and IPv4 addresses: letters, digits, `-`, `.` and `_`.
  private static func isNamed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }

  /// Whether bytes are a colon and an optional port (RFC 3986, section 3.2.3).
  private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
    let digits = bytes.dropFirst()
    return bytes.first == UInt8(ascii: ":")
      && (digits.isEmpty
        || UInt16(String(decoding: digits, as: UTF8.self)) != nil
          && digits.allSatisfy { (0x30...0x39).contains($0) })
  }
}

/// Lines of a head, without their line ends.
struct HeadLines {
  private var rest: UnsafeRawBufferPointer.SubSequence

  init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes[...]
  }

  /// Returns the next line; nil at the empty one.
  mutating func next() -> UnsafeRawBufferPointer.SubSequence? {
    guard let end = rest.firstIndex(of: UInt8(ascii: "\r")), end > rest.startIndex else {
      return nil
    }
    defer { rest = rest[(end + 2)...] }
    return rest[..<end]
  }
}

/// Request line, such as `GET /items HTTP/1.1`, with single spaces.
private struct RequestLine {
  let method: HTTPMethod
  let target: String
  /// Host and port of an absolute target; nil if the target is a path.
  let authority: String?
  let isHTTP10: Bool

  /// - Throws: `.badRequest`, or `.versionNotSupported` for another major version than 1.
  init(parsing line: UnsafeRawBufferPointer.SubSequence) throws(RequestRejection) {
    let blank = UInt8(ascii: " ")
    guard let first = line.firstIndex(of: blank), let last = line.lastIndex(of: blank),
      first < last
    else { throw .badRequest }
    let method = line[..<first]
    let target = line[(first + 1)..<last]
    // UTF-8 beyond ASCII is allowed, as some clients send it.
    guard !method.isEmpty, method.allSatisfy(\.isTokenCharacter),
      target.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }),
      let targetText = String(validating: target, as: UTF8.self)
    else { throw .badRequest }
    isHTTP10 = try Self.isHTTP10(line[(last + 1)...])
    self.method = HTTPMethod(rawValue: String(decoding: method, as: UTF8.self))
    (authority, self.target) = try Self.parts(of: targetText, for: self.method)
  }

  /// Host and path of a target: a path, an absolute address as for a proxy, or the asterisk of OPTIONS
  /// (RFC 9112, section 3.2).
  /// - Throws: `.badRequest` for other forms.
  private static func parts(
    of target: String, for method: HTTPMethod
  ) throws(RequestRejection) -> (authority: String?, path: String) {
    if target.utf8.first == UInt8(ascii: "/") { return (nil, target) }
    if target == "*", method.rawValue == "OPTIONS" { return (nil, target) }
    guard let scheme = target.firstRange(of: "://"),
      ["http", "https"].contains(where: { target[..<scheme.lowerBound].isWord($0) })
    else { throw .badRequest }
    let authority = target[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    // User information is not allowed.
    guard HostField.isHost(authority) else { throw .badRequest }
    let path = target[authority.endIndex...]
    return (String(authority), path.utf8.first == UInt8(ascii: "/") ? String(path) : "/" + path)
  }

  private static func isHTTP10(
    _ version: UnsafeRawBufferPointer.SubSequence
  ) throws(RequestRejection) -> Bool {
    let digits = Array(version.suffix(3))
    guard version.count == 8, version.starts(with: "HTTP/".utf8), digits[1] == UInt8(ascii: "."),
      (0x30...0x39).contains(digits[0]), (0x30...0x39).contains(digits[2])
    else { throw .badRequest }
    guard digits[0] == UInt8(ascii: "1") else { throw .versionNotSupported }
    return digits[2] == UInt8(ascii: "0")
  }
}

/// Header or trailer field, `Name: value`.
struct HeaderLine {
  let name: String
  let value: String

  /// Parses a field.
  ///
  /// A name is a token up to the colon, so neither a space before the colon nor a folded line is
  /// accepted (RFC 9112, sections 5.1 and 5.2).
  /// - Throws: `.badRequest`.
  init(parsing line: UnsafeRawBufferPointer.SubSequence) throws(RequestRejection) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(\.isTokenCharacter)
    else { throw .badRequest }
    let value = line[(colon + 1)...]
    guard value.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
      throw .badRequest
    }
    name = String(decoding: line[..<colon], as: UTF8.self)
    self.value = String(decoding: value, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether the byte may occur in a method or field name (RFC 9110, section 5.6.2).
  fileprivate var isTokenCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
    // ! # $ % & ' * + - .
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true
    default: false
    }
  }
}

/// Incremental search for the end of a request's head.
///
/// Lines end with CR LF only: a bare CR or LF and a NUL are refused as soon as they are seen, since two
/// readers could disagree on where the line ends (RFC 9112, section 2.2).
package struct HeadScanner {
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let lineFeed = UInt8(ascii: "\n")

  /// Number of bytes searched so far; later calls begin after them.
  private(set) var scanned = 0
  /// Length of the current line so far, without its end.
  private var lineLength = 0
  private var isAfterReturn = false

  package init() {}

  /// Returns the length of the head with its empty line; nil if more input is needed.
  ///
  /// `bytes` begin with the head; those scanned by earlier calls are skipped.
  /// - Throws: `.badRequest` for a bare CR or LF, or a NUL.
  package mutating func end(in bytes: UnsafeRawBufferPointer) throws(RequestRejection) -> Int? {
    while scanned < bytes.count {
      let byte = bytes[scanned]
      scanned += 1
      if isAfterReturn {
        guard byte == Self.lineFeed else { throw .badRequest }
        isAfterReturn = false
        if lineLength == 0 { return scanned }
        lineLength = 0
      } else if byte == Self.carriageReturn {
        isAfterReturn = true
      } else {
        guard byte != Self.lineFeed, byte != 0 else { throw .badRequest }
        lineLength += 1
      }
    }
    return nil
  }
}

extension [UInt8] {
  /// Passes the bytes to `body` with typed throws.
  /// - Throws: what `body` throws.
  package func withBytes<Answer, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try withUnsafeBufferPointer { bytes throws(Failure) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }
}

/// Error status for a request that is refused before a responder sees it.
package struct RequestRejection: Error, Hashable {
  package let status: Int

  /// Malformed framing or syntax (RFC 9112).
  package static let badRequest = RequestRejection(status: 400)
  package static let contentTooLarge = RequestRejection(status: 413)
  static let headersTooLarge = RequestRejection(status: 431)
  static let unavailable = RequestRejection(status: 503)
  static let versionNotSupported = RequestRejection(status: 505)

  /// Reason for the log; nil if the client caused the refusal.
  var reason: String? {
    self == .unavailable ? "bodies that are being received use up their room" : nil
  }
}
