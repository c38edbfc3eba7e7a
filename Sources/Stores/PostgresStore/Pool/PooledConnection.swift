import Dispatch
import DispatchBridge
import StoreCore
import Synchronization

/// A place for one connection on a queue of its own; the connection is opened when it is first
/// used, and again after it was lost.
actor PooledConnection {
  private struct Use {
    let number: Int
    let canceller: StatementCanceller
    let server: String?
    let handle: SocketHandle?
    /// Whether the database is being told to end it.
    var isBeingEnded = false
  }

  private static let interruptionPause = DispatchTimeInterval.milliseconds(50)
  private static let freshness = DispatchTimeInterval.milliseconds(50)

  private let executor: QueueExecutor
  private let address: String
  private let options: PostgresOptions
  private var connection: PostgresConnection?
  private var canceller: StatementCanceller?
  private var handle: SocketHandle?
  private var useCount = 0
  private var lastUse = DispatchTime(uptimeNanoseconds: 0)
  /// Whether there is a connection; known on any thread.
  nonisolated let isConnected = Atomic(false)
  /// The use that there is now; nil between two of them.
  private let running = Mutex<Use?>(nil)
  /// Queue on which the database is told that nobody waits any more.
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
  ///
  /// At `limit` whoever waits will have given up, and the connection with them; nil is never.
  func use<Answer: Sendable>(
    before limit: ContinuousClock.Instant? = nil,
    _ body: @Sendable (PostgresConnection) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    guard !Task.isCancelled else { throw .cancelled }
    let open = try open()
    if let replica = options.replica, !replica.admits(open.server) {
      drop()
      throw .disconnected(ReplicaConnectionRules.isOther)
    }
    open.limit = limit.map { DispatchTime.now() + DispatchTimeInterval($0 - .now) }
    useCount += 1
    let use = canceller.map {
      Use(number: useCount, canceller: $0, server: open.server, handle: handle)
    }
    running.withLock { $0 = use }
    defer {
      let isBeingEnded = running.withLock { running in
        defer { running = nil }
        return running?.isBeingEnded ?? false
      }
      // What ends this use may arrive late, and would meet whoever comes next.
      lastUse = .now()
      if isBeingEnded || open.isBroken || open.isInTransaction { drop() }
    }
    // From here on an interruption meets this use; one that came before is noticed here.
    guard !Task.isCancelled else { throw .cancelled }
    do throws(StoreError) {
      return try body(open)
    } catch {
      throw Task.isCancelled ? .cancelled : error.ofDatabase
    }
  }

  /// The same, and hands over the outcome at once, on the connection's own queue.
  func run<Answer: Sendable>(
    before limit: ContinuousClock.Instant,
    _ body: @Sendable (PostgresConnection) throws(StoreError) -> Answer,
    then finish: @Sendable (Result<Answer, StoreError>) -> Void
  ) {
    let outcome: Result<Answer, StoreError>
    do throws(StoreError) {
      outcome = .success(try use(before: limit, body))
    } catch {
      outcome = .failure(error)
    }
    finish(outcome)
  }

  /// Ends what is being run, from any thread: nobody waits for it any more.
  nonisolated func interrupt() {
    guard let number = running.withLock({ $0?.number }) else { return }
    interruptions.async { self.interrupt(number) }
  }

  /// Asks until that use has come to its end: what arrives between two statements ends neither.
  ///
  /// Asking takes as long as the way to the database does; the use does not wait for it.
  private nonisolated func interrupt(_ number: Int) {
    let canceller = running.withLock { use -> StatementCanceller? in
      guard use?.number == number else { return nil }
      use?.isBeingEnded = true
      return use?.canceller
    }
    guard let canceller else { return }
    canceller.send()
    let isRunning = running.withLock { use in
      guard use?.number == number else { return false }
      use?.isBeingEnded = false
      return true
    }
    guard isRunning else { return }
    interruptions.asyncAfter(deadline: .now() + Self.interruptionPause) { self.interrupt(number) }
  }

  /// Ends what runs on a connection to another server than this one.
  nonisolated func leave(for server: String) {
    running.withLock { use in
      guard let use, let own = use.server, own != server else { return }
      use.handle?.cut()
    }
  }

  private func drop() {
    connection = nil
    handle = nil
    isConnected.store(false, ordering: .relaxed)
  }

  /// Whether the connection was used a moment ago, so that it need not be looked at again.
  private var isFresh: Bool { lastUse + Self.freshness > .now() }

  /// Whether another server takes writes since this connection was made.
  private var hasMoved: Bool { options.watch?.hasMoved(from: connection?.server) ?? false }

  private func open() throws(StoreError) -> PostgresConnection {
    if let connection, !hasMoved, isFresh || !connection.hasEnded { return connection }
    drop()
    let opened = try PostgresConnection(to: address, options)
    connection = opened
    canceller = opened.canceller
    handle = opened.handle
    options.watch?.didConnect(to: opened.server)
    isConnected.store(true, ordering: .relaxed)
    return opened
  }
}

extension DispatchTimeInterval {
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = .milliseconds(max(0, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)))
  }
}
