import Dispatch
import DispatchBridge
import MarketModel
import SQLiteKit
import StoreCore
import Synchronization

/// Pool of a few connections; a call waits for a free one no longer than its timeout.
///
/// A call within a request ends at the request's deadline even where the connection hangs: connecting,
/// sending and waiting may each take longer on a dead network path.
final class ConnectionPool: Sendable {
  private struct Waiting {
    let number: Int
    /// Deadline of the wait.
    let end: ContinuousClock.Instant
    let continuation: CheckedContinuation<PooledConnection?, Never>
  }

  /// Running call with a deadline.
  private struct Limited {
    let pooled: PooledConnection
    let began = ContinuousClock.now
    let end: ContinuousClock.Instant
    /// Whether the database was asked to cancel its statement.
    var isInterrupted = false
    let giveUp: @Sendable () -> Void
  }

  private struct State {
    var free: [PooledConnection]
    var slots: SlotQueue<Everyone, Waiting>
    var limited: [Int: Limited] = [:]
    var callCount = 0
    var isChecking = false

    var isIdle: Bool { slots.waitingCount == 0 && limited.isEmpty }

    mutating func nextNumber() -> Int {
      callCount += 1
      return callCount
    }
  }

  /// Interval of the check for calls past their deadline.
  private static let checkPause = DispatchTimeInterval.milliseconds(100)
  /// Time before its deadline at which a call's statement is cancelled, so that the database answers in
  /// time and the connection can be reused.
  static let cancelLead = Duration.milliseconds(500)

  private let state: Mutex<State>
  private let pool: [PooledConnection]
  let options: PostgresOptions
  /// Queue on which deadlines are checked.
  private let clock: DispatchQueue
  private let metrics: PoolMetrics

  /// A pool of at least one connection; `name` labels its queues and its metrics.
  init(
    _ name: String, count: Int, to address: String, options: PostgresOptions,
    registry: MetricsRegistry = MetricsRegistry()
  ) {
    let pool = (1...max(1, count)).map { number in
      PooledConnection("\(name).\(number)", to: address, options: options)
    }
    state = Mutex(State(free: pool, slots: SlotQueue(limit: pool.count)))
    self.pool = pool
    self.options = options
    clock = DispatchQueue(label: "market.postgres.\(name).clock")
    metrics = PoolMetrics(name, registry)
    metrics.watch(
      free: { [weak self] in self?.freeCount ?? 0 },
      busy: { [weak self] in self?.busyCount ?? 0 },
      waiting: { [weak self] in self?.waitingCount ?? 0 })
    options.monitor?.add { [weak self] server in
      for pooled in self?.pool ?? [] { pooled.disconnect(unlessFrom: server) }
    }
  }

  private var freeCount: Int { state.withLock { $0.free.count } }
  private var busyCount: Int { pool.count - freeCount }
  private var waitingCount: Int { state.withLock { $0.slots.waitingCount } }

  /// Whether any connection is open, in use or not.
  var isConnected: Bool { connectedCount > 0 }

  /// Number of open connections.
  var connectedCount: Int { pool.count { $0.isConnected.load(ordering: .relaxed) } }

  /// Runs a body over one of the connections; cancelling the task cancels its statement.
  ///
  /// Nil as `end` sets no deadline.
  ///
  /// - Throws: `.timedOut` after `end`, or where no connection becomes free in time; `.cancelled`; what
  ///   the body throws.
  func use<Answer: Sendable>(
    before end: ContinuousClock.Instant? = nil,
    _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    let began = ContinuousClock.now
    // The caller has given up.
    if let end, end <= began { throw .timedOut }
    guard let pooled = await freeConnection(before: end) else {
      guard !Task.isCancelled else { throw .cancelled }
      metrics.timeouts.add()
      throw .timedOut
    }
    metrics.wait.note(since: began)
    let taken = ContinuousClock.now
    defer { metrics.use.note(since: taken) }
    let outcome =
      if let end {
        await limitedOutcome(of: body, on: pooled, before: end)
      } else {
        await outcome(of: body, on: pooled)
      }
    return try outcome.get()
  }

