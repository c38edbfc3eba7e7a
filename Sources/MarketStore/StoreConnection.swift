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
