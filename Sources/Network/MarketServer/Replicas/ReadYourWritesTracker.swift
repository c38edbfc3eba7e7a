import MarketModel
import Synchronization

/// Ledger of how far readers have to be shown the market: up to what their address has written a moment
/// ago, and up to what was told of changes to those who watch.
///
/// Later than that everything young enough to be shown holds it anyway.
final class ReadYourWritesTracker: Sendable {
  /// What a reader has to be shown.
  enum Need: Hashable {
    /// Everything up to a position; nil for no more than what is young enough.
    case position(MarketPosition?)
    /// Everything there is.
    case newest
  }

  private struct Entry {
    /// Nil where it is not known.
    let position: MarketPosition?
    let end: ContinuousClock.Instant

    /// What holds for both: of answers that come at once the later one may know less.
    func joined(with earlier: Entry?, at now: ContinuousClock.Instant) -> Entry {
      guard let earlier, earlier.end > now else { return self }
      guard let position, let other = earlier.position else {
        return Entry(position: nil, end: end)
      }
      return Entry(position: max(position, other), end: end)
    }
  }

  private struct State {
    var writers: [String: Entry] = [:]
    /// Time up to which any address may have written.
    var forgotten: ContinuousClock.Instant?
    var told: Entry?
  }

  /// Time for which it is remembered who has written.
  static let lifetime = Duration.seconds(2)
  /// Addresses that are remembered.
  static let addressLimit = 10_000

  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
  }

  /// Takes note that an address has written up to a position; nil where that is not known.
  func didWrite(_ address: String, upTo position: MarketPosition?) {
    let now = now()
    state.withLock { state in
      if state.writers.count >= Self.addressLimit {
        state.writers = state.writers.filter { $0.value.end > now }
      }
      if state.writers.count >= Self.addressLimit {
        state.writers = [:]
        state.forgotten = now + Self.lifetime
      }
      state.writers[address] = Entry(position: position, end: now + Self.lifetime)
        .joined(with: state.writers[address], at: now)
    }
  }

  /// Takes note that changes up to a position were told, so that whoever reads for them has them.
  func didTell(upTo position: MarketPosition?) {
    let now = now()
    let entry = Entry(position: position, end: now + Self.lifetime)
    state.withLock { $0.told = entry.joined(with: $0.told, at: now) }
  }

  /// What a reader at an address has to be shown.
  func need(of address: String) -> Need {
    let now = now()
    let (entries, isForgotten) = state.withLock { state in
      ([state.writers[address], state.told], state.forgotten.map { $0 > now } ?? false)
    }
    if isForgotten { return .newest }
    var highest: MarketPosition?
    for case let entry? in entries where entry.end > now {
      guard let position = entry.position else { return .newest }
      highest = max(highest ?? position, position)
    }
    return .position(highest)
  }
}
