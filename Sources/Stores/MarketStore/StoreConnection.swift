import Dispatch
import DispatchBridge
import MarketModel
import SQLiteKit
import StoreCore

/// Connection to the market's file on a queue of its own, opened on first use.
///
/// - Throws: every call throws the `RepositoryError` of its body's or of opening the file; `.cancelled`
///   after `close()`.
actor StoreConnection {
  private let executor: QueueExecutor
  private let path: String
  private let options: SQLiteConnection.Options
  private var database: SQLiteDatabase?
  private var isClosed = false
  /// Whether this connection has seen that the file has an id of its own.
  private var hasOwnID = false
  private let wait: TimerMetric
  private let work: TimerMetric

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// `name` labels the connection's queue and its metrics.
  init(
    _ name: String, path: String, options: SQLiteConnection.Options,
    registry: MetricsRegistry = MetricsRegistry()
  ) {
    wait = registry.timer(.poolWait, name)
    work = registry.timer(.poolUse, name)
    executor = QueueExecutor(label: "market.store." + name)
    self.path = path
    self.options = options
  }

  /// Runs a body exclusively on the connection.
  nonisolated func use<Answer: Sendable>(
    _ body: @Sendable (SQLiteDatabase) throws(StoreError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    try await measured(since: .now) {
      (connection: isolated StoreConnection) throws(StoreError) -> Answer in
      try body(try connection.open())
    }
  }

  /// Runs a body before all calls that follow, without waiting for it; where it fails the file is opened anew.
  nonisolated func useNext(
    _ body: @escaping @Sendable (SQLiteDatabase) throws(StoreError) -> Void
  ) {
    executor.queue.async {
      self.assumeIsolated { connection in
        do throws(StoreError) { try body(try connection.open()) } catch {
          connection.database = nil
        }
      }
    }
  }

  /// Like `use(_:)`, in a read transaction.
  nonisolated func read<Answer: Sendable>(
    _ body: @Sendable (SQLiteDatabase) throws(StoreError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    guard !Task.isCancelled else { throw .cancelled }
    return try await use { database throws(StoreError) in
      try database.file.reading { () throws(StoreError) in try body(database) }
    }
  }

  /// Like `use(_:)`, in a write transaction, which a refusal rolls back and throws; `.store(.damaged)` where
  /// a table has no ids left.
  nonisolated func write<Answer: Sendable>(
    _ body: @Sendable (SQLiteDatabase) throws(StoreError) -> Outcome<Answer>
  ) async throws(RepositoryError) -> Answer {
    try await measured(since: .now) {
      (connection: isolated StoreConnection) throws(StoreError) -> Outcome<Answer> in
      try connection.writing(body)
    }.get()
  }

  private func writing<Answer: Sendable>(
    _ body: @Sendable (SQLiteDatabase) throws(StoreError) -> Outcome<Answer>
  ) throws(StoreError) -> Outcome<Answer> {
    let database = try open()
    do throws(StoreError) {
      let outcome = try database.file.writing(
        committing: { if case .success = $0 { true } else { false } },
        { () throws(StoreError) -> Outcome<Answer> in
          if !hasOwnID { try database.assignID(ofFileAt: path) }
          return try body(database)
        })
      if case .success = outcome { hasOwnID = true }
      return outcome
    } catch {
      throw error == .full && database.hasSpentNumbers ? .damaged : error
    }
  }

  /// Runs a body, and measures the wait since `asked` and the body.
  private func measured<Answer: Sendable>(
    since asked: ContinuousClock.Instant,
    _ body: @Sendable (isolated StoreConnection) throws(StoreError) -> Answer
  ) throws(RepositoryError) -> Answer {
    wait.note(since: asked)
    let began = ContinuousClock.now
    defer { work.note(since: began) }
    do throws(StoreError) { return try body(self) } catch { throw RepositoryError(error) }
  }

  /// Closes the file until the next use.
  func closeUntilNextUse() { database = nil }

  /// Closes the file; later calls throw `.cancelled`.
  func close() {
    isClosed = true
    database = nil
  }

  private func open() throws(StoreError) -> SQLiteDatabase {
    guard !isClosed else { throw .cancelled }
    if let database { return database }
    let opened = try SQLiteDatabase(opening: path, options)
    database = opened
    return opened
  }
}
