import MarketAPI

/// The header lines of the latest response on a connection, bounded in size and number.
struct CurlResponseHead {
  private static let byteLimit = 64 << 10
  private static let lineLimit = 256

  private(set) var headers: HTTPHeaders = [:]
  private var byteCount = 0
  private var lineCount = 0

  /// Bytes that the server says will follow; 0 where it says nothing usable.
  var declaredLength: Int {
    headers["content-length"].flatMap { Int($0) }.map { max(0, $0) } ?? 0
  }

  /// Takes one line as libcurl hands it over, with its line end.
  ///
  /// A status line begins anew: an interim response (RFC 9110 section 15.2) came before.
  ///
  /// - Returns: whether the lines are still within their limits.
  mutating func append(_ line: UnsafeRawBufferPointer) -> Bool {
    byteCount += line.count
    lineCount += 1
    guard byteCount <= Self.byteLimit, lineCount <= Self.lineLimit else { return false }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      headers = [:]
    } else if let colon = text.firstIndex(of: ":") {
      headers.add(String(text[text.index(after: colon)...]), for: String(text[..<colon]))
    }
    return true
  }
}
