import TerminalTestSupport
import TestSupport

/// Keys by chance: moves mostly, everything else now and then, but nothing that quits.
enum SoakKeys {
  private static let moves: [KeyScript] = [
    "j", "k", "h", "l", "<Up>", "<Down>", "<Left>", "<Right>", "<PgUp>", "<PgDn>", "g", "G",
    "<C-d>",
    "<C-u>", "<Home>", "<End>", "ㅓ", "ㅏ", "12j", "<WheelUp>", "<WheelDown>",
  ]
  private static let commands: [KeyScript] = [
    "<Enter>", "<Enter>", "<Esc>", "<Esc>", "/", "o", "f", "v", "r", "R", "M", "?", "J", "K", "n",
    "e",
    "D", "u", "m", "p", "z", "<Tab>", "<BackTab>", "<BS>", "<Del>", "<Space>", "<C-s>", "<C-w>",
    "<C-k>", "<C-r>", "<A-f>", "<F1>", "<Click:10,8>", "<Click:40,12>",
  ]
  private static let texts: [KeyScript] = [
    "자전거", "mug", "12000", "<Paste:two\nlines 한글>", "\u{1b}]11;rgb:0/0/0\u{1b}\\", "가나다abc",
    "\u{ff}\u{fe}", "👨‍👩‍👧‍👦", "<Paste:\u{1b}[31mred>",
  ]

  static func next(using random: inout SeededRandom) -> KeyScript {
    let keys: [KeyScript] =
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6: moves
      case 6..<9: commands
      default: texts
      }
    return keys[Int.random(in: keys.indices, using: &random)]
  }
}
