import TestSupport
import Testing

@testable import market

struct IdleTimerTests {
  private static let limit = Duration.seconds(60)

  @Test func `a whole limit without a key passes, and one with a key does not`() async throws {
    let clock = ManualClock()
    let (passes, pass) = AsyncStream.makeStream(of: Void.self)
    var hasPassed = false
    let idling = IdleTimer(Self.limit, clock: clock) {
      hasPassed = true
      pass.yield()
    }

    let first = try await clock.sleeps(of: Self.limit).next()
    idling.didPressKey()
    first.answer(())
    let second = try await clock.sleeps(of: Self.limit).next()
    #expect(!hasPassed)

    second.answer(())

    for await _ in passes { break }
    #expect(hasPassed)
  }

  @Test func `who leaves earlier is not told`() async throws {
    let clock = ManualClock()
    var idling: IdleTimer? = IdleTimer(Self.limit, clock: clock) { Issue.record("passed") }
    _ = try await clock.sleeps(of: Self.limit).next()

    idling = nil

    #expect(idling == nil)
  }
}
