import Expectations
import TerminalTestSupport
import Testing

struct EscapeAuditTests {
  @Test func `the output of a full-screen program passes`() {
    let output =
      "\u{1b}[?1049h\u{1b}[22;0;0t\u{1b}[1;24r\u{1b}(B\u{1b}[m\u{1b}[?2026h\u{1b}[H한글 ₩1,000"
      + "\u{1b}[38;2;1;2;3m▀\u{1b}[9b\u{1b}[?2026l\u{1b}]11;?\u{1b}\\\u{1b}[c\r\u{1b}[?1049l"

    expect(EscapeAudit.unexpectedSequences(in: Array(output.utf8)), [])
  }

  @Test(arguments: [
    "\u{1b}]52;c;aGk=\u{7}", "\u{1b}]0;x\u{7}", "\u{1b}]2;x\u{1b}\\", "\u{1b}]8;;http://a\u{1b}\\",
    "\u{7}", "\u{1b}c", "\u{1b}[?1337h",
    "\u{1b}[5i", "\u{1b}P1$r\u{1b}\\", "\u{1b}_Gq\u{1b}\\", "\u{9b}31m", "\u{202e}", "\u{200b}",
    "\u{1b}]0;never ends", "\u{7f}",
  ])
  func `what foreign text could do is found`(sequence: String) {
    let output = Array("before\(sequence)".utf8)

    expect(EscapeAudit.unexpectedSequences(in: output).count, 1)
  }

  @Test func `bytes that are not UTF-8 are found`() {
    expect(EscapeAudit.unexpectedSequences(in: [0x61, 0x9b, 0x62]).count, 1)
  }
}
