import MarketAPI
import MarketModel
import TextCoding

/// Access-log record of one finished request.
package struct FinishedRequest: Hashable, Sendable {
  package var client: RemoteClient
  package var method: HTTPMethod
  package var target: String
  /// Status of the response; nil if the connection was closed before it.
  package var status: HTTPStatus?
  /// Bytes of the response body.
  package var byteCount: Int
  package var nanoseconds: UInt64
  /// Reason of a server error; nil if there was none.
  package var reason: String?
  /// Whether the client had a change subscription, whose duration says nothing about the server.
  package var isWatch = false
  /// Trace id; nil if there is none.
  package var trace: TraceID?

  /// Maximum lengths of target and reason in the log; longer ones are cut.
  private static let targetLimit = 512
  private static let reasonLimit = 256

  /// Appends `192.0.2.1 GET /api/products?page_no=1 200 6420 183us`: client, method, target, status
  /// (`-` if none), bytes of the body, duration and trace; then the reason of a server error.
  func appendLine(to bytes: inout [UInt8]) {
    append(client.address, to: &bytes)
    bytes.append(0x20)
    append(method.rawValue, to: &bytes)
    bytes.append(0x20)
    append(shownTarget, atMost: Self.targetLimit, to: &bytes)
    bytes.append(0x20)
    if let status { bytes.appendDecimal(Int64(status.rawValue)) } else { bytes.append(0x2D) }
    bytes.append(0x20)
    bytes.appendDecimal(Int64(byteCount))
    bytes.append(0x20)
    bytes.appendDecimal(Int64(clamping: nanoseconds / 1_000))
    bytes += "us".utf8
    if let trace {
      bytes.append(0x20)
      trace.append(to: &bytes)
    }
    if let shownReason { bytes += ": \(shownReason)".utf8 }
    bytes.append(0x0A)
  }

  /// Record as a JSON object: `{"time":"...","client":"192.0.2.1","method":"GET",...}`.
  func jsonLine(at time: String) -> [UInt8] {
    var line = JSONWriter()
    line.beginObject()
    line.member("time", time)
    line.member("client", Self.word(client.address.utf8))
    line.member("method", Self.word(method.rawValue.utf8))
    line.member("target", Self.word(shownTarget.utf8.prefix(Self.targetLimit)))
    line.key("status")
    if let status { line.integer(Int64(status.rawValue)) } else { line.null() }
    line.member("bytes", Int64(byteCount))
    line.member("microseconds", Int64(clamping: nanoseconds / 1_000))
    if let trace { line.member("trace", trace.text) }
    if let shownReason { line.member("reason", shownReason) }
    line.endObject()
    return line.bytes + [0x0A]
  }

  /// Reason without line breaks and other control characters.
  private var shownReason: String? {
    reason.map { reason in
      reason.prefix(Self.reasonLimit).split(separator: " ").map { Self.word($0.utf8) }
        .joined(separator: " ")
    }
  }

  /// Target without the segment that authorizes a deletion: a token, or the seller's password.
  ///
  /// The method, the spelling of the path and what follows are not trusted, since a client may err in
  /// each.
  var shownTarget: String {
    if UploadToken.mayBe(target) { return "/U/*" }
    // Fast path for lists and details, nearly all requests.
    var target = target
    let separators = target.withUTF8 { $0.count { $0 == 0x2F || $0 == 0x25 } }
    guard separators >= 3 || target.utf8.first != 0x2F, !isDetail else { return target }
    let path = PercentCoding.decode(String(target.utf8.prefix { $0 != 0x3F && $0 != 0x23 }) ?? "")
    let words = path.split(separator: "/").map(String.init)
    if words.first?.lowercased() == UploadToken.segment.lowercased() { return "/U/*" }
    if words.contains(where: { $0.lowercased() == "uploads" }) { return "/api/uploads/*" }
    guard let position = words.firstIndex(where: { $0.lowercased() == "products" }) else {
      return target
    }
    let rest = words[(position + 1)...]
    guard let id = rest.first else { return target }
    let isNumber = id.utf8.allSatisfy { (0x30...0x39).contains($0) } && id.utf8.count < 20
    if rest.count == 1, isNumber { return target }
    let isStep =
      rest.count == 2 && isNumber && method != .delete
      && ["secret", "archived"].contains(rest[position + 2])
    if isStep { return target }
    return "/api/products/" + (isNumber ? id : "*") + (rest.count > 1 ? "/*" : "")
  }

  /// Whether the target is `/api/products/` and a number.
  private var isDetail: Bool {
    let path = "/api/products/".utf8
    let number = target.utf8.dropFirst(path.count)
    return target.utf8.starts(with: path) && number.count < 20
      && number.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Appends a text whose control characters, spaces and non-ASCII bytes become `?`, so that it stays
  /// one word.
  private func append(_ text: String, atMost limit: Int = .max, to bytes: inout [UInt8]) {
    var text = text
    let start = bytes.count
    text.withUTF8 { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0.prefix(limit))) }
    bytes.withUnsafeMutableBufferPointer { bytes in
      for position in start..<bytes.count where bytes[position] <= 0x20 || bytes[position] >= 0x7F {
        bytes[position] = 0x3F
      }
    }
  }

  private static func word(_ text: some Sequence<UInt8>) -> String {
    String(decoding: text.map { $0 > 0x20 && $0 < 0x7F ? $0 : 0x3F }, as: UTF8.self)
  }
}

/// Event of a server.
package enum ServerEvent: Hashable, Sendable {
  case connected
  case disconnected
  case finished(FinishedRequest)
  case beganWatching
  case endedWatching(isDropped: Bool)
  /// Number of events sent to change streams.
  case sentEvents(Int)
}
