import Expectations
import MarketModel
import TestSupport
import Testing

@testable import MarketServer

struct ReadYourWritesTrackerTests {
  private let clock = MutableClock()
  private let tracker: ReadYourWritesTracker

  init() {
    tracker = ReadYourWritesTracker(now: { [clock] in clock.now })
  }

  private func position(_ number: Int64) -> MarketPosition { MarketPosition(rawValue: number) }

  @Test func `an address is to see what it has written, for two seconds`() {
    tracker.didWrite("a", upTo: position(7))

    expect(tracker.need(of: "a"), .position(position(7)))
    expect(tracker.need(of: "b"), .position(nil))
    clock.pass(ReadYourWritesTracker.lifetime)
    expect(tracker.need(of: "a"), .position(nil))
  }

  @Test func `of several changes the furthest counts, in whichever order they were answered`() {
    tracker.didWrite("a", upTo: position(9))
    tracker.didWrite("a", upTo: position(7))

    expect(tracker.need(of: "a"), .position(position(9)))
  }

  @Test func `a change of which nobody knows the position asks for the newest`() {
    tracker.didWrite("a", upTo: nil)
    tracker.didWrite("a", upTo: position(7))

    expect(tracker.need(of: "a"), .newest)
  }

  @Test func `what was told to those who watch everybody is to see`() {
    tracker.didAnnounce(upTo: position(5))
    tracker.didWrite("a", upTo: position(4))

    expect(tracker.need(of: "a"), .position(position(5)))
    expect(tracker.need(of: "b"), .position(position(5)))
  }

  @Test func `more addresses than are remembered have all of them read the newest`() {
    for number in 0...ReadYourWritesTracker.addressLimit {
      tracker.didWrite("\(number)", upTo: position(1))
    }

    #expect(tracker.need(of: "0") == .newest && tracker.need(of: "none") == .newest)
    clock.pass(ReadYourWritesTracker.lifetime)
    expect(tracker.need(of: "0"), .position(nil))
  }
}
