import Expectations
import TestSupport
import Testing

@testable import MarketServer

/// Whom answers of before are kept from, for how long.
struct StaleIfErrorPolicyTests {
  private static let writer = "192.0.2.1"

  private let clock = MutableClock()
  private let answers: StaleIfErrorPolicy

  init() { answers = StaleIfErrorPolicy(now: { [clock] in clock.now }) }

  @Test func `a write that was acknowledged counts for as long as anything stands in`() {
    answers.didWrite(Self.writer, .shown)
    clock.pass(.seconds(29))

    expect(answers.sinceWrite(of: Self.writer), .seconds(29))
    expect(answers.sinceWrite(of: "192.0.2.2"), nil)
  }

  @Test func `one that may have happened counts for a moment, for others have the address too`() {
    answers.didWrite(Self.writer, .possible)

    expect(answers.sinceWrite(of: Self.writer), .zero)
    clock.pass(.seconds(2))
    expect(answers.sinceWrite(of: Self.writer), nil)
  }

  @Test func `one that may have happened makes nobody forget one that did`() {
    answers.didWrite(Self.writer, .shown)
    clock.pass(.seconds(5))
    answers.didWrite(Self.writer, .possible)

    expect(answers.sinceWrite(of: Self.writer), .zero)
    clock.pass(.seconds(2))
    expect(answers.sinceWrite(of: Self.writer), .seconds(7))
  }

  @Test func `what was refused is no write`() {
    answers.didWrite(Self.writer, .none)

    expect(answers.sinceWrite(of: Self.writer), nil)
  }
}
