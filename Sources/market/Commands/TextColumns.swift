import SafeText

/// Lays rows of texts out as lines: with blanks for people, with tabs for programs.
struct TextColumns {
  private static let gap = 2

  /// Whether the columns stand below each other; otherwise a tab, which no safe text holds, is
  /// between two of them.
  let isAligned: Bool

  /// The rows, each as long as the others, as lines without the last line feed.
  func text(_ rows: [[SafeText]]) -> String {
    guard isAligned, let count = rows.first?.count else {
      return rows.map { $0.map(\.string).joined(separator: "\t") }.joined(separator: "\n")
    }
    let widths = (0..<count).map { column in rows.map { $0[column].columns }.max() ?? 0 }
    return rows.map { row in
      let padded = zip(row.dropLast(), widths).map { $0.padded(toColumns: $1 + Self.gap) }
      return (padded + row.suffix(1)).joined().string
    }.joined(separator: "\n")
  }
}
