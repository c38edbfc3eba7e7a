import MarketModel

/// Progress of a standby, computed from alternating reports of the primary and the standby.
///
/// A state of the market counts as of the time it was requested. The standby has reached it once it has
/// replayed that WAL position and contains its newest change, which a database with another history does
/// not.
struct ReplicationProgress: Sendable {
  /// State of the market as its primary reports it.
  struct State: Hashable, Sendable {
    let position: MarketPosition
    /// Identity of the reporting server.
    let server: String
    /// The newest change of the log: its transaction id and its nonce.
    let transaction: Int64
    let nonce: Int64
  }

  /// Report of a standby.
  struct Report: Hashable, Sendable {
    /// Replayed WAL position; nil for a server that is no standby.
    let position: MarketPosition?
    let server: String
    /// Requested nonces that the standby's log contains.
    let nonces: Set<Int64>

    /// Whether it has reached a state of the market.
    func has(_ state: State) -> Bool {
      guard nonces.contains(state.nonce) else { return false }
      // A server that is no standby is the primary itself, or another market.
      guard let position else { return server == state.server }
      return position >= state.position
    }
  }

  private struct Sample {
    let state: State
    let asked: ContinuousClock.Instant
  }

  /// State that the standby is known to have reached.
  private struct Reached {
    let position: MarketPosition
    let server: String
    let asked: ContinuousClock.Instant
  }

  private var samples: [Sample] = []
  private var reached: Reached?
  private(set) var lastAsked: ContinuousClock.Instant

  init(at now: ContinuousClock.Instant) { lastAsked = now }

  /// The server that may be used for reads; nil for none.
  var server: String? { reached?.server }

  /// The states that the standby is asked for.
  var awaited: [State] { samples.map(\.state) }

  /// Adds a state of the market, with the time it was requested.
  mutating func didSample(_ state: State, askedAt asked: ContinuousClock.Instant) {
    samples.removeAll { asked - $0.asked >= ReplicaStaleness.limit }
    samples.append(Sample(state: state, asked: asked))
  }

  /// Handles a report of the standby, requested after all states so far.
  mutating func didReceive(_ report: Report) {
    guard let last = samples.lastIndex(where: { report.has($0.state) }) else {
      return discardProgress(unlessOf: report.server)
    }
    let sample = samples[last]
    samples.removeFirst(last + 1)
    lastAsked = sample.asked
    reached = Reached(
      position: report.position ?? sample.state.position, server: report.server,
      asked: sample.asked)
  }

  /// Handles a failed read: the standby is unused until its next report.
  mutating func didFail() { reached = nil }

  /// Whether reads from now on are recent enough, and include everything up to a position; nil requires
  /// no position.
  func suits(_ position: MarketPosition?, at now: ContinuousClock.Instant) -> Bool {
    guard let reached, now - reached.asked < ReplicaStaleness.limit else { return false }
    return position.map { $0 <= reached.position } ?? true
  }

  /// Discards the progress where another server answers.
  private mutating func discardProgress(unlessOf server: String) {
    if reached?.server != server { reached = nil }
  }
}
