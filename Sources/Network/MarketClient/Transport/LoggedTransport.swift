import MarketAPI
import MarketModel

/// Transport that logs each request without a response or with a status from 400.
package struct LoggedTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let log: EventLog

  package init(_ transport: any HTTPTransport, log: EventLog) {
    self.transport = transport
    self.log = log
  }

  package func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopResponse {
    let start = ContinuousClock.now
    let asked = { hop.method.rawValue + " " + hop.address.loggedText }
    let answer = try await log.watching(asked(), \.logged) { () throws(TransportError) in
      try await transport.answer(to: hop)
    }
    let status = answer.response.status.rawValue
    if log.isOn, status >= 400 { log.record(asked(), String(status), since: start) }
    return answer
  }
}

extension TransportError {
  fileprivate var logged: String? { self == .cancelled ? nil : String(describing: self) }
}

extension WebAddress {
  /// First path segment requested from servers; a word of the API that holds no secret.
  private static let probe = "healthChecker"

  /// Address for the log: without a query, other segments than numbers and short lowercase words
  /// replaced by `*`.
  ///
  /// Deletion tokens are segments of paths, and any other segment may be a secret.
  var loggedText: String {
    let path = target.prefix { $0 != "?" }.split(separator: "/").map { segment in
      let isNumber = segment.utf8.allSatisfy { (0x30...0x39).contains($0) }
      let isWord =
        segment.utf8.count <= 12 && segment.utf8.allSatisfy { (0x61...0x7A).contains($0) }
      return isNumber || isWord || segment == Self.probe ? String(segment) : "*"
    }
    return WebAddress(origin: origin, target: "/" + path.joined(separator: "/")).text
  }
}
