import MarketModel

/// Read-your-writes position: returned by a server with a write and sent back with the reads of the
/// next seconds, so that the client sees its own changes from any replica.
struct AcknowledgedPosition: Sendable {
  /// Time after which every replica in use has the change.
  static let lifetime = Duration.seconds(5)

  private struct Said {
    let origin: WebAddress.Origin
    let position: MarketPosition
    let end: ContinuousClock.Instant
  }

  private var said: Said?

  /// Stores the highest position of a server: responses may arrive in another order than the changes.
  mutating func keep(
    _ position: MarketPosition, of origin: WebAddress.Origin, now: ContinuousClock.Instant
  ) {
    var position = position
    if let said, said.origin == origin, said.end > now { position = max(position, said.position) }
    said = Said(origin: origin, position: position, end: now + Self.lifetime)
  }

  /// Header value to send to a server; nil if there is none.
  func word(at origin: WebAddress.Origin, now: ContinuousClock.Instant) -> String? {
    guard let said, said.origin == origin, said.end > now else { return nil }
    return said.position.word
  }
}
