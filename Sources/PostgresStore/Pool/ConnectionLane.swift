import DispatchBridge

/// A place for one connection on a queue of its own; the connection is opened when it is first
/// used, and again after it was lost.
actor ConnectionLane {
  private let executor: QueueExecutor
  private let address: String
  private let options: PostgresOptions
  private var connection: PostgresConnection?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(_ name: String, to address: String, options: PostgresOptions) {
    executor = QueueExecutor(label: "market.postgres." + name)
    self.address = address
    self.options = options
  }

  /// Runs a body on the connection, from its begin to its end without anybody else.
  func use<Answer: Sendable>(
    _ body: @Sendable (PostgresConnection) throws(PostgresError) -> Answer
  ) throws(PostgresError) -> Answer {
    guard !Task.isCancelled else { throw .cancelled }
    let open = try open()
    defer { if open.isBroken || open.isInTransaction { connection = nil } }
    return try body(open)
  }

  private func open() throws(PostgresError) -> PostgresConnection {
    if let connection { return connection }
    let opened = try PostgresConnection(to: address, options)
    connection = opened
    return opened
  }
}
