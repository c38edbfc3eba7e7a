import Expectations
import MarketClient
import Testing

struct RetryPolicyTests {
  @Test func `pauses double, and chance shortens them by up to a half`() {
    let policy = RetryPolicy(repetitions: 3, firstPause: .seconds(1), maxPause: .seconds(3))

    let late = (1...4).map { policy.pause(before: $0, asked: nil, random: 0) }
    let early = (1...4).map { policy.pause(before: $0, asked: nil, random: 1) }

    expect(late, [.seconds(1), .seconds(2), .seconds(3), nil])
    expect(early, [.milliseconds(500), .seconds(1), .milliseconds(1_500), nil])
  }
}