  private func outcome<Answer: Sendable>(
    of body: @Sendable (PostgresConnection) throws(StoreError) -> Answer,
    on pooled: PooledConnection
  ) async -> Result<Answer, StoreError> {
    defer { release(pooled) }
    return await withTaskCancellationHandler {
      do throws(StoreError) {
        return .success(try await pooled.use(body))
      } catch {
        return .failure(error)
      }
    } onCancel: {
      pooled.interrupt()
    }
  }

  /// Runs a body in a task of its own, which the caller abandons at the deadline.
  private func limitedOutcome<Answer: Sendable>(
    of body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Answer,
    on pooled: PooledConnection, before end: ContinuousClock.Instant
  ) async -> Result<Answer, StoreError> {
    let first = FirstResult<Result<Answer, StoreError>>()
    let number = state.withLock { state in
      let number = state.nextNumber()
      state.limited[number] = Limited(pooled: pooled, end: end) {
        first.set(.failure(.timedOut))
      }
      return number
    }
    startChecking()
    let work = Task.immediate {
      await pooled.run(before: end, body) { outcome in
        self.state.withLock { _ = $0.limited.removeValue(forKey: number) }
        self.release(pooled)
        first.set(outcome)
      }
    }
    return await withTaskCancellationHandler {
      await first.value
    } onCancel: {
      work.cancel()
      // Only while this call has the connection.
      state.withLock { $0.limited[number]?.pooled.interrupt() }
    }
  }

  /// A free connection; nil after the timeout, or once the task is cancelled.
  private func freeConnection(before end: ContinuousClock.Instant?) async -> PooledConnection? {
    let number = state.withLock { $0.nextNumber() }
    let timeout = ContinuousClock.now + .milliseconds(options.timeoutMilliseconds)
    let end = end.map { min($0, timeout) } ?? timeout
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let call = Waiting(number: number, end: end, continuation: continuation)
        // The one used last: its connection is warm, and the others may close.
        let pooled = state.withLock { state in
          state.slots.enter(.all, call) == .begins ? state.free.popLast() : nil
        }
        if let pooled {
          continuation.resume(returning: pooled)
        } else if Task.isCancelled {
          giveUp(number)
        } else {
          startChecking()
        }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  /// Puts the connection back; a lost one is taken last.
  private func release(_ pooled: PooledConnection) {
    let next = state.withLock { state -> Waiting? in
      if let next = state.slots.leave(.all) { return next }
      let isConnected = pooled.isConnected.load(ordering: .relaxed)
      state.free.insert(pooled, at: isConnected ? state.free.endIndex : 0)
      return nil
    }
    next?.continuation.resume(returning: pooled)
  }

  private func giveUp(_ number: Int) {
    let calls = state.withLock { $0.slots.remove(of: .all) { $0.number == number } }
    for call in calls { call.continuation.resume(returning: nil) }
  }
}

/// Checking of deadlines, while there are calls with one.
extension ConnectionPool {
  private func startChecking() {
    let begins = state.withLock { state in
      defer { state.isChecking = true }
      return !state.isChecking
    }
    if begins { clock.asyncAfter(deadline: .now() + Self.checkPause) { self.checkDeadlines() } }
  }

  private func checkDeadlines() {
    let now = ContinuousClock.now
    let (calls, waiting, areLong) = state.withLock { state in
      let late = state.slots.remove(of: .all) { $0.end <= now }
      state.isChecking = !state.isIdle
      for (number, call) in state.limited where call.end - Self.cancelLead <= now {
        // Inside the lock: afterwards another call may have the connection.
        if !call.isInterrupted { call.pooled.interrupt() }
        state.limited[number]?.isInterrupted = true
      }
      return (
        state.limited.values.filter { $0.end <= now }, late,
        state.limited.values.contains { now - $0.began > PrimaryMonitor.suspicion }
      )
    }
    if areLong { options.monitor?.checkForFailover() }
    for call in waiting { call.continuation.resume(returning: nil) }
    for call in calls { call.giveUp() }
    let goesOn = state.withLock { $0.isChecking }
    if goesOn { clock.asyncAfter(deadline: .now() + Self.checkPause) { self.checkDeadlines() } }
  }
}

// MARK: Retrying

extension ConnectionPool {
  private static let conflictLimit = 12
  /// One second in all: longer than a database takes to restart.
  private static let reconnectionMilliseconds = [0, 50, 100, 150, 300, 400]

