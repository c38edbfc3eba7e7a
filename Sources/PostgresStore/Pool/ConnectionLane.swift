import Dispatch
import DispatchBridge
import Synchronization

/// A place for one connection on a queue of its own; the connection is opened when it is first
/// used, and again after it was lost.
actor ConnectionLane {
  private let executor: QueueExecutor
  private let address: String
  private let options: PostgresOptions
  private var connection: PostgresConnection?
  private var canceller: StatementCanceller?
  /// That of the connection while it is being used.
  private let running = Mutex<StatementCanceller?>(nil)
  /// Where the database is told that nobody waits any more.
  private let interruptions: DispatchQueue

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(_ name: String, to address: String, options: PostgresOptions) {
    executor = QueueExecutor(label: "market.postgres." + name)
    interruptions = DispatchQueue(label: "market.postgres.\(name).interruptions")
    self.address = address
    self.options = options
  }

  /// Runs a body on the connection, from its begin to its end without anybody else.
  func use<Answer: Sendable>(
    _ body: @Sendable (PostgresConnection) throws(PostgresError) -> Answer
  ) throws(PostgresError) -> Answer {
    guard !Task.isCancelled else { throw .cancelled }
    let open = try open()
    running.withLock { $0 = canceller }
    defer {
      // Waits for an interruption that is under way, which would meet whoever comes next.
      running.withLock { $0 = nil }
      if open.isBroken || open.isInTransaction { connection = nil }
    }
    // From here on an interruption meets this use; one that came before is noticed here.
    guard !Task.isCancelled else { throw .cancelled }
    do throws(PostgresError) {
      return try body(open)
    } catch {
      throw Task.isCancelled ? .cancelled : error
    }
  }

  /// Ends what is being run, from any thread: nobody waits for it any more.
  nonisolated func interrupt() {
    interruptions.async { self.running.withLock { $0?.send() } }
  }

  private func open() throws(PostgresError) -> PostgresConnection {
    if let connection { return connection }
    let opened = try PostgresConnection(to: address, options)
    connection = opened
    canceller = StatementCanceller(of: opened)
    return opened
  }
}
