import Expectations
import Testing

@testable import TerminalKit

struct OutputRateEstimatorTests {
  private static let start = ContinuousClock.now

  /// Sends a frame over a line that takes so many bytes a second, and answers behind it.
  private static func send(
    _ bytes: Int, _ pace: inout OutputRateEstimator, rate: Int, delay: Duration = .zero
  ) {
    let isAsked = pace.willWrite(bytes)
    #expect(isAsked)
    pace.didAnswer(at: start + delay)
    pace.didAnswer(at: start + delay + .seconds(1) * bytes / rate)
  }

  @Test(arguments: [50_000, 200_000, 900_000], [Duration.zero, .milliseconds(300)])
  func `a slow line gets less than a tenth of a second at once, however far it is`(
    rate: Int, delay: Duration
  ) {
    var pace = OutputRateEstimator(isOverSSH: true)

    for _ in 0..<3 { Self.send(pace.budget, &pace, rate: rate, delay: delay) }

    #expect(pace.isSlow)
    #expect(pace.budget <= max(4_096, rate / 10))
  }

  @Test func `a fast line soon gets large frames`() {
    var pace = OutputRateEstimator(isOverSSH: false)

    for _ in 0..<3 { Self.send(pace.budget, &pace, rate: 100_000_000) }

    #expect(!pace.isSlow)
    expect(pace.budget, 1 << 20)
  }

  @Test(arguments: [(0, 8), (300, 2)])
  func `a frame may be some times as large as the last, less often where the answers came late`(
    milliseconds: Int, times: Int
  ) {
    var pace = OutputRateEstimator(isOverSSH: false)
    _ = pace.willWrite(10_000, at: Self.start)

    for _ in 1...2 { pace.didAnswer(at: Self.start + .milliseconds(milliseconds)) }

    expect(pace.budget, 10_000 * times)
  }

  @Test func `a terminal that draws before it answers is not a slow line`() {
    var pace = OutputRateEstimator(isOverSSH: false)

    Self.send(10_000, &pace, rate: 500_000)

    #expect(!pace.isSlow)
  }

  @Test func `while an answer is outstanding nothing more is asked`() {
    var pace = OutputRateEstimator(isOverSSH: false)

    let asks = [pace.willWrite(10_000), pace.willWrite(10_000)]
    expect(asks, [true, false])
    pace.didAnswer(at: Self.start)
    #expect(pace.isWaiting)
    pace.didAnswer(at: Self.start)
    #expect(!pace.isWaiting)
  }

  @Test func `on a slow line the next frame waits for the answer, on others it does not`() {
    var pace = OutputRateEstimator(isOverSSH: false)
    _ = pace.willWrite(10_000)
    #expect(!pace.isBusy)
    for second in 0...1 { pace.didAnswer(at: Self.start + .seconds(second)) }

    let isAsked = pace.willWrite(1_000)

    #expect(isAsked && pace.isBusy)
    for second in 1...2 { pace.didAnswer(at: Self.start + .seconds(second)) }
    #expect(!pace.isBusy)
  }

  @Test func `small frames are not asked about`() {
    var pace = OutputRateEstimator(isOverSSH: false)

    let isAsked = pace.willWrite(OutputRateEstimator.large - 1)
    #expect(!isAsked)
    #expect(!pace.isWaiting)
  }

  @Test func `a terminal that never answers is asked once, and measured by writing`() {
    var pace = OutputRateEstimator(isOverSSH: false)
    let isAsked = pace.willWrite(10_000)
    let number = pace.asked

    let givesUp = [pace.giveUp(on: number), pace.giveUp(on: number)]
    let isAskedAgain = pace.willWrite(10_000)

    #expect(isAsked && !isAskedAgain && !pace.isWaiting)
    expect(givesUp, [true, false])
    expect(pace.budget, 256 << 10)
    pace.didWrite(256 << 10, in: .milliseconds(50))
    expect(pace.budget, 128 << 10)
  }

  @Test func `a late answer makes a silent terminal one that answers`() {
    var pace = OutputRateEstimator(isOverSSH: false)
    _ = pace.willWrite(10_000)
    _ = pace.giveUp(on: pace.asked)

    pace.didAnswer(at: Self.start)

    let isAsked = pace.willWrite(10_000)
    #expect(isAsked && pace.budget == 16 << 10)
  }

  @Test func `an answer that is lost ends no waiting but its own`() {
    var pace = OutputRateEstimator(isOverSSH: false)
    Self.send(10_000, &pace, rate: 1_000_000)
    _ = pace.willWrite(10_000)

    let givesUp = [pace.giveUp(on: pace.asked - 1), pace.giveUp(on: pace.asked)]

    #expect(givesUp == [false, true] && !pace.isWaiting)
    expect(pace.budget, 4_096)
  }
}
