import MarketModel

/// Position that a server said in its answer to a change, which it is told with what is read in the next
/// seconds: so a change is seen by whoever made it, from whichever copy of the market pages come.
struct AcknowledgedPosition: Sendable {
  /// By then every copy that answers has the change.
  static let lifetime = Duration.seconds(5)

  private struct Said {
    let origin: WebAddress.Origin
    let position: MarketPosition
    let end: ContinuousClock.Instant
  }

  private var said: Said?

  /// Keeps the highest position of a server: answers may come in another order than that of the changes.
  mutating func keep(
    _ position: MarketPosition, of origin: WebAddress.Origin, now: ContinuousClock.Instant
  ) {
    var position = position
    if let said, said.origin == origin, said.end > now { position = max(position, said.position) }
    said = Said(origin: origin, position: position, end: now + Self.lifetime)
  }

  /// What to say to a server; nil for nothing.
  func word(at origin: WebAddress.Origin, now: ContinuousClock.Instant) -> String? {
    guard let said, said.origin == origin, said.end > now else { return nil }
    return said.position.word
  }
}
