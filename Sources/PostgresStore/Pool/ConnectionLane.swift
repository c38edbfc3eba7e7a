import Dispatch
import DispatchBridge
import Synchronization

/// A place for one connection on a queue of its own; the connection is opened when it is first
/// used, and again after it was lost.
actor ConnectionLane {
  private struct Use {
    let number: Int
    let canceller: StatementCanceller
  }

  private static let interruptionPause = DispatchTimeInterval.milliseconds(50)

  private let executor: QueueExecutor
  private let address: String
  private let options: PostgresOptions
  private var connection: PostgresConnection?
  private var canceller: StatementCanceller?
  private var useCount = 0
  /// The use that there is now; nil between two of them.
  private let running = Mutex<Use?>(nil)
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
    useCount += 1
    let use = canceller.map { Use(number: useCount, canceller: $0) }
    running.withLock { $0 = use }
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
    guard let number = running.withLock({ $0?.number }) else { return }
    interruptions.async { self.interrupt(number) }
  }

  /// Asks until that use has come to its end: what arrives between two statements ends neither.
  private nonisolated func interrupt(_ number: Int) {
    let isRunning = running.withLock { use in
      guard let use, use.number == number else { return false }
      use.canceller.send()
      return true
    }
    guard isRunning else { return }
    interruptions.asyncAfter(deadline: .now() + Self.interruptionPause) { self.interrupt(number) }
  }

  private func open() throws(PostgresError) -> PostgresConnection {
    if let connection { return connection }
    let opened = try PostgresConnection(to: address, options)
    connection = opened
    canceller = StatementCanceller(of: opened)
    return opened
  }
}
