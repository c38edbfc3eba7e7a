import TerminalKit

extension Canvas {
  /// The rows with what a terminal of 16 million colours is told of their looks (ECMA-48, SGR).
  var coloredText: String {
    (0..<size.rows).map { row in
      var cells = self.cells[row * size.columns..<(row + 1) * size.columns]
      while cells.last == .blank { cells.removeLast() }
      var line = ""
      var style = Style.plain
      for cell in cells where cell.columns > 0 {
        if cell.style != style { line += cell.style.command }
        style = cell.style
        line += cell.glyph.string
      }
      return line + (style == .plain ? "" : "\u{1B}[m") + "\n"
    }.joined()
  }
}

extension Style {
  /// What gives the text that follows this look, and no other.
  fileprivate var command: String {
    let looks: [(Style.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.underline, "4"), (.reverse, "7"), (.strikethrough, "9"),
    ]
    let parameters =
      looks.filter { attributes.contains($0.0) }.map(\.1)
      + [("38", foreground), ("48", background)].compactMap { kind, color in
        color.rgb.map { "\(kind);2;\($0.red);\($0.green);\($0.blue)" }
      }
    return "\u{1B}[" + ([""] + parameters).joined(separator: ";") + "m"
  }
}
