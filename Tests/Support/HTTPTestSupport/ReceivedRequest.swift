/// A request as it came over the wire.
package struct ReceivedRequest: Hashable, Sendable {
  package let method: String
  /// Path and query.
  package let target: String
  /// Names in lower case.
  package let headers: [String: String]
  package let body: [UInt8]

  package var path: String { String(target.prefix { $0 != "?" }) }
}

extension ReceivedRequest {
  /// A request as a test spells it: method and target, headers a line each, an empty line, the body.
  ///
  /// - Parameters:
  ///   - message: the text; on the wire its lines end in CRLF.
  ///   - picture: what `@` in the body stands for.
  package init(spelled message: String, picture: [UInt8]) {
    let pieces = message.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
    let head = pieces[0].split(separator: "\n")
    let line = head[0].split(separator: " ")
    let fields = head.dropFirst().map { $0.split(separator: ":", maxSplits: 1) }
    let body = pieces.count > 1 ? pieces[1] : ""
    self.init(
      method: String(line[0]), target: String(line[1]),
      headers: Dictionary(
        fields.map { ($0[0].lowercased(), String($0[1].drop { $0 == " " })) },
        uniquingKeysWith: { _, last in last }),
      body: body.utf8.flatMap { byte -> [UInt8] in
        switch byte {
        case 0x40: picture
        case 0x0A: [0x0D, 0x0A]
        default: [byte]
        }
      })
  }
}
