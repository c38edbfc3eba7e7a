internal import CSpawn
import Dispatch
import DispatchBridge
import Glibc
import MarketAPI
import MarketModel
import Posix
import SafeTextKit

/// The user's own program that learns what has come, as `"on-alert"` of the settings file words it.
///
/// It is started without a shell, gets a line of JSON for each alert on its standard input, and is killed
/// after a while. What comes too often is told together later; no alert is left out without a word.
actor AlertProgram {
  nonisolated enum Failure: Hashable {
    case notStarted(SystemError)
    /// It was killed after its time.
    case tookTooLong
    /// It ended with this status of its own.
    case failed(status: Int32)
    /// So many alerts were not told to it.
    case leftOut(Int)
  }

  /// Starts within a minute.
  static let maxStarts = 4
  private static let minute = Duration.seconds(60)
  /// Hits that are held for later starts; the person's file remembers as many.
  private static let maxHeld = 10_000
  /// Bytes that one start is told.
  private static let maxBytes = 1 << 20

  private let executor = QueueExecutor(label: "market.on-hit", qos: .utility)
  private let words: [String]
  private let clock: any Clock<Duration>
  private let timeout: Duration
  private let marketName: @Sendable (TriggeredAlert) async -> String
  private let tell: @Sendable (Failure) -> Void
  private var pace: AlertProgramThrottle
  private var held: [TriggeredAlert] = []
  private var waiting: Task<Void, Never>?
  private var hasFailed = false

  /// - Parameters:
  ///   - words: the program and its arguments.
  ///   - clock: measures the pauses between its starts.
  ///   - timeout: how long it may run.
  ///   - marketName: name of an alert's market.
  ///   - tell: learns why it did not work, once.
  init(
    _ words: [String], clock: any Clock<Duration> = DispatchClock(),
    timeout: Duration = .seconds(10),
    marketName: @escaping @Sendable (TriggeredAlert) async -> String,
    tell: @escaping @Sendable (Failure) -> Void
  ) {
    self.words = words
    self.clock = clock
    self.timeout = timeout
    self.marketName = marketName
    self.tell = tell
    pace = AlertProgramThrottle(
      most: Self.maxStarts, within: Self.minute, now: Self.stopwatch(on: clock))
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Starts the program for what has come, or holds that until it may be started again.
  func run(_ triggeredAlerts: [TriggeredAlert]) async {
    held += triggeredAlerts
    let surplus = held.count - Self.maxHeld
    if surplus > 0 {
      held.removeFirst(surplus)
      tell(.leftOut(surplus))
    }
    await flush()
  }

  /// Tells the program all that has come, in as many starts as it takes and without a pause, for nobody
  /// is there later who could.
  ///
  /// One that does not start or does not end is not tried again.
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
    if count > 0 { tell(.leftOut(count)) }
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

  /// Takes what the next start is told: the oldest alerts, as many as fit.
  private func next() async -> (lines: [UInt8], count: Int) {
    // More may come while the names of markets are asked for.
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
    tell(failure)
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

  /// Runs the program to its end; nil where it ended well.
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

  /// Writes all of a text for as long as a program may run; one that does not read to the end wants no
  /// more.
  private func write(_ input: [UInt8], to end: Int32) {
    let timeout = Int32(clamping: Int(timeout / .milliseconds(1)))
    try? FileDescriptorIO.writeAll(input, to: end) { end, bytes in
      var room = pollfd(fd: end, events: Int16(POLLOUT), revents: 0)
      guard poll(&room, 1, timeout) > 0 else { return 0 }
      return Glibc.write(end, bytes.baseAddress, bytes.count)
    }
    close(end)
  }

  /// Tells a program its lines and waits for its end; kills it and what it has started after its time.
  private func end(of child: pid_t, hearing input: [UInt8], from pipe: Int32) -> Failure? {
    let killer = DispatchQueue(label: "market.on-hit.end")
    let killing = DispatchWorkItem { kill(-child, SIGKILL) }
    let limit = DispatchTimeInterval.milliseconds(Int(timeout / .milliseconds(1)))
    killer.asyncAfter(deadline: .now() + limit, execute: killing)
    write(input, to: pipe)
    var information = siginfo_t()
    // It keeps its number until it is asked for its status below, when nobody kills any more.
    while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    killing.cancel()
    killer.sync {}
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    if status & 0x7F != 0 { return .tookTooLong }
    return status == 0 ? nil : .failed(status: status >> 8 & 0xFF)
  }
}

/// Pace at which a program is started: a few times within a while.
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

  /// Takes note of a start; the pause before the next one where there were too many.
  mutating func start() -> Duration? {
    let now = now()
    starts.removeAll { now - $0 >= span }
    if starts.count >= most, let first = starts.first { return span - (now - first) }
    starts.append(now)
    return nil
  }
}

/// An alert that fired as a line of JSON, for programs; of the market it holds no address but the product's public one,
/// and nothing in it acts on a terminal.
nonisolated enum AlertJSON {
  /// The line with its line feed; texts are safe ones.
  static func bytes(
    _ triggered: TriggeredAlert, market: String, at address: ProductAddress? = nil
  ) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.key("event")
    json.string(event(of: triggered.event))
    json.key("market")
    json.string(SafeText(market).string)
    json.key(triggered.condition == nil ? "text" : "wait")
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

  /// Numbers of products that a line has at most.
  private static let maxProducts = 100

  /// How many products or questions came, and the products' numbers, the newest first as far as they fit.
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
    }
  }
}
