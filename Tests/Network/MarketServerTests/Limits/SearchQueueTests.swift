import Expectations
import MarketModel
import TestSupport
import Testing

@testable import MarketServer

struct SearchQueueTests {
  /// Searches, each of which takes until the test answers it.
  private let gate = Gate<String, Void>(answersCancelledCalls: true)
  private let turns = SearchQueue(limit: 2)

  /// Begins a search that the gate holds up; it gives whether it had its turn.
  private func search(
    _ name: String, from address: ClientNetwork = "192.0.2.1", within time: Duration = .seconds(40)
  ) -> Task<Bool, Never> {
    Task.immediate {
      await RequestDeadline.limited(to: time) {
        await turns.use(of: address) { try? await gate.pass(name) } != nil
      }
    }
  }

  @Test func `an address has two searches at a time, and the next ones come in their order`()
    async throws
  {
    let tasks = ["a", "b", "c", "d"].map { search($0) }

    let (first, second) = (try await gate.next(), try await gate.next())
    expect([first.request, second.request], ["a", "b"])
    expect(gate.callCount, 2)
    second.answer(())
    let third = try await gate.next()
    expect(third.request, "c")
    expect(gate.callCount, 3)
    first.answer(())
    let fourth = try await gate.next()
    expect(fourth.request, "d")
    for call in [third, fourth] { call.answer(()) }

    for task in tasks { #expect(await task.value) }
  }

  @Test func `nobody waits for the searches of another address`() async throws {
    let busy = ["a", "b", "c"].map { search($0) }
    let (first, second) = (try await gate.next(), try await gate.next())

    let other = search("d", from: "192.0.2.2")
    let call = try await gate.next()

    expect(call.request, "d")
    call.answer(())
    #expect(await other.value)
    for call in [first, second] { call.answer(()) }
    try await gate.next().answer(())
    for task in busy { #expect(await task.value) }
  }

  @Test func `a search whose turn does not come in time is given up, the next one is not`()
    async throws
  {
    let running = [search("a"), search("b")]
    let calls = [try await gate.next(), try await gate.next()]
    let late = search("late", within: .milliseconds(510))
    let patient = search("patient")

    await expect(late.value, false)

    for call in calls { call.answer(()) }
    let next = try await gate.next()
    expect(next.request, "patient")
    next.answer(())
    for task in running + [patient] { #expect(await task.value) }
  }

  @Test func `searches that have no time to wait are given up at once`() async throws {
    let running = [search("a"), search("b")]
    let calls = [try await gate.next(), try await gate.next()]

    for number in 1...50 {
      await expect(search("late \(number)", within: .milliseconds(100)).value, false)
    }

    for call in calls { call.answer(()) }
    for task in running { #expect(await task.value) }
  }

  @Test func `a search that is given up by its client leaves the line`() async throws {
    let running = [search("a"), search("b")]
    let calls = [try await gate.next(), try await gate.next()]
    let gone = search("gone")
    let patient = search("patient")

    gone.cancel()
    await expect(gone.value, false)

    for call in calls { call.answer(()) }
    try await expect(gate.next().request, "patient")
    patient.cancel()
    for task in running + [patient] { #expect(await task.value) }
  }
}
