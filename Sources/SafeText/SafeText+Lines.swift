extension SafeText {
  private static let tabWidth = 4

  /// The lines of foreign text, at least one, with tabs expanded to multiples of four cells.
  package static func lines(_ foreign: String) -> [SafeText] {
    foreign.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { SafeText(String($0)) }
      return parts.dropFirst().reduce(parts.first ?? .empty) { text, part in
        text.padded(toColumns: (text.columns / tabWidth + 1) * tabWidth) + part
      }
    }
  }

  /// The text in lines of at most `width` cells, broken at spaces.
  ///
  /// The spaces at which a line is broken are left out. A word longer than a line is split; a wide
  /// cell that does not fit into a line of one cell is shown as an ellipsis.
  package func wrapped(toColumns width: Int) -> [SafeText] {
    let width = max(1, width)
    guard columns > width else { return [self] }
    var lines: [SafeText] = []
    var line: SafeText?
    for word in words {
      if let start = line, start.columns + 1 + word.columns <= width {
        line = start + " " + word
      } else if line == nil || !word.isEmpty {
        if let line { lines.append(line) }
        let pieces = word.split(toColumns: width)
        lines += pieces.dropLast()
        line = pieces.last
      }
    }
    if let line { lines.append(line) }
    return lines
  }

  /// The words between single spaces, empty ones too.
  private var words: [SafeText] {
    string.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false).map { word in
      SafeText(safe: String(word), columns: word.reduce(0) { $0 + cellWidth(of: $1) })
    }
  }

  /// The text in pieces of at most `width` cells, at least one.
  private func split(toColumns width: Int) -> [SafeText] {
    guard columns > width else { return [self] }
    var pieces: [SafeText] = []
    var piece = SafeText.empty
    for cluster in clusters {
      if piece.columns + cluster.columns > width, !piece.isEmpty {
        pieces.append(piece)
        piece = .empty
      }
      piece = piece + SafeText(cluster).truncated(toColumns: width)
    }
    return pieces + [piece]
  }
}
