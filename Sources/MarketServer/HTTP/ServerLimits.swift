/// How much of a server one client, or all of them together, may use.
package struct ServerLimits: Hashable, Sendable {
  /// Bytes of one body.
  package var body = 4 << 20
  /// Bytes of all bodies that are being received or worked on; above that, clients are asked to
  /// come back.
  package var allBodies = 24 << 20
  /// Bytes of the names and values of a request's headers and of its target.
  package var header = 16 << 10
  package var connections = 1_000
  /// Seconds without a byte from a client, or to one.
  package var idleSeconds = 15

  package init() {}
}
