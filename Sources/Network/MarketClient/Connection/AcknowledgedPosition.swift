import MarketModel

/// Read-your-writes position: returned by a server with a write and sent back with the reads of the
/// next seconds, so that the client sees its own changes from any replica.
struct AcknowledgedPosition: Sendable {
  /// Time after which every replica in use has the change.
  static let lifetime = Duration.seconds(5)

  private struct Entry {
    let origin: WebAddress.Origin
    let position: MarketPosition
    let end: ContinuousClock.Instant
  }

  private var entry: Entry?

  /// Stores the highest position of a server: responses may arrive in another order than the changes.
  mutating func record(
    _ position: MarketPosition, of origin: WebAddress.Origin, now: ContinuousClock.Instant
  ) {
    var position = position
    if let entry, entry.origin == origin, entry.end > now {
      position = max(position, entry.position)
    }
    entry = Entry(origin: origin, position: position, end: now + Self.lifetime)
  }

  /// Header value to send to a server; nil if there is none.
  func word(at origin: WebAddress.Origin, now: ContinuousClock.Instant) -> String? {
    guard let entry, entry.origin == origin, entry.end > now else { return nil }
    return entry.position.word
  }
}
