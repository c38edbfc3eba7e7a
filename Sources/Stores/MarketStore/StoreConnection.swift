import DispatchBridge
import SQLiteKit
import StoreCore

/// A connection to the market's file on a queue of its own, opened when it is first used.
actor StoreConnection {
  private let executor: QueueExecutor
  private let path: String
  private let options: Connection.Options
  private var connection: Connection?
  private var isClosed = false
  /// Whether the file has an id of its own, as far as this connection knows.
  private var isIdentified = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(_ name: String, path: String, options: Connection.Options) {
    executor = QueueExecutor(label: "market.store." + name)
    self.path = path
    self.options = options
  }

  /// Runs a body on the connection, from its start to its end without anybody else.
  func use<Answer: Sendable>(
    _ body: @Sendable (Connection) throws(DatabaseError) -> Answer
  ) throws(DatabaseError) -> Answer {
    try body(open())
  }

  /// Runs a body that reads, so that all its statements see one state of the file.
  func read<Answer: Sendable>(
    _ body: @Sendable (SQLiteTables) throws(DatabaseError) -> Answer
  ) throws(DatabaseError) -> Answer {
    let tables = SQLiteTables(try open())
    return try tables.connection.reading { () throws(DatabaseError) in try body(tables) }
  }

  /// Runs a body that writes and may refuse; what it did before it refused is undone.
  func write<Answer: Sendable>(
    _ body: @Sendable (SQLiteTables) throws(DatabaseError) -> Outcome<Answer>
  ) throws(DatabaseError) -> Outcome<Answer> {
    let tables = SQLiteTables(try open())
    do throws(DatabaseError) {
      let outcome = try tables.connection.writing(
        keeping: { if case .success = $0 { true } else { false } },
        { () throws(DatabaseError) -> Outcome<Answer> in
          if !isIdentified { try IdentityTable(tables.connection).settle(at: path) }
          return try body(tables)
        })
      if case .success = outcome { isIdentified = true }
      return outcome
    } catch {
      throw error == .full && tables.hasSpentNumbers ? .damaged : error
    }
  }

  /// Gives the file back; nothing opens it again.
  func close() {
    isClosed = true
    connection = nil
  }

  private func open() throws(DatabaseError) -> Connection {
    guard !isClosed else { throw .cancelled }
    if let connection { return connection }
    let opened = try Connection(opening: path, options)
    connection = opened
    return opened
  }
}
