import MarketModel

/// Knowledge of how far a standby has come, by what the market's own database and the standby say in
/// turn.
///
/// A state of the market is young from when it was asked for. The standby has come to it once it has
/// replayed that position and shows the newest change of it, which a database of another history does
/// not have.
struct ReplicationProgress: Sendable {
  /// State of the market as its own database tells it.
  struct State: Hashable, Sendable {
    let position: MarketPosition
    /// What tells the server that said so from every other one.
    let server: String
    /// The newest change of the log, by the number of its transaction and its mark.
    let transaction: Int64
    let mark: Int64
  }

  /// What a standby says of itself.
  struct Report: Hashable, Sendable {
    /// How far it has come; nil for a server that follows nobody.
    let position: MarketPosition?
    let server: String
    /// Marks of the changes that it was asked for and has.
    let marks: Set<Int64>

    /// Whether it has come to a state of the market.
    func has(_ state: State) -> Bool {
      guard marks.contains(state.mark) else { return false }
      // A server that follows nobody is the market's own, or another market.
      guard let position else { return server == state.server }
      return position >= state.position
    }
  }

  private struct Sample {
    let state: State
    let asked: ContinuousClock.Instant
  }

  /// What the standby is known to have.
  private struct Reached {
    let position: MarketPosition
    let server: String
    let asked: ContinuousClock.Instant
  }

  private var samples: [Sample] = []
  private var reached: Reached?
  private(set) var lastAsked: ContinuousClock.Instant

  init(at now: ContinuousClock.Instant) { lastAsked = now }

  /// The server that may be read at; nil for none.
  var server: String? { reached?.server }

  /// The states that the standby is to be asked for.
  var awaited: [State] { samples.map(\.state) }

  /// Takes a state of the market that was asked for at a time.
  mutating func didSample(_ state: State, askedAt asked: ContinuousClock.Instant) {
    samples.removeAll { asked - $0.asked >= ReplicaStaleness.limit }
    samples.append(Sample(state: state, asked: asked))
  }

  /// Takes the standby's report, which was asked for after all states so far.
  mutating func didReceive(_ report: Report) {
    guard let last = samples.lastIndex(where: { report.has($0.state) }) else {
      return keep(report.server)
    }
    let sample = samples[last]
    samples.removeFirst(last + 1)
    lastAsked = sample.asked
    reached = Reached(
      position: report.position ?? sample.state.position, server: report.server,
      asked: sample.asked)
  }

  /// Reading came to nothing.
  mutating func didFail() { reached = nil }

  /// Whether what is read from now on is young enough, and holds everything up to a position.
  func suits(_ position: MarketPosition?, at now: ContinuousClock.Instant) -> Bool {
    guard let reached, now - reached.asked < ReplicaStaleness.limit else { return false }
    return position.map { $0 <= reached.position } ?? true
  }

  /// What is known of one server says nothing of another one.
  private mutating func keep(_ server: String) {
    if reached?.server != server { reached = nil }
  }
}
