import MarketAPI
import TextCoding

/// Access-log record of one finished request.
package struct FinishedRequest: Hashable, Sendable {
  package var client: RemoteClient
  package var method: HTTPMethod
  package var target: String
  /// Nil where the connection broke before there was an answer.
  package var status: HTTPStatus?
  /// Bytes of the answer's body.
  package var byteCount: Int
  package var nanoseconds: UInt64
  /// Reason why the server is to blame; nil where it is not.
  package var reason: String?
  /// Whether the client watched: then the time says nothing of the server.
  package var isWatch: Bool
  /// Nil where nobody gave it one.
  package var trace: TraceID?

  package init(
    client: RemoteClient, method: HTTPMethod, target: String, status: HTTPStatus?, byteCount: Int,
    nanoseconds: UInt64, reason: String? = nil, isWatch: Bool = false, trace: TraceID? = nil
  ) {
    self.client = client
    self.method = method
    self.target = target
    self.status = status
    self.byteCount = byteCount
    self.nanoseconds = nanoseconds
    self.reason = reason
    self.isWatch = isWatch
    self.trace = trace
  }

  private static let targetLimit = 512
  private static let reasonLimit = 256

  /// Appends `192.0.2.1 GET /api/products?page_no=1 200 6420 183us`: who, what, how it ended, the
  /// bytes of the answer, how long it took, and its trace; then why, where the server is to blame.
  func appendLine(to bytes: inout [UInt8]) {
    append(client.address.utf8, to: &bytes)
    bytes.append(0x20)
    append(method.rawValue.utf8, to: &bytes)
    bytes.append(0x20)
    append(shownTarget.utf8.prefix(Self.targetLimit), to: &bytes)
    bytes.append(0x20)
    if let status { append(status.rawValue, to: &bytes) } else { bytes.append(0x2D) }
    bytes.append(0x20)
    append(byteCount, to: &bytes)
    bytes.append(0x20)
    append(Int(clamping: nanoseconds / 1_000), to: &bytes)
    bytes += "us".utf8
    if let trace {
      bytes.append(0x20)
      trace.append(to: &bytes)
    }
    if let shownReason { bytes += ": \(shownReason)".utf8 }
    bytes.append(0x0A)
  }

  /// The same as an object: `{"time":"...","client":"192.0.2.1","method":"GET",...}`.
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

  /// The reason as one line.
  private var shownReason: String? {
    reason.map { reason in
      reason.prefix(Self.reasonLimit).split(separator: " ").map { Self.word($0.utf8) }
        .joined(separator: " ")
    }
  }

  /// The target without the word that deletes a product: a key, or the seller's own password.
  ///
  /// Whatever the method, the spelling of the path and what follows, for a client may err in each.
  var shownTarget: String {
    // Lists and details are nearly all requests.
    let separators = target.utf8.count { $0 == 0x2F || $0 == 0x25 }
    guard separators >= 3 || !target.utf8.starts(with: "/".utf8), !isDetail else { return target }
    let path = PercentCoding.decode(String(target.utf8.prefix { $0 != 0x3F && $0 != 0x23 }) ?? "")
    let words = path.split(separator: "/").map(String.init)
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

  /// Whatever a client sends stays one word of one line.
  private func append(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: text)
    for position in start..<bytes.count where bytes[position] <= 0x20 || bytes[position] >= 0x7F {
      bytes[position] = 0x3F
    }
  }

  /// Appends a number that is not negative, in decimal digits.
  private func append(_ number: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = number
    repeat {
      bytes.append(0x30 + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  private static func word(_ text: some Sequence<UInt8>) -> String {
    String(decoding: text.map { $0 > 0x20 && $0 < 0x7F ? $0 : 0x3F }, as: UTF8.self)
  }
}

/// Event at a server, as it tells those who watch it.
package enum ServerEvent: Hashable, Sendable {
  case connected
  case disconnected
  case finished(FinishedRequest)
  case beganWatching
  case endedWatching(isDropped: Bool)
  /// So many events were handed to watchers.
  case sentEvents(Int)
}
