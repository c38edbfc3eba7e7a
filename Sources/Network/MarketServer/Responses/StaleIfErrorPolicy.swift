import MarketAPI
import MarketModel
import Synchronization

/// Policy of stale responses when the market fails (`stale-if-error`, RFC 5861, section 4).
///
/// A stale response has an `Age` in seconds, rounded up (RFC 9111, section 5.1). No client gets one
/// from before its own last write. A write with unknown outcome counts for a few seconds only:
/// otherwise all clients at an address would wait as long as one of them retries.
package final class StaleIfErrorPolicy: Sendable {
  /// Times of an address's last writes.
  private struct Writes {
    var certain: ContinuousClock.Instant?
    var possible: ContinuousClock.Instant?

    /// Last write that counts at `now`; nil if there is none.
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
    /// Time at which entries were dropped, before which any address may have written; nil if none were.
    var droppedAt: ContinuousClock.Instant?
  }

  /// Maximum age of a stale response.
  package static let limit = Duration.seconds(30)
  /// Maximum number of addresses; beyond it all are dropped and `droppedAt` is set.
  private static let addressLimit = 10_000
  /// Time between the check that a response is current and its use.
  private static let slack = Duration.milliseconds(100)

  let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
  }

  /// Records the outcome of a write by an address.
  func didWrite(_ address: String, _ outcome: WriteOutcome) {
    guard outcome != .none else { return }
    let now = now()
    state.withLock { state in
      if state.writes.count >= Self.addressLimit {
        state.writes = state.writes.filter { $0.value.counts(at: now) }
      }
      if state.writes.count >= Self.addressLimit {
        state.writes = [:]
        state.droppedAt = now
      }
      let path = outcome == .shown ? \Writes.certain : \.possible
      state.writes[address, default: Writes()][keyPath: path] = now
    }
  }

  /// Time since the last write of an address at this server; nil if none is recorded.
  func sinceWrite(of address: String) -> Duration? {
    let now = now()
    let last = state.withLock { state in
      [state.writes[address]?.last(at: now), state.droppedAt].compactMap(\.self).max()
    }
    return last.map { now - $0 }
  }

  /// Returns a stale response from `cache`; nil if none is young enough.
  func response(
    to request: ServerRequest, for key: ServerCacheKey, in cache: ServerCache
  ) -> ServerResponse? {
    guard var age = request.acceptedStaleness(atMost: Self.limit) else { return nil }
    if let written = sinceWrite(of: request.client.address) { age = min(age, written - Self.slack) }
    let now = now()
    guard let last = cache.lastValue(for: key, after: now - age) else { return nil }
    return last.value.response?.response(to: request, aged: now - last.until)
  }
}

extension ServerRequest {
  /// Maximum age of a stale response for this client; nil if it accepts none (`no-cache`, RFC 9111,
  /// section 5.2.1) or has written at any server of the market.
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
