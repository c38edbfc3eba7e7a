import DispatchBridge
import MarketModel
import SQLiteKit
import StoreCore

/// A connection to the market's file on a queue of its own, opened when it is first used.
actor StoreConnection {
  private let executor: QueueExecutor
  private let path: String
  private let options: SQLiteConnection.Options
  private var connection: SQLiteDatabase?
  private var isClosed = false
  /// Whether the file has an id of its own, as far as this connection knows.
  private var isIdentified = false
  private let wait: TimerMetric
  private let work: TimerMetric

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// A connection that debuggers and measures show under a name.
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

  /// Runs a body on the connection, from its start to its end without anybody else.
  nonisolated func use<Answer: Sendable>(
    _ body: @Sendable (SQLiteDatabase) throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    try await measured(since: .now) {
      (connection: isolated StoreConnection) throws(StoreError) -> Answer in
      try body(try connection.open())
    }
  }

  /// Runs a body that reads, so that all its statements see one state of the file.
  nonisolated func read<Answer: Sendable>(
    _ body: @Sendable (SQLiteDatabase) throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    try await measured(since: .now) {
      (connection: isolated StoreConnection) throws(StoreError) -> Answer in
      let database = try connection.open()
      return try database.reading { () throws(StoreError) in try body(database) }
    }
  }

  /// Runs a body that writes and may refuse; what it did before it refused is undone.
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
          if !isIdentified { try IdentityTable(database).settle(at: path) }
          return try body(database)
        })
      if case .success = outcome { isIdentified = true }
      return outcome
    } catch {
      throw error == .full && database.hasSpentNumbers ? .damaged : error
    }
  }

  /// Runs a body that somebody asked for at a time, and measures the wait until now and the body.
  private func measured<Answer: Sendable>(
    since asked: ContinuousClock.Instant,
    _ body: @Sendable (isolated StoreConnection) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    wait.note(since: asked)
    let began = ContinuousClock.now
    defer { work.note(since: began) }
    return try body(self)
  }

  /// Gives the file back until somebody needs it again.
  func rest() { connection = nil }

  /// Gives the file back; nothing opens it again.
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
