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
