import MarketModel
import SQLiteKit
import StoreCore
import Synchronization

/// Standby of a market's database, used for reads while it is known to be recent enough.
///
/// It is polled: the market's own database reports its state, and the standby whether it has replayed it.
/// While the standby fails or lags, `suits(_:)` returns false, and all reads go to the primary.
package final class PostgresReplica: ReadReplica {
  /// Time between two polls, several of which fit into the maximum age of data.
  private static let pause = Duration.milliseconds(200)

  /// The market as the standby has it.
  package let market: PostgresMarketStore
  private let primary: PostgresMarketStore
  /// Pool of one connection, which may lead to any of the standby's hosts.
  private let connection: ConnectionPool
  private let progress: SharedProgress
  private let polling = Mutex<Task<Void, Never>?>(nil)

  /// `address` is the standby's, and may name several hosts; `primary` is the market that it follows;
  /// `now` is the clock for the age of its state.
  package init(
    at address: String, following primary: PostgresMarketStore,
    pictureProcessor: any PictureProcessor, options: PostgresMarketStore.Options,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    let progress = SharedProgress(now)
    let preferred = PreferredHost()
    var options = options
    options.replica = ReplicaConnectionRules(preferred: preferred) { progress.admits($0) }
    var connecting = PostgresOptions(timeoutMilliseconds: options.timeoutMilliseconds)
    connecting.preferred = preferred
    connection = ConnectionPool(
      "standby-looks", count: 1, to: address, options: connecting, registry: options.registry)
    market = PostgresMarketStore(address, pictureProcessor: pictureProcessor, options: options)
    self.progress = progress
    self.primary = primary
    options.registry.gauge(.replicaAge) { progress.ageSeconds }
  }

  deinit { polling.withLock { $0?.cancel() } }

  /// Starts polling, until the value is released.
  package func begin() {
    let task = Task.detached(priority: .utility) { [weak self] in
      while !Task.isCancelled {
        await self?.poll()
        guard self != nil else { return }
        try? await Task.sleep(for: Self.pause)
      }
    }
    polling.withLock { $0 = task }
  }

  package func suits(_ position: MarketPosition?) -> Bool { progress.suits(position) }

  package func didFail() { progress.change { $0.didFail() } }

  package func presentPosition() async -> MarketPosition? { await primary.presentPosition() }

  /// Polls once.
  func poll() async {
    let asked = progress.now()
    let end = ContinuousClock.now + ReplicaStaleness.limit
    let state = await primary.answer(before: end) { connection throws(StoreError) in
      try connection.replicationState()
    }
    guard let state else { return }
    progress.change { $0.didSample(state, askedAt: asked) }
    let awaited = progress.awaited
    guard
      let report = try? await connection.use(
        before: end,
        { connection throws(StoreError) in
          try connection.replicationReport(on: awaited)
        })
    else { return didFail() }
    // The standby's cached version may be older than the state that it has now replayed.
    market.version.forget()
    progress.change { $0.didReceive(report) }
  }
}

/// Replication progress, readable on any thread.
private final class SharedProgress: Sendable {
  let now: @Sendable () -> ContinuousClock.Instant
  private let state: Mutex<ReplicationProgress>

  init(_ now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.now = now
    state = Mutex(ReplicationProgress(at: now()))
  }

  var awaited: [ReplicationProgress.State] { state.withLock { $0.awaited } }

  var ageSeconds: Double {
    let age = now() - state.withLock { $0.lastAsked }
    return age / .seconds(1)
  }

  func suits(_ position: MarketPosition?) -> Bool {
    state.withLock { $0.suits(position, at: now()) }
  }

  func admits(_ server: String?) -> Bool {
    guard let server else { return false }
    return state.withLock { $0.server == server }
  }

  func change(_ body: (inout ReplicationProgress) -> Void) { state.withLock { body(&$0) } }
}

/// Rules of connections to a standby: only the server whose progress is known is used, and a failed call
/// is not repeated.
struct ReplicaConnectionRules: Sendable {
  /// Reason why a connection to another server is dropped.
  static let isOther = "another server answers"

  /// The host that all connections try first.
  let preferred: PreferredHost
  /// Whether a server may be used for reads.
  let admits: @Sendable (_ server: String?) -> Bool
}

/// Result of inspecting a standby.
package enum ReplicaInspection: Hashable, Sendable {
  /// The standby replayed the market's state within this time.
  case follows(after: Duration)
  /// The standby did not replay the market's state within the maximum age of data.
  case lags
  /// The server is no standby, or is behind a pooler or load balancer.
  case followsNobody
  case otherMarket
  case silent(RepositoryError)
}

extension PostgresReplica {
  private static let pollingPause = Duration.milliseconds(20)

  /// Inspects a standby of the market at another address without changing anything; nil where the market
  /// itself does not answer, or has no tables.
  package static func inspect(
    at address: String, following store: String
  ) async -> ReplicaInspection? {
    let (market, replica) = (pool(to: store), pool(to: address))
    let began = ContinuousClock.now
    let found = try? await market.use { connection throws(StoreError) in
      (
        id: try? connection.identity.row()?.id, state: try connection.replicationState()
      )
    }
    guard let found, let state = found.state else { return nil }
    while true {
      let isOther: Bool
      let report: ReplicationProgress.Report?
      do {
        (isOther, report) = try await replica.use { connection throws(StoreError) in
          let id = try? connection.identity.row()?.id
          return (
            id != nil && found.id != nil && id != found.id,
            try connection.replicationReport(on: [state])
          )
        }
      } catch {
        return .silent(RepositoryError(error))
      }
      if isOther { return .otherMarket }
      let age = ContinuousClock.now - began
      guard let report else { return .followsNobody }
      if report.has(state) { return .follows(after: age) }
      guard report.position != nil else { return .followsNobody }
      guard age < ReplicaStaleness.limit, !Task.isCancelled else { return .lags }
      try? await Task.sleep(for: pollingPause)
    }
  }

  private static func pool(to address: String) -> ConnectionPool {
    ConnectionPool(
      "inspection", count: 1, to: address,
      options: PostgresOptions(timeoutMilliseconds: PostgresMarketStore.inspectionMilliseconds))
  }
}
