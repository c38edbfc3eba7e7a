import Expectations
import MarketModel
import TestSupport
import Testing

@testable import MarketServer

struct PendingOutputTests {
  @Test func `a network has a share, and gives up what is beyond it by itself`() {
    var untaken = PendingOutput(limit: 100, ofNetwork: 10)
    untaken.add(10, of: "a")
    let atShare = untaken.crowded(after: "a")
    untaken.add(1, of: "a")
    untaken.add(5, of: "b")

    expect(atShare, nil)
    expect(untaken.crowded(after: "a"), "a")
    expect(untaken.crowded(after: "b"), nil)
    untaken.remove(1, of: "a")
    expect(untaken.crowded(after: "a"), nil)
  }

  @Test func `where all leave too much, the network with most gives it up`() {
    var untaken = PendingOutput(limit: 12, ofNetwork: 10)
    untaken.add(8, of: "a")
    untaken.add(3, of: "b")
    let before = untaken.crowded(after: "b")
    untaken.add(2, of: "c")

    expect(before, nil)
    expect(untaken.crowded(after: "c"), "a")
    untaken.remove(8, of: "a")
    expect(untaken.crowded(after: "c"), nil)
  }
}

struct FairQueueTests {
  @Test func `an address has so many turns, and others need not wait for it`() {
    var turns = FairQueue(limit: 4, ofAddress: 2)

    let requests: [(UInt64, ClientNetwork)] = [(1, "a"), (2, "a"), (3, "a"), (4, "b")]
    let taken = requests.map { turns.take($0.0, for: $0.1) }

    expect(taken, [true, true, false, true])
  }

  @Test func `who has nothing under way waits for nobody's queue`() {
    var turns = FairQueue(limit: 2, ofAddress: 2)
    for number in UInt64(1)...9 { _ = turns.take(number, for: "a") }
    _ = turns.take(10, for: "b")
    _ = turns.take(11, for: "b")

    let next = (1...4).map { _ in turns.end("a") }

    expect(next, [10, 3, 4, 5])
  }

  @Test func `a turn that ends is for the first of those with fewest`() {
    var turns = FairQueue(limit: 3, ofAddress: 2)
    let requests: [(UInt64, ClientNetwork)] = [
      (1, "a"), (2, "a"), (3, "b"), (4, "a"), (5, "b"), (6, "c"),
    ]
    for (number, network) in requests { _ = turns.take(number, for: network) }

    let ends: [ClientNetwork] = ["b", "a", "a", "c"]
    let next = ends.map { turns.end($0) }

    expect(next, [5, 6, 4, nil])
  }

  @Test func `who has left the queue gets no turn`() {
    var turns = FairQueue(limit: 1, ofAddress: 1)
    for number in UInt64(1)...3 { _ = turns.take(number, for: "a") }

    turns.leave(2)
    let next = [turns.end("a"), turns.end("a")]
    let isTaken = turns.take(4, for: "a")

    expect(next, [3, nil])
    #expect(isTaken)
  }
}
