import MarketModel
import Synchronization

/// Tracker of the position that reads must include: the recent writes of the reader's address, and the
/// changes recently announced to watchers.
///
/// After `lifetime` every replica that is young enough includes them.
final class ReadYourWritesTracker: Sendable {
  /// Position that a read must include.
  enum Need: Hashable {
    /// Everything up to a position; nil if any replica that is young enough suits.
    case position(MarketPosition?)
    /// All committed data, so that only the primary suits.
    case newest
  }

  private struct Entry {
    /// Position of the write; nil if unknown.
    let position: MarketPosition?
    let end: ContinuousClock.Instant

    /// Entry for both writes; of concurrent responses the later one may have the lower position.
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
    /// Time up to which any address may have written; nil if no entry was dropped.
    var droppedUntil: ContinuousClock.Instant?
    var announced: Entry?
  }

  /// Time for which a write is tracked.
  static let lifetime = Duration.seconds(2)
  /// Maximum number of addresses; beyond it all are dropped, and reads of any address need the newest
  /// data.
  static let addressLimit = 10_000

  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
  }

  /// Records a write of an address; a nil position is unknown.
  func didWrite(_ address: String, upTo position: MarketPosition?) {
    let now = now()
    state.withLock { state in
      if state.writers.count >= Self.addressLimit {
        state.writers = state.writers.filter { $0.value.end > now }
      }
      if state.writers.count >= Self.addressLimit {
        state.writers = [:]
        state.droppedUntil = now + Self.lifetime
      }
      state.writers[address] = Entry(position: position, end: now + Self.lifetime)
        .joined(with: state.writers[address], at: now)
    }
  }

  /// Records that changes up to a position were announced, so that the reads that follow include them.
  func didAnnounce(upTo position: MarketPosition?) {
    let now = now()
    let entry = Entry(position: position, end: now + Self.lifetime)
    state.withLock { $0.announced = entry.joined(with: $0.announced, at: now) }
  }

  /// Returns the log position that a read from an address must include, or `.newest`.
  func need(of address: String) -> Need {
    let now = now()
    let (entries, mayHaveWritten) = state.withLock { state in
      ([state.writers[address], state.announced], state.droppedUntil.map { $0 > now } ?? false)
    }
    if mayHaveWritten { return .newest }
    var highest: MarketPosition?
    for case let entry? in entries where entry.end > now {
      guard let position = entry.position else { return .newest }
      highest = max(highest ?? position, position)
    }
    return .position(highest)
  }
}
