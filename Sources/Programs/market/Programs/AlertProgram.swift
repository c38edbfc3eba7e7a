internal import CSpawn
import Dispatch
import DispatchBridge
import Glibc
import MarketAPI
import MarketModel
import Posix
import SafeTextKit

/// User's own program for alerts, `"on-alert"` in the settings file.
///
/// It is started without a shell, receives a line of JSON for each alert on standard input, and is
/// killed after `timeout`. Alerts beyond the rate limit are passed on together later; dropped alerts
/// are always reported.
actor AlertProgram {
  /// Reason why alerts were not passed on.
  nonisolated enum Failure: Hashable {
    case notStarted(SystemError)
    /// The program was killed after `timeout`.
    case tookTooLong
    /// The program exited with this status.
    case failed(status: Int32)
    /// Number of alerts that were not passed to the program.
    case leftOut(Int)
  }

  /// Maximum number of starts a minute; alerts wait for the next start.
  static let maxStarts = 4
  private static let minute = Duration.seconds(60)
  /// Maximum number of waiting alerts, as in the personal file; beyond it the oldest are dropped and
  /// reported.
  private static let maxHeld = 10_000
  /// Maximum bytes of standard input of one start; further alerts wait.
  private static let maxBytes = 1 << 20

  private let executor = QueueExecutor(label: "market.on-alert", qos: .utility)
  private let words: [String]
  private let clock: any Clock<Duration>
  private let timeout: Duration
  private let marketName: @Sendable (TriggeredAlert) async -> String
  private let report: @Sendable (Failure) -> Void
  private var pace: AlertProgramThrottle
  private var held: [TriggeredAlert] = []
  private var waiting: Task<Void, Never>?
  private var hasFailed = false

  /// - Parameters:
  ///   - words: the program and its arguments.
  ///   - clock: clock of the rate limit.
  ///   - timeout: maximum running time, after which the program is killed.
  ///   - marketName: returns the name of an alert's market.
  ///   - report: receives the first failure to run, and every dropped alert.
  init(
    _ words: [String], clock: any Clock<Duration> = DispatchClock(),
    timeout: Duration = .seconds(10),
    marketName: @escaping @Sendable (TriggeredAlert) async -> String,
    report: @escaping @Sendable (Failure) -> Void
  ) {
    self.words = words
    self.clock = clock
    self.timeout = timeout
    self.marketName = marketName
    self.report = report
    pace = AlertProgramThrottle(
      most: Self.maxStarts, within: Self.minute, now: Self.stopwatch(on: clock))
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Starts the program with the alerts, or keeps them until the rate limit allows a start.
  func run(_ triggeredAlerts: [TriggeredAlert]) async {
    held += triggeredAlerts
    let surplus = held.count - Self.maxHeld
    if surplus > 0 {
      held.removeFirst(surplus)
      report(.leftOut(surplus))
    }
    await flush()
  }

  /// Passes all alerts on without a pause, in as many starts as needed, at the end of the run.
  ///
  /// Stops if the program cannot be started or takes too long.
  func finish(with triggeredAlerts: [TriggeredAlert] = []) async {
    held += triggeredAlerts
    waiting?.cancel()
    waiting = nil
    while !held.isEmpty {
      let some = await next()
      guard let failure = perform(some.lines) else { continue }
      reportOnce(failure)
      switch failure {
      case .failed, .leftOut: break
      case .tookTooLong: return leaveOut(held.count)
      case .notStarted: return leaveOut(some.count + held.count)
      }
    }
  }

  private func leaveOut(_ count: Int) {
    held = []
    if count > 0 { report(.leftOut(count)) }
  }

  private func flush() async {
    guard waiting == nil, !held.isEmpty else { return }
    if let pause = pace.start() {
      waiting = Task {
        try? await clock.sleep(for: pause)
        if !Task.isCancelled { await didWait() }
      }
      return
    }
    if let failure = perform(await next().lines) { reportOnce(failure) }
    await flush()
  }

  /// Takes the input of the next start: the oldest alerts, as many as fit.
  private func next() async -> (lines: [UInt8], count: Int) {
    // More alerts may arrive while the names of markets are looked up.
    let waiting = held
    held = []
    var (lines, count): ([UInt8], Int) = ([], 0)
    for triggered in waiting {
      let line = AlertJSON.bytes(triggered, market: await marketName(triggered))
      guard lines.isEmpty || lines.count + line.count <= Self.maxBytes else { break }
      lines += line
      count += 1
    }
    held.insert(contentsOf: waiting.dropFirst(count), at: 0)
    return (lines, count)
  }

  private func reportOnce(_ failure: Failure) {
    guard !hasFailed else { return }
    hasFailed = true
    report(failure)
  }

  private func didWait() async {
    waiting = nil
    await flush()
  }

  private nonisolated static func stopwatch(
    on clock: some Clock<Duration>
  ) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  // MARK: One start

  /// Runs the program until it ends; nil if its status is 0.
  private func perform(_ input: [UInt8]) -> Failure? {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { return .notStarted(.last) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let start = ExternalProgram.start(words, isSilent: true, input: ends[0])
    close(ends[0])
    switch start {
    case .failure(let error):
      close(ends[1])
      return .notStarted(error)
    case .success(let child): return end(of: child, hearing: input, from: ends[1])
    }
  }

  /// Writes the input; gives up if the program reads nothing for `timeout`.
  private func write(_ input: [UInt8], to end: Int32) {
    let timeout = Int32(clamping: Int(timeout / .milliseconds(1)))
    try? FileDescriptorIO.writeAll(input, to: end) { end, bytes in
      var room = pollfd(fd: end, events: Int16(POLLOUT), revents: 0)
      guard poll(&room, 1, timeout) > 0 else { return 0 }
      return Glibc.write(end, bytes.baseAddress, bytes.count)
    }
    close(end)
  }

  /// Passes the input to a program and waits for its end; kills its process group after `timeout`.
  private func end(of child: pid_t, hearing input: [UInt8], from pipe: Int32) -> Failure? {
    let killer = DispatchQueue(label: "market.on-alert.end")
    let killing = DispatchWorkItem { kill(-child, SIGKILL) }
    let limit = DispatchTimeInterval.milliseconds(Int(timeout / .milliseconds(1)))
    killer.asyncAfter(deadline: .now() + limit, execute: killing)
    write(input, to: pipe)
    var information = siginfo_t()
    // The process id stays valid until `waitpid` below, after which no kill can follow.
    while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    killing.cancel()
    killer.sync {}
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    if status & 0x7F != 0 { return .tookTooLong }
    return status == 0 ? nil : .failed(status: status >> 8 & 0xFF)
  }
}

/// Rate limit of starts: a maximum number within a time span.
nonisolated struct AlertProgramThrottle {
  private let most: Int
  private let span: Duration
  private let now: @Sendable () -> Duration
  private var starts: [Duration] = []

  init(most: Int, within span: Duration, now: @escaping @Sendable () -> Duration) {
    self.most = most
    self.span = span
    self.now = now
  }

  /// Records a start; if the limit is reached, returns the pause until the next one instead.
  mutating func start() -> Duration? {
    let now = now()
    starts.removeAll { now - $0 >= span }
    if starts.count >= most, let first = starts.first { return span - (now - first) }
    starts.append(now)
    return nil
  }
}

/// Alert as a line of JSON for programs.
///
/// It contains no address but the product's public one, and no terminal control characters.
nonisolated enum AlertJSON {
  /// Line with its line feed; all texts are safe.
  static func bytes(
    _ triggered: TriggeredAlert, market: String, at address: ProductAddress? = nil
  ) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.key("event")
    json.string(event(of: triggered.event))
    json.key("market")
    json.string(SafeText(market).string)
    json.key(triggered.condition == nil && triggered.event != .deleted ? "text" : "alert")
    json.string(SafeText(triggered.alertName).string)
    if case .asked(let asker?) = triggered.event {
      json.key("asker")
      json.string(SafeText(asker).string)
    }
    json.key("product")
    json.integer(triggered.product.rawValue)
    json.key("name")
    json.string(SafeText(triggered.name).string)
    if let address {
      json.key("url")
      json.string(address.text)
    }
    if let price = triggered.price {
      json.key(triggered.condition == nil ? "offer" : "price")
      json.amount(hundredths: price.hundredths)
      json.key("currency")
      json.string(SafeText(price.currency.rawValue).string)
    }
    if triggered.isReserved {
      json.key("reserved")
      json.bool(true)
    }
    if case .alert(.below(let limit)) = triggered.event {
      json.key("below")
      json.amount(hundredths: limit.hundredths)
    }
    if triggered.count > 1 { addOthers(of: triggered, to: &json) }
    json.endObject()
    return json.bytes + [0x0A]
  }

  /// Maximum number of product ids in a line.
  private static let maxProducts = 100

  /// Adds the number of products or questions, and the first product ids, newest first.
  private static func addOthers(of triggered: TriggeredAlert, to json: inout JSONWriter) {
    json.key("count")
    json.integer(Int64(triggered.count))
    guard triggered.condition != nil else { return }
    json.key("products")
    json.beginArray()
    for id in triggered.products.prefix(maxProducts) { json.integer(id.rawValue) }
    json.endArray()
  }

  private static func event(of event: TriggeredAlert.Event) -> String {
    switch event {
    case .alert(.below): "below"
    case .alert(.backInStock): "in-stock"
    case .alert(.anythingNew): "new"
    case .asked: "question"
    case .answered: "answer"
    case .deleted: "deleted"
    }
  }
}
