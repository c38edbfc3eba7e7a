import Expectations
import TestSupport
import Testing

@testable import MarketModel

struct SlotQueueTests {
  /// The law in its plainest form: all that runs, and all that waits in order of arrival.
  private struct Model {
    let limit: Int
    let total: Int?
    var running: [(client: Int, work: Int)] = []
    var waiting: [(client: Int, work: Int)] = []

    func runs(_ client: Int) -> Int { running.count { $0.client == client } }

    func hasRoom(for client: Int) -> Bool {
      runs(client) < limit && running.count < total ?? .max
    }

    mutating func begin(after client: Int) -> Int? {
      let able = waiting.indices.filter { hasRoom(for: waiting[$0].client) }
      let next =
        total == nil
        ? able.first { waiting[$0].client == client }
        : able.min { runs(waiting[$0].client) < runs(waiting[$1].client) }
      return next.map { index in
        running.append(waiting.remove(at: index))
        return running[running.count - 1].work
      }
    }
  }

  private static let orders: [(SlotQueue<Int, Int>.Order, total: Int?)] = [
    (.arrival, nil), (.fewestRunning(total: 4), 4), (.fewestRunning(total: 1), 1),
  ]

  @Test(arguments: 0..<3, UInt64(1)...40)
  func `what asks begins once, waits or is refused, within the limits and in order`(
    order: Int, seed: UInt64
  ) {
    var random = SeededRandom(seed: seed)
    let (order, total) = Self.orders[order]
    let (limit, maxWaiting) = (Int.random(in: 1...3, using: &random), 5)
    var queue = SlotQueue<Int, Int>(limit: limit, maxWaiting: maxWaiting, order: order)
    var model = Model(limit: limit, total: total)
    var answered = Set<Int>()

    for work in 1...300 {
      let client = Int.random(in: 1...4, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4:
        let entry = queue.enter(client, work)
        if model.hasRoom(for: client) {
          expect(entry, .begins)
          model.running.append((client, work))
        } else if model.waiting.count(where: { $0.client == client }) < maxWaiting {
          expect(entry, .waits)
          model.waiting.append((client, work))
        } else {
          expect(entry, .refused)
        }
      case 4..<7:
        guard let index = model.running.indices.randomElement(using: &random) else { continue }
        let ended = model.running.remove(at: index)
        #expect(answered.insert(ended.work).inserted)
        expect(queue.leave(ended.client), model.begin(after: ended.client))
      default:
        let isGone = { (work: Int) in work % 3 == 0 }
        let gone = model.waiting.filter { $0.client == client && isGone($0.work) }.map(\.work)
        expect(queue.remove(of: client, where: isGone), gone)
        model.waiting.removeAll { gone.contains($0.work) }
      }
      expect(queue.waitingCount, model.waiting.count)
    }

    while let ended = model.running.popLast() {
      expect(queue.leave(ended.client), model.begin(after: ended.client))
    }
    expect(queue.waitingCount, 0)
    #expect(model.waiting.isEmpty)
  }

  @Test func `a higher limit lets waiting work begin, and lasts until nothing runs`() {
    var queue = SlotQueue<Everyone, Int>(limit: 1)
    let entries = (1...4).map { queue.enter(.all, $0) }

    let begun = queue.setLimit(of: .all, to: 3)
    let lowered = queue.setLimit(of: .all, to: 1)
    let next = (1...4).map { _ in queue.leave(.all) }

    expect(entries, [.begins, .waits, .waits, .waits])
    #expect(begun == [2, 3] && lowered == [])
    expect(next, [nil, nil, 4, nil])
    expect([5, 6].map { queue.enter(.all, $0) }, [.begins, .waits])
  }
}
