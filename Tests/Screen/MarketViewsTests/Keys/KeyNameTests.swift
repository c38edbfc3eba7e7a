import MarketViews
import TerminalKit
import Testing

@Suite struct KeyNameTests {
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
}