  /// While other calls have a connection, this one can wait for theirs.
  private static let turnLimit = 40

  private func mayReconnect(after losses: Int) -> Bool {
    losses < (isConnected ? Self.turnLimit : Self.reconnectionMilliseconds.count)
  }

  /// Runs a transaction, and repeats it after a conflict, or where the connection was lost before the
  /// commit.
  ///
  /// The body is a transaction from begin to commit. A repeatable body has no further effect when it runs
  /// twice, so that it is also repeated where the outcome of its commit is unknown.
  ///
  /// - Throws: `.conflict` after 12 retries; `.disconnected` where no connection can be made;
  ///   `.commitUnknown`; what `use(before:_:)` throws.
  func retrying<Answer: Sendable>(
    isRepeatable: Bool = false,
    _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    let end = RequestDeadline.deadline
    // The market's own database answers sooner than a repeated call to a standby.
    guard options.replica == nil else { return try await use(before: end, body) }
    var conflicts = 0
    var losses = 0
    // A later error does not change that the commit's outcome is unknown.
    var isUnconfirmed = false
    while true {
      let pause: Int
      do {
        return try await use(before: end, body)
      } catch {
        if error == .commitUnknown { isUnconfirmed = true }
        let final = isUnconfirmed ? StoreError.commitUnknown : error
        switch error {
        case .conflict where conflicts < Self.conflictLimit:
          conflicts += 1
          metrics.conflicts.add()
          pause = .random(in: 0...min(200, 1 << conflicts))
        case let error
        where error.isLoss(isRepeatable: isRepeatable) && mayReconnect(after: losses):
          let pauses = Self.reconnectionMilliseconds
          pause = pauses[min(losses, pauses.count - 1)]
          losses += 1
          metrics.losses.add()
        default: throw final
        }
        // Leaves time for one more answer.
        if let end, end - .now < .milliseconds(pause) + Self.cancelLead { throw final }
      }
      do {
        try await Task.sleep(for: .milliseconds(pause))
      } catch {
        throw .cancelled
      }
    }
  }
}

extension StoreError {
  fileprivate func isLoss(isRepeatable: Bool) -> Bool {
    switch self {
    case .disconnected: true
    case .commitUnknown: isRepeatable
    default: false
    }
  }
}

/// Metrics of one connection pool.
struct PoolMetrics: Sendable {
  let wait: TimerMetric
  let use: TimerMetric
  let timeouts: CounterMetric
  let conflicts: CounterMetric
  let losses: CounterMetric
  private let name: String
  private let registry: MetricsRegistry

  init(_ name: String, _ registry: MetricsRegistry) {
    self.name = name
    self.registry = registry
    wait = registry.timer(.poolWait, name)
    use = registry.timer(.poolUse, name)
    timeouts = registry.counter(.poolTimeouts, name)
    conflicts = registry.counter(.repeats, name, "conflict")
    losses = registry.counter(.repeats, name, "connection")
  }

  /// Registers gauges of the pool's connections.
  func watch(
    free: @escaping @Sendable () -> Int, busy: @escaping @Sendable () -> Int,
    waiting: @escaping @Sendable () -> Int
  ) {
    registry.gauge(.poolConnections, name, "free") { Double(free()) }
    registry.gauge(.poolConnections, name, "busy") { Double(busy()) }
    registry.gauge(.poolWaiting, name) { Double(waiting()) }
  }
}
