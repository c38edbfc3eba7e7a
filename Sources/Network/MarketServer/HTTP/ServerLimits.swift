/// Limits of how much of a server one client, or all of them together, may use.
package struct ServerLimits: Hashable, Sendable {
  /// Bytes of one body.
  package var body = 4 << 20
  /// Bytes of all bodies that are being received or worked on; above that, clients are asked to
  /// come back.
  package var allBodies = 24 << 20
  /// Bytes of those that come from one address.
  package var bodiesOfAddress = 12 << 20
  /// Bytes of a request's line and headers.
  package var header = 16 << 10
  package var connections = 1_000
  /// Connections from one address, where clients come directly: enough for an office behind one
  /// router, and for five such addresses before anybody has to wait.
  package var connectionsOfAddress = 200
  /// Requests that one thread finds answers for at a time; others wait for their turn.
  package var answers = 32
  /// Those of one address.
  package var answersOfAddress = 8
  /// Bytes beyond which an answer keeps its turn until the client has taken it.
  package var largeAnswer = 1 << 20
  /// Seconds without a byte from a client, or to one; also how far a body or an answer may fall
  /// behind the slowest rate.
  package var idleSeconds = 15

  package init() {}

  var idleNanoseconds: UInt64 { UInt64(idleSeconds) * 1_000_000_000 }
}
