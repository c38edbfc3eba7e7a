import Expectations
import Glibc
import MarketModel
import Synchronization
import TestSupport
import Testing

@testable import market

struct AlertProgramTests {
  private nonisolated final class Failures: Sendable {
    private let all = Mutex<[AlertProgram.Failure]>([])
    var values: [AlertProgram.Failure] { all.withLock { $0 } }
    func add(_ failure: AlertProgram.Failure) { all.withLock { $0.append(failure) } }
  }

  private let failures = Failures()
  private let clock = ManualClock()

  private func command(
    _ words: String..., timeout: Duration = .seconds(10), clock: (any Clock<Duration>)? = nil
  ) -> AlertProgram {
    AlertProgram(
      words, clock: clock ?? self.clock, timeout: timeout, marketName: { _ in "home" },
      report: { [failures] in failures.add($0) })
  }

  private func triggered(_ number: Int64, name: String = "Cup") -> TriggeredAlert {
    TriggeredAlert(
      market: .local, event: .alert(.backInStock), alertName: "Cup",
      product: Product.ID(rawValue: number), name: name,
      price: Money(hundredths: 1_250, currency: .usd))
  }

  @Test func `a triggered alert is one line of JSON, however a product is called`() {
    let name = "Cup\"}\n{\"event\":\"new\u{1B}[2J\u{202E}"

    let line = String(
      decoding: AlertJSON.bytes(triggered(3, name: name), market: "home"), as: UTF8.self)

    let start = #"{"event":"in-stock","market":"home","alert":"Cup","product":3,"name":"#
    #expect(line.hasPrefix(start))
    #expect(line.hasSuffix("\"price\":12.5,\"currency\":\"USD\"}\n"))
    #expect(line.dropLast().allSatisfy { !$0.isNewline && $0 != "\u{1B}" && $0 != "\u{202E}" })
  }

  @Test func `a question says who asks what and offers what, and many their number`() {
    var question = TriggeredAlert(
      market: .local, event: .asked(by: "Mina"), alertName: "Still there?",
      product: Product.ID(rawValue: 3), name: "Cup", price: Money(hundredths: 900, currency: .usd))
    func line() -> String {
      String(decoding: AlertJSON.bytes(question, market: "home"), as: UTF8.self)
    }

    let one = line()
    (question.event, question.price, question.count) = (.answered, nil, 100)

    expect(
      one,
      #"{"event":"question","market":"home","text":"Still there?","asker":"Mina","#
        + #""product":3,"name":"Cup","offer":9,"currency":"USD"}"# + "\n")
    expect(
      line(),
      #"{"event":"answer","market":"home","text":"Still there?","product":3,"name":"Cup","#
        + #""count":100}"# + "\n")
  }

  @Test func `a triggered alert says the product's own address where that is known`() throws {
    let address = try #require(ProductAddress("https://market.example/products/3"))

    let line = AlertJSON.bytes(triggered(3), market: "home", at: address)

    #expect(
      String(decoding: line, as: UTF8.self).contains(
        #""url":"https://market.example/products/3","price""#))
  }

  @Test func `it is started with its own words and nothing else that is open`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "heard")
    let script = "cat > \"$0\"; ls /proc/self/fd >> \"$0\""

    await command("sh", "-c", script, path).run([triggered(3), triggered(4)])

    let lines = String(decoding: try FileContent(of: path).bytes, as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.prefix(2).allSatisfy { $0.hasPrefix("{") })
    // ls itself has the folder open.
    expect(lines.dropFirst(2), ["0", "1", "2", "3"])
    expect(failures.values, [])
  }

  @Test func `what takes too long is killed, with what it has started`() async {
    await command("sh", "-c", "sleep 60 | sleep 60", timeout: .milliseconds(50)).run([triggered(3)])

    expect(failures.values, [.tookTooLong])
  }

  @Test func `a failure is told once`() async {
    let command = command("sh", "-c", "exit 7")

    await command.run([triggered(3)])
    await command.run([triggered(4)])

    expect(failures.values, [.failed(status: 7)])
  }

  @Test func `a program that is not there is told`() async {
    await command("/nowhere/at-all").run([triggered(3)])

    expect(failures.values.count, 1)
  }

  @Test func `of many within a minute the rest is told together`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "heard")
    let command = command("sh", "-c", "wc -l >> \"$0\"", path)

