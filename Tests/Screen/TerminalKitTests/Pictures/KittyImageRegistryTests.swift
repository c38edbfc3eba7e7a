import Expectations
import TestSupport
import Testing

@testable import TerminalKit

struct KittyImageRegistryTests {
  @Test func `numbers are given once, kept while shown, and used again`() {
    var shelf = KittyImageRegistry(maximumBytes: 300)

    let nothing = shelf.show([(1, 100), (2, 100)])
    for serial: UInt32 in [1, 2] { shelf.didSend(serial) }
    let first = shelf.number(of: 1)
    _ = shelf.show([(2, 100), (3, 100)])
    shelf.didSend(3)
    let forgotten = shelf.show([(3, 100), (4, 100)])

    #expect(nothing.isEmpty)
    expect(forgotten, [first].compactMap(\.self))
    expect(shelf.number(of: 1), nil)
    expect(shelf.number(of: 4), first)
    expect(shelf.byteCount, 300)
  }

  @Test func `what left the screen before it was sent costs nothing`() {
    var shelf = KittyImageRegistry()

    _ = shelf.show([(1, 100)])
    let forgotten = shelf.show([])

    #expect(forgotten.isEmpty)
    expect(shelf.byteCount, 0)
    expect(shelf.number(of: 1), nil)
  }

  @Test
  func `what the terminal does not confirm is sent again, later each time, four times at most`() {
    var shelf = KittyImageRegistry()
    var time = ContinuousClock.now
    _ = shelf.show([(1, 100)])
    shelf.didSend(1, at: time)

    for silence in [2, 4, 8] {
      shelf.loseUnconfirmed(after: .seconds(2), at: time + .seconds(silence - 1))
      #expect(shelf.isWaiting && !shelf.isUnsent(1))
      time += .seconds(silence)
      shelf.loseUnconfirmed(after: .seconds(2), at: time)
      #expect(shelf.isUnsent(1))
      shelf.didSend(1, at: time)
    }

    shelf.loseUnconfirmed(after: .seconds(2), at: time + .seconds(100))
    #expect(!shelf.isWaiting && !shelf.isUnsent(1))
    expect(shelf.removeAll().count, 1)
  }

  @Test func `what was sent before a confirmed picture is lost, what was sent after it may come`() {
    var shelf = KittyImageRegistry()
    let start = ContinuousClock.now
    _ = shelf.show([(1, 100), (2, 100), (3, 100)])
    for serial: UInt32 in [1, 2, 3] { shelf.didSend(serial, at: start + .seconds(Int(serial))) }

    shelf.didConfirm(shelf.number(of: 2) ?? 0, at: start + .seconds(9))
    shelf.loseUnconfirmed(after: .seconds(2), at: start + .seconds(10))

    expect([1, 2, 3].map(shelf.isUnsent), [true, false, false])
  }

  @Test func `what was lost and has left the screen is deleted, for the terminal may have it`() {
    var shelf = KittyImageRegistry()
    _ = shelf.show([(1, 100)])
    let number = shelf.number(of: 1)
    shelf.didSend(1, at: .now)
    shelf.lose(number ?? 0)

    expect(shelf.show([]), [number].compactMap(\.self))
  }

  @Test func `whatever is shown, numbers stay unique and memory stays bounded`() {
    var random = SeededRandom(seed: 21)
    var shelf = KittyImageRegistry(maximumBytes: 10_000)
    var held: Set<UInt8> = []
    for turn in 0..<2_000 {
      let start = UInt32(turn / 3 + Int.random(in: 0...20, using: &random))
      let shown = (start..<start + 40).map { ($0, 50 + Int($0 % 7) * 30) }

      let forgotten = shelf.show(shown)
      held.subtract(forgotten)
      for (serial, _) in shown where shelf.isUnsent(serial) && Bool.random(using: &random) {
        shelf.didSend(serial)
        if let number = shelf.number(of: serial) { held.insert(number) }
      }

      let numbers = shown.compactMap { shelf.number(of: $0.0) }
      expect(Set(numbers).count, numbers.count)
      expect(numbers.count, shown.count)
      #expect(shelf.byteCount <= 10_000)
    }
    expect(Set(shelf.removeAll()), held)
  }
}
