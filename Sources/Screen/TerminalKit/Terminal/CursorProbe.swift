internal import SafeTextKit

/// Probe of what the terminal does with characters: it reports its cursor after each of some ambiguous
/// characters, and before and after a control string.
///
/// It runs in the second row, because a position in the first has the form of a key (F3 of xterm).
package struct CursorProbe: Hashable, Sendable {
  /// Reported columns in order.
  private var columns: [Int] = []

  /// Ambiguous characters of the screen.
  static let symbols: [SafeText] = ["…", "★", "●"]
  private static let question = Array("\u{1B}[6n".utf8)

  /// Place of a probe.
  enum Place {
    /// Second row of a full screen, from home and back there without attributes: a saved cursor would be
    /// that of the shell's screen on some terminals (libvterm's).
    case screen
    /// Next line of a shell's screen, which is erased.
    case line
  }

  /// Returns the queries around a control string; `draws` is false where ambiguous characters would not
  /// arrive as such.
  static func bytes(around string: [UInt8], at place: Place, draws: Bool) -> [UInt8] {
    let (begin, end) =
      switch place {
      case .screen: ("\u{1B}[2;1H\u{1B}[m", "\u{1B}[H")
      case .line: ("\r\n", "\r\u{1B}[K\u{1B}[A")
      }
    let drawn = (draws ? symbols : []).flatMap { Array($0.string.utf8) + question }
    return Array(begin.utf8) + question + drawn + string + question + Array(end.utf8)
  }

  mutating func didReceive(_ point: CellPoint) {
    // Other queries of the cursor follow later.
    if columns.count < Self.symbols.count + 2 { columns.append(point.column) }
  }

  /// Whether the terminal has reported its cursor at all places.
  private var isComplete: Bool { columns.count == Self.symbols.count + 2 }

  /// Whether a symbol took two columns.
  package var hasWideSymbols: Bool {
    isComplete
      && zip(columns, columns.dropFirst()).prefix(Self.symbols.count).contains { $1 - $0 == 2 }
  }

  /// Whether the control string moved the cursor; nil where the terminal did not report it.
  package var printsStrings: Bool? {
    switch columns.count {
    case 2, Self.symbols.count + 2: columns[columns.count - 2] != columns[columns.count - 1]
    default: nil
    }
  }
}
