import Expectations
import TerminalTestSupport
import Testing

struct KeyScriptTests {
  @Test(arguments: [
    ("j가", "j가"), ("<Enter><Up>", "\r\u{1b}OA"), ("<C-d>x", "\u{4}x"), ("<lt>Up>", "<Up>"),
    ("<Paste:a\nb>", "\u{1b}[200~a\nb\u{1b}[201~"), ("<A-x>", "\u{1b}x"), ("a < b", "a < b"),
    ("<Click:3,4>", "\u{1b}[<0;3;4M\u{1b}[<0;3;4m"),
  ])
  func `keys become the bytes of a terminal`(script: String, bytes: String) {
    expect(KeyScript(script).bytes, Array(bytes.utf8))
  }
}
