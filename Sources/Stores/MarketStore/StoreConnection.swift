import DispatchBridge
import MarketModel
import SQLiteKit
import StoreCore

/// Connection to the market's file on a queue of its own, opened on first use.
actor StoreConnection {
  private let executor: QueueExecutor
  private let path: String
  private let options: SQLiteConnection.Options
  private var connection: SQLiteDatabase?
  private var isClosed = false
  /// Whether this connection has seen that the file has an id of its own.
  private var isIdentified = false
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
  /// - Throws: what the body throws; the error of opening the file; `.cancelled` after `close()`.
  nonisolated func use<Answer: Sendable>(
    _ body: @Sendable (SQLiteDatabase) throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    try await measured(since: .now) {
      (connection: isolated StoreConnection) throws(StoreError) -> Answer in
      try body(try connection.open())
    }
  }

  /// Like `use(_:)`, in a read transaction.
  /// - Throws: what `use(_:)` throws.
  nonisolated func read<Answer: Sendable>(
    _ body: @Sendable (SQLiteDatabase) throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    try await measured(since: .now) {
      (connection: isolated StoreConnection) throws(StoreError) -> Answer in
      let database = try connection.open()
      return try database.reading { () throws(StoreError) in try body(database) }
    }
  }

  /// Like `use(_:)`, in a write transaction, which a refusal rolls back.
  /// - Throws: what `use(_:)` throws; `.damaged` where a table has no ids left.
  nonisolated func write<Answer: Sendable>(
    _ body: @Sendable (SQLiteDatabase) throws(StoreError) -> Outcome<Answer>
  ) async throws(StoreError) -> Outcome<Answer> {
    try await measured(since: .now) {
      (connection: isolated StoreConnection) throws(StoreError) -> Outcome<Answer> in
      try connection.writing(body)
    }
  }

  private func writing<Answer: Sendable>(
    _ body: @Sendable (SQLiteDatabase) throws(StoreError) -> Outcome<Answer>
  ) throws(StoreError) -> Outcome<Answer> {
    let database = try open()
    do throws(StoreError) {
      let outcome = try database.writing(
        keeping: { if case .success = $0 { true } else { false } },
        { () throws(StoreError) -> Outcome<Answer> in
          if !isIdentified { try database.identify(at: path) }
          return try body(database)
        })
      if case .success = outcome { isIdentified = true }
      return outcome
    } catch {
      throw error == .full && database.hasSpentNumbers ? .damaged : error
    }
  }

  /// Runs a body, and measures the wait since `asked` and the body.
  private func measured<Answer: Sendable>(
    since asked: ContinuousClock.Instant,
    _ body: @Sendable (isolated StoreConnection) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    wait.note(since: asked)
    let began = ContinuousClock.now
    defer { work.note(since: began) }
    return try body(self)
  }

  /// Closes the file until the next use.
  func rest() { connection = nil }

  /// Closes the file; later calls throw `.cancelled`.
  func close() {
    isClosed = true
    connection = nil
  }

  private func open() throws(StoreError) -> SQLiteDatabase {
    guard !isClosed else { throw .cancelled }
    if let connection { return connection }
    let opened = try SQLiteDatabase(opening: path, options)
    connection = opened
    return opened
  }
}
