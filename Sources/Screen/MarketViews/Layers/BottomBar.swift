import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The last row: the most useful keys of the top layer, or what happened last.
struct BottomBar {
  let navigator: Navigator
  /// What the top layer's view offers.
  let rows: [KeyRow]
  let rect: CellRect
  let context: RenderContext

  /// From this place in the footer on, hints stay longer than the others where room is short.
  private static let stayingPlaces = 90

  /// A key with its word, and the columns it covers: it can be clicked.
  struct Hint {
    let row: KeyRow
    let place: Int
    let key: SafeText
    let word: SafeText
    var columns: Range<Int>
  }

  func draw(on canvas: inout Canvas) {
    let theme = context.theme
    canvas.fill(rect, style: theme.bar)
    let start = rect.origin.moved(columns: 1)
    if let notice = navigator.notice {
      let room = rect.columns - 2
      let text = NoticeText.text(notice, context.strings, columns: room).truncated(toColumns: room)
      canvas.write(text, at: start, style: notice.isError ? theme.barWarning : theme.bar)
      return
    }
    if navigator.selling?.opening.isWaiting == true {
      let text = context.strings[.asking].truncated(toColumns: rect.columns - 2)
      canvas.write(text, at: start, style: theme.bar)
      return
    }
    for hint in hints {
      let place = rect.origin.moved(columns: hint.columns.lowerBound)
      canvas.write(hint.key, at: place, style: theme.barAccent)
      canvas.write(
        hint.word, at: place.moved(columns: hint.key.columns + 1), style: theme.barSecondary)
    }
    if let count = navigator.count {
      let text = SafeText(count)
      let place = CellPoint(column: rect.columns - 1 - text.columns, row: rect.minRow)
      canvas.write(text, at: place, style: theme.barAccent)
    }
  }

  /// The row whose hint is at a point, for a click.
  func row(at point: CellPoint) -> KeyRow? {
    hints.first { $0.columns.contains(point.column) }?.row
  }

  /// The hints that fit, from left to right: the first one stays longest, then the help and the way out.
  private var hints: [Hint] {
    var hints = Self.sideBySide(allHints)
    while let end = hints.last?.columns.upperBound, end >= rect.columns {
      let least = hints.dropFirst().lastIndex { $0.place < Self.stayingPlaces }
      hints.remove(at: least ?? hints.endIndex - 1)
      hints = Self.sideBySide(hints)
    }
    return hints
  }

  /// What is offered, however wide that is.
  private var allHints: [Hint] {
    rows.filter(\.isOffered).compactMap { row in
      guard let place = row.footer, let key = row.keys.first.map(context.name) else { return nil }
      let word = context.strings[row.words]
      return Hint(
        row: row, place: place, key: key, word: word, columns: 0..<key.columns + 1 + word.columns)
    }
    .sorted { $0.place < $1.place }
  }

  /// The same hints, two columns apart.
  private static func sideBySide(_ hints: [Hint]) -> [Hint] {
    var column = 1
    return hints.map { hint in
      defer { column += hint.columns.count + 2 }
      var hint = hint
      hint.columns = column..<column + hint.columns.count
      return hint
    }
  }
}
