import MarketViewModels
import MarketViews
import TerminalKit
import Testing

@Suite struct KeyChangesTests {
  private func changes(_ keys: (KeyPress, Command?)...) -> KeyChanges {
    var changes = KeyChanges()
    for (key, command) in keys { _ = changes.give(key, to: command) }
    return changes
  }

  @Test func `a key gives its new command, and no longer the old one`() {
    let changes = changes(("x", .delete), ("j", .up), (.control("j"), .down))

    #expect(KeyMap.command(for: "x", in: .grid, changes) == .delete)
    #expect(KeyMap.command(for: "j", in: .list, changes) == .up)
    #expect(KeyMap.command(for: .control("j"), in: .detail, changes) == .down)
    #expect(KeyMap.command(for: .down, in: .list, changes) == .down)
  }

  @Test func `a key of nothing gives nothing`() {
    #expect(KeyMap.command(for: "M", in: .grid, changes(("M", nil))) == nil)
  }

  @Test func `a key stays what it was where its new command means nothing`() {
    let changes = changes(("o", .enlarge))

    #expect(KeyMap.command(for: "o", in: .detail, changes) == .enlarge)
    #expect(KeyMap.command(for: "o", in: .grid, changes) == .order)
  }

  @Test(arguments: [Focus.search, .help, .selling(.line), .selling(.question(isDestructive: true))])
  func `fields and questions keep their keys`(focus: Focus) {
    let changes = changes((.enter, .quit), ("y", .quit), (.down, .up))

    #expect(KeyMap.bindings(for: focus, changes) == KeyMap.bindings(for: focus))
  }

  @Test func `the help lists one's own key first`() {
    let binding = KeyMap.bindings(for: .grid, changes(("x", .delete)))
      .first { $0.command == .delete }

    #expect(binding?.keys == ["x", "D", .delete])
  }

  @Test func `a command that lost its only key to another is named`() {
    #expect(changes(("o", .filter)).commandsWithoutKeys == [.order])
    #expect(changes(("o", .filter), ("O", .order)).commandsWithoutKeys == [])
    #expect(changes(("o", nil)).commandsWithoutKeys == [])
  }

  @Test(arguments: [
    ("j", KeyPress("j")), ("G", "G"), ("Ctrl-N", .control("n")), ("alt-x", .alt("x")),
    ("Shift-Left", KeyPress(.left, .shift)), ("Space", " "), ("F5", .function(5)),
    ("PgDn", .pageDown), ("-", "-"), ("Ctrl--", .control("-")),
  ])
  func `keys are read by their names`(name: String, key: KeyPress) {
    #expect(KeyPress(name: name) == key)
  }

  @Test(arguments: ["", "jk", "Ctrl-", "F21", "F0", "Shift-j", "Hyper-x"])
  func `what is no key is none`(name: String) {
    #expect(KeyPress(name: name) == nil)
  }

  @Test(arguments: [KeyPress.control("c"), .control("z"), .escape, "5", "ㅓ", "러"])
  func `the way out, digits and keys of the Hangul layout stay`(key: KeyPress) {
    #expect(!KeyChanges.mayChange(key))
  }

  @Test func `every command has a name of its own and is found by it`() {
    let names = KeyChanges.commands.map(\.name)

    #expect(Set(names).count == names.count)
    #expect(names.contains("half-page-down"))
    #expect(names.map { Command(name: $0) } == KeyChanges.commands)
    #expect(Command(name: "submit") == nil)
  }
}
