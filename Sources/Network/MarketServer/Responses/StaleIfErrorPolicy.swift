import MarketAPI
import MarketModel
import Synchronization

/// Rule by which answers that are remembered stand in for those that the market cannot give, as
/// `stale-if-error` has it (RFC 5861, section 4).
///
/// Such an answer says its age in seconds (`Age`, RFC 9111, section 5.1), rounded up. Nobody is given
/// one from before what he has written himself. A write of which nobody knows whether it happened counts
/// for a moment only: whoever else has the address would wait for as long as somebody tries.
package final class StaleIfErrorPolicy: Sendable {
  /// When an address has written last.
  private struct Writes {
    var certain: ContinuousClock.Instant?
    var possible: ContinuousClock.Instant?

    /// The last one that counts.
    func last(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      guard let possible, now - possible < ReadYourWritesTracker.lifetime else { return certain }
      return certain.map { max($0, possible) } ?? possible
    }

    func counts(at now: ContinuousClock.Instant) -> Bool {
      last(at: now).map { now - $0 < StaleIfErrorPolicy.limit } ?? false
    }
  }

  private struct State {
    var writes: [String: Writes] = [:]
    /// Time before which any address may have written.
    var forgotten: ContinuousClock.Instant?
  }

  /// How long ago a market may have been seen last whose answers are given.
  package static let limit = Duration.seconds(30)
  /// Addresses that are remembered.
  private static let addressLimit = 10_000
  /// Time for which an answer may be given after the question that found it to be right.
  private static let slack = Duration.milliseconds(100)

  let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
  }

  /// Takes note of what an address was answered to a change.
  func didWrite(_ address: String, _ effect: WriteOutcome) {
    guard effect != .none else { return }
    let now = now()
    state.withLock { state in
      if state.writes.count >= Self.addressLimit {
        state.writes = state.writes.filter { $0.value.counts(at: now) }
      }
      if state.writes.count >= Self.addressLimit {
        state.writes = [:]
        state.forgotten = now
      }
      let path = effect == .shown ? \Writes.certain : \.possible
      state.writes[address, default: Writes()][keyPath: path] = now
    }
  }

  /// How long ago an address wrote something at this server; nil where that is long ago.
  func sinceWrite(of address: String) -> Duration? {
    let now = now()
    let last = state.withLock { state in
      [state.writes[address]?.last(at: now), state.forgotten].compactMap(\.self).max()
    }
    return last.map { now - $0 }
  }

  /// The answer in a memory to a request that the market cannot answer; nil where there is none that
  /// is young enough.
  func answer<Key: Hashable & Sendable>(
    to request: ServerRequest, for key: Key, in cache: VersionedCache<Key, CachedResponse>
  ) -> ServerResponse? {
    guard var age = request.acceptedStaleness(atMost: Self.limit) else { return nil }
    if let written = sinceWrite(of: request.client.address) { age = min(age, written - Self.slack) }
    let now = now()
    guard let last = cache.lastValue(for: key, after: now - age) else { return nil }
    return last.value.response(to: request, aged: now - last.until)
  }
}

extension ServerRequest {
  /// The greatest age that its client accepts of an answer where there is no other one; nil where it
  /// wants none but a new one (RFC 9111, section 5.2.1), or has written at some server of the market.
  fileprivate func acceptedStaleness(atMost limit: Duration) -> Duration? {
    guard headers.values(of: HeaderName.marketPosition).isEmpty else { return nil }
    var accepted = limit
    for value in headers.values(of: HeaderName.cacheControl) {
      for word in value.split(separator: ",") {
        let parts = word.split(separator: "=").map {
          $0.lowercased().filter { !" \t\"".contains($0) }
        }
        switch parts.first {
        case "no-cache": return nil
        case "stale-if-error":
          guard parts.count == 2, let seconds = UInt32(parts[1]) else { break }
          accepted = min(accepted, .seconds(seconds))
        default: break
        }
      }
    }
    return accepted
  }
}