    for number in 1...7 { await command.run([triggered(Int64(number))]) }
    let before = String(decoding: try FileContent(of: path).bytes, as: UTF8.self)

    expect(before, "1\n1\n1\n1\n")
  }

  @Test func `what is held is told together when the minute is over`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "heard")
    let command = command("sh", "-c", "wc -l >> \"$0\"", path, clock: HastyClock())
    for number in 1...Int64(AlertProgram.maxStarts) { await command.run([triggered(number)]) }

    await command.run((5...7).map { triggered($0) })

    let told = Array("1\n1\n1\n1\n3\n".utf8)
    await poll { (try? FileContent(of: path).bytes) == told }
  }

  /// A clock on which each sleep ends at once, and its time has passed.
  private nonisolated final class HastyClock: Clock {
    let minimumResolution = Duration.zero
    private let time = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock(\.self) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      time.withLock { $0 = max($0, deadline) }
    }
  }

  @Test func `what is held when the run is over is told at once`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "heard")
    let command = command("sh", "-c", "wc -l >> \"$0\"", path)
    for number in 1...7 { await command.run([triggered(Int64(number))]) }

    await command.finish()

    let heard = String(decoding: try FileContent(of: path).bytes, as: UTF8.self)
    expect(heard, "1\n1\n1\n1\n3\n")
    expect(failures.values, [])
  }

  /// A thousand, of which a hundred and some fit into one start.
  private var many: [TriggeredAlert] {
    (1...1_000).map { triggered($0, name: String(repeating: "컵", count: 2_000)) }
  }

  @Test func `a program that reads slowly hears all of one start`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "heard")
    let triggeredAlerts = (1...1_000).map {
      triggered($0, name: String(repeating: "컵", count: 100))
    }

    await command("sh", "-c", "read -r first; wc -l > \"$0\"", path).run(triggeredAlerts)

    expect(String(decoding: try FileContent(of: path).bytes, as: UTF8.self), "999\n")
    expect(failures.values, [])
  }

  @Test func `a program that reads only the beginning has heard enough`() async {
    await command("sh", "-c", "read -r first").run(many)

    expect(failures.values, [])
  }

  @Test func `a run without anybody there tells all of it, in order, however much has come`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "heard")

    await command("sh", "-c", "cat >> \"$0\"; echo end >> \"$0\"", path).finish(with: many)

    let lines = String(decoding: try FileContent(of: path).bytes, as: UTF8.self)
      .split(separator: "\n")
    let told = lines.filter { $0 != "end" }
    #expect(told.count == 1_000 && lines.count - told.count > AlertProgram.maxStarts)
    for (number, line) in zip(1..., told) { #expect(line.contains("\"product\":\(number),")) }
    expect(failures.values, [])
  }

  @Test func `what a program cannot be told is counted`() async {
    await command("sleep", "60", timeout: .milliseconds(50)).finish(with: many)
    await command("/nowhere/at-all").finish(with: many)

    let values = failures.values
    #expect(values.count == 4 && values.first == .tookTooLong && values.last == .leftOut(1_000))
    if case .leftOut(let count) = values[1] { #expect((500..<1_000).contains(count)) }
  }

  @Test func `of more than can be held the oldest is left out, and counted`() async {
    let command = command("true")
    for number in 1...Int64(AlertProgram.maxStarts) { await command.run([triggered(number)]) }

    await command.run((1...10_005).map { triggered($0) })

    expect(failures.values, [.leftOut(5)])
  }

  @Test func `the pace counts what is within its time`() {
    let now = Clockwork()
    var pace = AlertProgramThrottle(most: 2, within: .seconds(60), now: { now.value })

    expect(pace.start(), nil)
    now.value = .seconds(10)
    expect(pace.start(), nil)
    expect(pace.start(), .seconds(50))
    now.value = .seconds(60)
    expect(pace.start(), nil)
    expect(pace.start(), .seconds(10))
  }

  private nonisolated final class Clockwork: Sendable {
    private let time = Mutex(Duration.zero)
    var value: Duration {
      get { time.withLock { $0 } }
      set { time.withLock { $0 = newValue } }
    }
  }
}
