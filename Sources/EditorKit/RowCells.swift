internal import SafeText

/// The cells that the characters of a text take in rows of a width.
struct RowCells: Sendable {
  let characters: [Character]
  let width: Int

  /// A character wider than the whole row is shown as an ellipsis.
  func shown(_ place: Int) -> SafeText {
    characters[place].shown.truncated(toColumns: width)
  }

  func columns(at place: Int) -> Int {
    min(characters[place].shown.columns, width)
  }

  func columns(of range: Range<Int>) -> Int {
    range.reduce(0) { $0 + columns(at: $1) }
  }
}
