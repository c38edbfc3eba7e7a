/// Search for the end of a request's head in bytes that arrive piece by piece.
///
/// A line ends with CR LF and with nothing else: a bare CR or LF and a NUL are refused as soon as
/// they are seen, since two readers could disagree on where the line ends (RFC 9112, section 2.2).
package struct HeadScanner {
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let lineFeed = UInt8(ascii: "\n")

  /// Bytes that were looked at.
  private(set) var scanned = 0
  /// Bytes of the line that is being looked at, without its end.
  private var lineLength = 0
  private var isAfterReturn = false

  package init() {}

  /// Looks for the empty line that ends the head.
  ///
  /// - Parameter bytes: the head from its first byte on; what was looked at before is passed over.
  /// - Returns: the length of the head with that line; nil where more has to come.
  /// - Throws: 400 for a line that has no clear end.
  package mutating func end(in bytes: UnsafeRawBufferPointer) throws(RequestRefusal) -> Int? {
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
  /// Lends the bytes to a body that throws one type of error.
  package func withBytes<Answer, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try withUnsafeBufferPointer { bytes throws(Failure) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }
}

/// Status that a request is refused with before anybody has read what it asks.
package struct RequestRefusal: Error, Hashable {
  package let status: Int

  /// Malformed framing or syntax (RFC 9112).
  package static let badRequest = RequestRefusal(status: 400)
  package static let contentTooLarge = RequestRefusal(status: 413)
  static let headersTooLarge = RequestRefusal(status: 431)
  static let unavailable = RequestRefusal(status: 503)
  static let versionNotSupported = RequestRefusal(status: 505)

  /// Why the server is to blame, for its log; nil where the client is.
  var reason: String? {
    self == .unavailable ? "bodies that are being received use up their room" : nil
  }
}
