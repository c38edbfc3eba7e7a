/// Turns foreign text that is not plain into safe text, in three passes.
enum Sanitizer {
  /// Marks kept on one character in safe text, as many as an ncurses cell holds.
  private static let marksShown = 4

  static func sanitize(_ foreign: String) -> SafeText {
    settle(filter(foreign).precomposed)
  }

  /// Leaves out or replaces what must not be drawn.
  private static func filter(_ foreign: String) -> String {
    var kept = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in foreign.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      if isAfterReturn, scalar == "\n" { continue }
      switch Treatment(scalar) {
      case .keep: kept.append(scalar)
      case .replace(let standIn): kept.append(standIn)
      case .drop: continue
      }
    }
    return String(kept)
  }

  /// Caps marks, gives one without a character something to sit on, and adds up the width.
  private static func settle(_ composed: String) -> SafeText {
    var settled = String.UnicodeScalarView()
    var columns = 0
    var marks = 0
    for scalar in composed.unicodeScalars {
      let scalar = ConjoiningJamo.standIn(for: scalar) ?? scalar
      let width = cellWidth(of: scalar)
      if width == 0, settled.last ?? " " == " " {
        settled.append("\u{25CC}")
        columns += 1
      }
      marks = width == 0 ? marks + 1 : 0
      guard marks <= marksShown else { continue }
      settled.append(scalar)
      columns += width
    }
    return SafeText(safe: String(settled), columns: columns)
  }
}
