import Expectations
import TerminalTestSupport
import Testing

@testable import TerminalKit

struct CursorProbeTests {
  private func probe(_ columns: [Int]) -> CursorProbe {
    var probe = CursorProbe()
    for column in columns { probe.didReceive(CellPoint(column: column, row: 1)) }
    return probe
  }

  @Test(arguments: [
    ([0, 1, 2, 3, 3], false, false), ([0, 2, 4, 6, 6], true, false),
    ([0, 1, 3, 4, 4], true, false),
    ([0, 1, 2, 3, 8], false, true), ([0, 3, 6, 9, 9], false, false), ([0, 0], false, false),
    ([0, 4], false, true),
  ])
  func `the cursor tells wide symbols and printed strings`(
    columns: [Int], isWide: Bool, prints: Bool
  ) {
    expect(probe(columns).hasWideSymbols, isWide)
    expect(probe(columns).printsStrings, prints)
  }

  @Test(arguments: [[], [0], [0, 1, 2]])
  func `without all positions nothing is told`(columns: [Int]) {
    expect(probe(columns).hasWideSymbols, false)
    expect(probe(columns).printsStrings, nil)
  }

  @Test func `the queries stand in the second row, where no position is a key`() {
    let bytes = CursorProbe.bytes(
      around: TerminalModes.backgroundQuestion, at: .screen, draws: true)
    let text = String(decoding: bytes, as: UTF8.self)

    expect(text.ranges(of: "\u{1B}[6n").count, 5)
    #expect(text.hasPrefix("\u{1B}[2;1H") && text.hasSuffix("\u{1B}[H"))
    expect(KeyDecoding.events("\u{1B}[2;5R"), [.reply(.cursor(CellPoint(column: 4, row: 1)))])
  }
}

private enum KeyDecoding {
  static func events(_ text: String) -> [InputEvent] {
    var decoder = KeyDecoder()
    return decoder.feed(Array(text.utf8))
  }
}
