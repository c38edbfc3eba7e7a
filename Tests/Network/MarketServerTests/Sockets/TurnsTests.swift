import MarketModel
import TestSupport
import Testing

@testable import MarketServer

@Suite struct TurnsTests {
  @Test func `an address has so many turns, and others need not wait for it`() {
    var turns = Turns(limit: 4, ofAddress: 2)

    let requests: [(UInt64, ClientNetwork)] = [(1, "a"), (2, "a"), (3, "a"), (4, "b")]
    let taken = requests.map { turns.take($0.0, for: $0.1) }

    #expect(taken == [true, true, false, true])
  }

  @Test func `a turn that ends is for the first who may have it`() {
    var turns = Turns(limit: 3, ofAddress: 2)
    let requests: [(UInt64, ClientNetwork)] = [
      (1, "a"), (2, "a"), (3, "b"), (4, "a"), (5, "b"), (6, "c"),
    ]
    for (number, network) in requests { _ = turns.take(number, for: network) }

    let ends: [ClientNetwork] = ["b", "a", "a", "c"]
    let next = ends.map { turns.end($0) }

    #expect(next == [5, 4, 6, nil])
  }

  @Test func `who has left the queue gets no turn`() {
    var turns = Turns(limit: 1, ofAddress: 1)
    for number in UInt64(1)...3 { _ = turns.take(number, for: "a") }

    turns.leave(2)
    let next = [turns.end("a"), turns.end("a")]
    let isTaken = turns.take(4, for: "a")

    #expect(next == [3, nil])
    #expect(isTaken)
  }
}
