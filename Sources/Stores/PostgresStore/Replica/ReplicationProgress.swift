import MarketModel
import SQLiteKit
import StoreCore

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

/// Queries for replication progress, by WAL positions (PostgreSQL, "Backup Control Functions" and
/// "Recovery Information Functions").
///
/// - Throws: every call throws the `StoreError` of its statement.
extension PostgresConnection {
  private static let server = "extract(epoch FROM pg_postmaster_start_time())::text"
  /// WAL that is written to disk: a standby receives nothing beyond.
  private static let written = position(
    "CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END")
  /// Includes asynchronous commits that are only in memory; without such a commit this position may be
  /// the start of a page that is never replayed.
  private static let committed = position(
    """
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
      WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
      ELSE pg_current_wal_lsn() END
    """)
  /// The position is read after the snapshot was taken, so it belongs to no earlier state.
  private static let replicationState = SQL(
    once: """
      SELECT \(written), \(server), newest.transaction, newest.nonce
      FROM (SELECT transaction, nonce FROM change ORDER BY transaction DESC, id DESC LIMIT 1) AS newest
      """)
  private static let replicationReport = SQL(
    once: """
      SELECT CASE WHEN pg_is_in_recovery() THEN \(position("pg_last_wal_replay_lsn()")) END, \(server),
        (SELECT string_agg(DISTINCT nonce::text, ' ') FROM change
          WHERE transaction = ANY ($1) AND nonce = ANY ($2))
      """)

  private static func position(_ log: String) -> String {
    "((\(log)) - '0/0'::pg_lsn)::bigint"
  }

  /// Query for a position after everything committed before.
  static let positionQuestion = SQL(once: "SELECT \(committed)")

  /// The state of the market; nil where the engine does not report positions.
  func replicationState() throws(StoreError) -> ReplicationProgress.State? {
    guard numbersTransactions else { return nil }
    return try first(Self.replicationState) { row in
      ReplicationProgress.State(
        position: MarketPosition(rawValue: row.integer(0)), server: row.text(1),
        transaction: row.integer(2), nonce: row.integer(3))
    }
  }

  /// A standby's report on some states; nil where the engine does not report positions, or the next
  /// connection may lead to another server.
  func replicationReport(
    on states: [ReplicationProgress.State]
  ) throws(StoreError) -> ReplicationProgress.Report? {
    guard numbersTransactions, server != nil else { return nil }
    return try first(
      Self.replicationReport,
      [.integers(states.map(\.transaction)), .integers(states.map(\.nonce))]
    ) { row in
      ReplicationProgress.Report(
        position: row.isNull(0) ? nil : MarketPosition(rawValue: row.integer(0)),
        server: row.text(1),
        nonces: Set(row.text(2).split(separator: " ").compactMap { Int64($0) }))
    }
  }

  /// A position after everything committed before; nil where the engine does not report positions.
  func position() throws(StoreError) -> MarketPosition? {
    guard numbersTransactions else { return nil }
    return try first(Self.positionQuestion) { MarketPosition(rawValue: $0.integer(0)) }
  }
}

extension PostgresMarketStore {
  package func presentPosition() async -> MarketPosition? {
    await answer(before: nil) { connection throws(StoreError) in try connection.position() }
  }

  /// The result of a progress query; nil where the database does not answer in time.
  func answer<Answer: Sendable>(
    before end: ContinuousClock.Instant?,
    _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Answer?
  ) async -> Answer? {
    let timeout = ContinuousClock.now + RequestDeadline.remaining(atMost: Self.versionTimeout)
    return try? await reserved.use(before: min(end ?? timeout, timeout)) {
      connection throws(StoreError) in
      try connection.transact(.none) { () throws(StoreError) -> Outcome<Answer?> in
        .success(try body(connection))
      }
    }.get()
  }
}
