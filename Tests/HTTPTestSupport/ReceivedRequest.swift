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
