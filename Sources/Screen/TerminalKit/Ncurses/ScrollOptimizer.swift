/// Detection of lines that ncurses scrolls on the terminal instead of rewriting them.
///
/// `idlok` prevents insertion and deletion of lines, but not scrolling of a region (tty_update.c of
/// ncurses 6.4 checks only the entry), and ncurses does not report which lines moved.
enum ScrollOptimizer {
  /// Whether a frame moves lines: it sets a scrolling region (DECSTBM), scrolls (SU, SD), or inserts or
  /// deletes lines (IL, DL).
  static func movesLines(_ frame: [UInt8]) -> Bool {
    var parameters: Bool?
    for byte in frame {
      switch byte {
      case 0x1B: parameters = false
      case UInt8(ascii: "[") where parameters == false: parameters = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ";"): break
      case UInt8(ascii: "r"), UInt8(ascii: "S"), UInt8(ascii: "T"), UInt8(ascii: "L"),
        UInt8(ascii: "M"):
        if parameters == true { return true }
        parameters = nil
      default: parameters = nil
      }
    }
    return false
  }
}
