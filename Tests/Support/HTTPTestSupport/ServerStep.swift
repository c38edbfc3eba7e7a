/// One thing that a scripted server does on a connection after it has read a request.
package enum ServerStep: Sendable {
  case send(String)
  case sendBytes([UInt8])
  /// Sends a text over and over until the client goes.
  case sendForEver(String)
  /// Sends one byte of the text at a time, with a pause before each, until the client goes.
  case trickle(String, everyMilliseconds: Int32)
  /// Sends nothing more and waits until the client goes.
  case stall
  /// Ends the connection in the middle of things.
  case close

  /// A whole response with its length and further headers.
  package static func answer(
    _ status: Int = 200, _ body: String = "", headers: [String: String] = [:]
  ) -> ServerStep {
    answer(status, bytes: Array(body.utf8), headers: headers)
  }

  package static func answer(
    _ status: Int = 200, bytes: [UInt8], headers: [String: String] = [:]
  ) -> ServerStep {
    var head = "HTTP/1.1 \(status) Scripted\r\nContent-Length: \(bytes.count)\r\n"
    if headers["Content-Type"] == nil { head += "Content-Type: application/json\r\n" }
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    return .sendBytes(Array((head + "\r\n").utf8) + bytes)
  }

  package static func redirect(to location: String, status: Int = 302) -> ServerStep {
    answer(status, headers: ["Location": location])
  }
}
