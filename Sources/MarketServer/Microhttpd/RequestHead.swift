internal import CMicrohttpd
import MarketAPI

/// What stands before the body of a request.
struct RequestHead {
  /// How many bodies of the largest size are let pass by.
  private static let discardedBodies = 8

  var headers = HTTPHeaders()
  /// Bytes of names and values.
  private(set) var byteCount = 0

  init(of connection: OpaquePointer) {
    withUnsafeMutablePointer(to: &self) { head in
      _ = MHD_get_connection_values(
        connection, .HEADER_KIND,
        { context, _, name, value in
          guard let head = context?.assumingMemoryBound(to: RequestHead.self), let name else {
            return .YES
          }
          head.pointee.add(String(cString: name), value.map { String(cString: $0) } ?? "")
          return .YES
        }, head)
    }
  }

  private mutating func add(_ name: String, _ value: String) {
    byteCount += name.utf8.count + value.utf8.count + 4
    headers.add(value, for: name)
  }

  /// Why the request is not taken; nil where it is.
  ///
  /// Two lengths, or a length beside an encoding, are how requests are smuggled past proxies
  /// (RFC 9112, section 6.3), and libmicrohttpd lets both pass.
  func refusal(target: String, limits: ServerLimits) -> HTTPStatus? {
    if byteCount + target.utf8.count > limits.header { return .headersTooLarge }
    let lengths = headers.values(of: "Content-Length")
    let encodings = headers.values(of: "Transfer-Encoding")
    if lengths.count + encodings.count > 1 { return .badRequest }
    if headers.values(of: "Host").count > 1 { return .badRequest }
    if let encoding = encodings.first, encoding.lowercased() != "chunked" { return .badRequest }
    guard let length = lengths.first else { return nil }
    guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return .badRequest
    }
    guard let count = Int(length), count <= limits.body else { return .contentTooLarge }
    return nil
  }

  /// Bytes of a body that is too large and is read all the same; nil where it is not.
  ///
  /// Most clients look for an answer only when they have sent everything, and would be told of a
  /// broken connection; those that ask before they send get their answer at once.
  func discardableBytes(limits: ServerLimits) -> Int? {
    guard headers["Expect"] == nil, let count = headers["Content-Length"].flatMap({ Int($0) }),
      count <= Self.discardedBodies * limits.body
    else { return nil }
    return count
  }

  /// Bytes that the body may have.
  func bodyBytes(limits: ServerLimits) -> Int {
    if headers["Transfer-Encoding"] != nil { return limits.body }
    return headers["Content-Length"].flatMap { Int($0) } ?? 0
  }
}
