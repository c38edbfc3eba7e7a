import Expectations
import MarketViews
import TerminalKit
import Testing

struct KeyNameTests {
  @Test(arguments: [
    ("j", KeyPress("j")), ("G", "G"), ("Ctrl-N", .control("n")), ("alt-x", .alt("x")),
    ("Shift-Left", KeyPress(.left, .shift)), ("Space", " "), ("F5", .function(5)),
    ("PgDn", .pageDown), ("-", "-"), ("Ctrl--", .control("-")),
  ])
  func `keys are read by their names`(name: String, key: KeyPress) {
    expect(KeyPress(name: name), key)
  }

  @Test(arguments: [
    KeyPress("j"), "G", " ", ",", "-", .control("j"), .control("-"), .alt("x"),
    KeyPress(.left, .shift), KeyPress(.pageDown, .control), .function(5), .enter, .escape, .tab,
    .backspace, .delete, .home, .end, .pageUp, .up, .down, .right, KeyPress(.insert),
    KeyPress(.character(" "), [.control, .alt]),
  ])
  func `a key's name is read back`(key: KeyPress) {
    expect(KeyPress(name: key.settingsName), key)
  }

  @Test(arguments: ["", "jk", "Ctrl-", "F21", "F0", "Shift-j", "Hyper-x"])
  func `what is no key is none`(name: String) {
    expect(KeyPress(name: name), nil)
  }
}
