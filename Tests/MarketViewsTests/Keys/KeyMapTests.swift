import MarketViews
import TerminalKit
import Testing

@Suite struct KeyMapTests {
  private nonisolated static let focuses: [Focus] = [.grid, .list, .detail, .search, .menu, .help]

  @Test(arguments: focuses)
  func `no key means two things`(focus: Focus) {
    let keys = KeyMap.bindings(for: focus).flatMap(\.keys)

    #expect(Set(keys).count == keys.count)
  }

  @Test(arguments: focuses)
  func `no command is listed twice`(focus: Focus) {
    let commands = KeyMap.bindings(for: focus).map(\.command)

    #expect(Set(commands).count == commands.count)
  }

  @Test(arguments: focuses)
  func `every command of the footer has a key`(focus: Focus) {
    let bound = Set(KeyMap.bindings(for: focus).map(\.command))

    #expect(Set(KeyMap.footer(for: focus)).isSubset(of: bound))
  }

  @Test(arguments: focuses)
  func `Ctrl-C leaves from everywhere`(focus: Focus) {
    #expect(KeyMap.command(for: .control("c"), in: focus) == .quit)
  }

  @Test(arguments: [
    ("ㅓ", Command.down), ("ㅏ", .up), ("ㅗ", .left), ("ㅣ", .right), ("ㅎ", .first),
    ("ㅐ", .order), ("ㄹ", .filter), ("ㅍ", .toggleArrangement), ("ㄱ", .refresh), ("ㄲ", .retry),
    ("ㅂ", .quit), ("ㅠ", .pageUp),
  ])
  func `letters work while the keyboard is in Hangul mode`(jamo: String, command: Command) {
    let keys = jamo.flatMap { KeyPress($0).shortcuts }

    #expect(keys.map { KeyMap.command(for: $0, in: .grid) } == [command])
  }

  @Test func `a syllable is the keys that it was typed with`() {
    let keys = KeyPress("러").shortcuts

    #expect(keys.map { KeyMap.command(for: $0, in: .list) } == [.filter, .down])
  }
}
