import Expectations
import Testing

@testable import PictureKit

struct DecodingSlotsTests {
  @Test func `two small pictures are decoded at a time, in the order of asking`() {
    var slots = DecodingSlots(workers: 2)
    for id in 1...3 { slots.add(id, isLarge: false) }

    let started = slots.startAll()
    slots.finish(worker: 0)

    expect(started, [1, 2])
    expect(slots.startAll(), [3])
  }

  @Test func `a second large picture waits and lets small ones pass`() {
    var slots = DecodingSlots(workers: 2)
    slots.add(1, isLarge: true)
    slots.add(2, isLarge: true)
    slots.add(3, isLarge: false)

    let started = slots.startAll()
    slots.finish(worker: 0)

    expect(started, [1, 3])
    expect(slots.startAll(), [2])
  }

  @Test func `they are idle when the last picture is done and none waits`() {
    var slots = DecodingSlots(workers: 1)
    slots.add(1, isLarge: false)
    slots.add(2, isLarge: false)
    _ = slots.startAll()
    slots.finish(worker: 0)

    let isIdleWhileOneWaits = slots.isIdle
    _ = slots.cancel(2)

    #expect(!isIdleWhileOneWaits)
    #expect(slots.isIdle)
  }

  @Test func `one that is cancelled is not started`() {
    var slots = DecodingSlots(workers: 1)
    slots.add(1, isLarge: false)
    slots.add(2, isLarge: false)
    _ = slots.startAll()

    let wasWaiting = [1, 2].map { slots.cancel($0) }
    slots.finish(worker: 0)

    expect(wasWaiting, [false, true])
    expect(slots.startAll(), [])
  }
}

extension DecodingSlots {
  fileprivate mutating func startAll() -> [Int] {
    var ids: [Int] = []
    while let next = start() { ids.append(next.id) }
    return ids
  }
}
