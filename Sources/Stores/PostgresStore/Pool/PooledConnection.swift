import Dispatch
import DispatchBridge
import SQLiteKit
import StoreCore
import Synchronization

/// Slot for one connection on a queue of its own; the connection is opened on first use, and again after
/// it was lost.
actor PooledConnection {
  private struct Use {
    let number: Int
    let canceller: StatementCanceller
    let server: String?
    let handle: SocketHandle?
    /// Whether a cancel request is being sent.
    var isBeingCancelled = false
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
  /// Whether a connection is open; may be read on any thread.
  nonisolated let isConnected = Atomic(false)
  /// The present use; nil while idle.
  private let running = Mutex<Use?>(nil)
  /// Queue on which cancel requests are sent.
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

  /// Runs a body exclusively on the connection.
  ///
  /// The caller gives up at `limit`, and the connection with it; nil is never.
  ///
  /// - Throws: `.cancelled`; the error of opening the connection; `.disconnected` where a standby is no
  ///   longer admitted; what the body throws.
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
      let isBeingCancelled = running.withLock { running in
        defer { running = nil }
        return running?.isBeingCancelled ?? false
      }
      // A late cancel request would hit the next use.
      lastUse = .now()
      if isBeingCancelled || open.isBroken || open.isInTransaction { drop() }
    }
    // From here on a cancellation finds this use; an earlier one is noticed here.
    guard !Task.isCancelled else { throw .cancelled }
    do throws(StoreError) {
      return try body(open)
    } catch {
      throw Task.isCancelled ? .cancelled : error.ofDatabase
    }
  }

  /// Like `use(before:_:)`, and passes the outcome to `finish` on the connection's own queue.
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

  /// Cancels the running statement; may be called on any thread.
  nonisolated func interrupt() {
    guard let number = running.withLock({ $0?.number }) else { return }
    interruptions.async { self.interrupt(number) }
  }

  /// Sends cancel requests until the use has ended: one that arrives between two statements has no
  /// effect.
  ///
  /// Sending takes a round trip to the database; the use does not wait for it.
  private nonisolated func interrupt(_ number: Int) {
    let canceller = running.withLock { use -> StatementCanceller? in
      guard use?.number == number else { return nil }
      use?.isBeingCancelled = true
      return use?.canceller
    }
    guard let canceller else { return }
    canceller.send()
    let isRunning = running.withLock { use in
      guard use?.number == number else { return false }
      use?.isBeingCancelled = false
      return true
    }
    guard isRunning else { return }
    interruptions.asyncAfter(deadline: .now() + Self.interruptionPause) { self.interrupt(number) }
  }

  /// Closes the socket of a connection to another server than this one.
  nonisolated func disconnect(unlessFrom server: String) {
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

  /// Whether the connection was used within the last 50 ms, so that it is not checked again.
  private var isFresh: Bool { lastUse + Self.freshness > .now() }

  /// Whether another server takes writes since this connection was made.
  private var hasMoved: Bool { options.monitor?.hasMoved(from: connection?.server) ?? false }

  private func open() throws(StoreError) -> PostgresConnection {
    if let connection, !hasMoved, isFresh || !connection.hasEnded { return connection }
    drop()
    let opened = try PostgresConnection(to: address, options)
    connection = opened
    canceller = opened.canceller
    handle = opened.handle
    options.monitor?.didConnect(to: opened.server)
    isConnected.store(true, ordering: .relaxed)
    return opened
  }
}
