import Testing

@testable import TerminalKit

struct PendingTerminalQueriesTests {
  @Test func `what tmux dropped is asked again, less and less often, and not for ever`() {
    var queries = PendingTerminalQueries()
    var delays: [Duration] = []

    while let delay = queries.nextRepeat() {
      delays.append(delay)
      let bytes = queries.takeRepeat()
      #expect(bytes?.contains(UInt8(ascii: "G")) == true && queries.areAsked)
      queries.didReceive(.attributes([1]))
    }

    #expect(delays.count == 8 && zip(delays, delays.dropFirst()).allSatisfy { $1 == $0 * 2 })
  }

  @Test func `what was answered is not asked again`() {
    var queries = PendingTerminalQueries()

    queries.didReceive(.graphics("i=31;OK"))

    let (delay, bytes) = (queries.nextRepeat(), queries.takeRepeat())
    #expect(delay == nil && bytes == nil)
  }

  @Test func `a question is not repeated while others are open`() {
    var queries = PendingTerminalQueries()
    queries.didAskLast()

    let (bytes, delay) = (queries.takeRepeat(), queries.nextRepeat())
    #expect(bytes == nil && delay != nil)
  }

  @Test func `a further round follows the last reply, and none while one is open`() {
    var queries = PendingTerminalQueries()
    queries.schedule(.first)
    var rounds: [PendingTerminalQueries.Round] = []
    func take() {
      _ = queries.nextQuery {
        rounds.append($0)
        return [1]
      }
    }

    take()
    queries.schedule(.background)
    take()
    queries.didReceive(.ready)
    take()
    #expect(rounds == [.first] && queries.areAsked)
    for _ in 0..<3 {
      queries.didReceive(.attributes([62]))
      take()
    }

    #expect(rounds == [.first, .background, .second] && !queries.areAsked && !queries.areDue)
  }

  @Test func `a name that comes late still brings the second round`() {
    var queries = PendingTerminalQueries()
    queries.schedule(.first)
    _ = queries.nextQuery { _ in [1] }
    queries.didReceive(.attributes([62]))
    let leftOut = queries.nextQuery { _ in [] }

    queries.didReceive(.version("XTerm(379)"))

    let asked = queries.nextQuery { $0 == .second ? [1] : [] }
    #expect(leftOut.isEmpty && !asked.isEmpty && queries.areComplete)
  }

  @Test func `what another program may have read is asked again`() {
    var queries = PendingTerminalQueries()
    queries.schedule(.first)
    _ = queries.nextQuery { _ in [1] }

    queries.end()

    #expect(queries.isProbeDue && !queries.areAsked)
  }
}
