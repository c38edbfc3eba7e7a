import MarketAPI
import MarketModel

/// Transport that logs each request without a response or with a status from 400, or all.
package struct LoggedTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let log: EventLog

  package init(_ transport: any HTTPTransport, log: EventLog) {
    self.transport = transport
    self.log = log
  }

  package func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopResponse {
    guard log.isOn else { return try await transport.answer(to: hop) }
    let start = ContinuousClock.now
    let asked = hop.method.rawValue + " " + hop.address.loggedText
    do throws(TransportError) {
      let answer = try await transport.answer(to: hop)
      let (status, size) = (answer.response.status.rawValue, answer.response.body.count)
      if log.hasRequests {
        log.record(asked, "\(status), \(hop.loggedSize), received \(size) bytes", since: start)
      } else if status >= 400 {
        log.record(asked, String(status), since: start)
      }
      return answer
    } catch {
      if error != .cancelled || log.hasRequests {
        let size = log.hasRequests ? ", " + hop.loggedSize : ""
        log.record(asked, String(describing: error) + size, since: start)
      }
      throw error
    }
  }
}

extension HTTPHop {
  /// Size of the body, and of a form the names, types and sizes of its parts; never their content.
  fileprivate var loggedSize: String {
    let type = headers["Content-Type"]
    guard type?.lowercased().hasPrefix("multipart/") == true,
      let parts = try? MultipartParser.parts(of: body, contentType: type)
    else { return "sent \(body.count) bytes" }
    let listed = parts.map { part in
      "\(part.name) \(part.contentType ?? "text") \(part.bytes.count)"
    }
    return "sent \(body.count) bytes (\(listed.joined(separator: ", ")))"
  }
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
