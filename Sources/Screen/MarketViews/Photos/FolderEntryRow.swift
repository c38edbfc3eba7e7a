import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Row of a folder's entry: mark, name, and where there is room size and date.
struct FolderEntryRow {
  /// Mark in the column before the name.
  enum Mark {
    /// No marks in this list.
    case none
    case unmarked, marked
    /// The file is a photo of the form already.
    case added
  }

  let entry: FolderEntry
  let mark: Mark
  let isSelected: Bool
  let context: RenderContext

  /// Columns of selection bar, mark and blanks.
  static let markColumns = 4

  func draw(in rect: CellRect, on canvas: inout Canvas) {
    let theme = context.theme
    if isSelected { canvas.markSelected(rect, theme) }
    if let symbol {
      canvas.put(symbol.glyph, at: rect.origin.moved(columns: 2), style: look(symbol.style))
    }
    let room = rect.inset(left: mark == .none ? 2 : Self.markColumns)
    let details = entry.isFolder ? .empty : details(columns: room.columns)
    let (left, right) = room.splitRight(details.columns)
    canvas.write(details, at: right.origin, style: look(theme.secondary))
    let name = SafeText(entry.isFolder ? entry.name + "/" : entry.name)
    let style = mark == .added ? theme.secondary : isSelected ? theme.strong : theme.text
    canvas.write(name.truncated(toColumns: left.columns), at: left.origin, style: look(style))
  }

  private func look(_ style: Style) -> Style { isSelected ? context.theme.selected(style) : style }

  private var symbol: (glyph: Symbol, style: Style)? {
    guard !entry.isFolder else { return nil }
    switch mark {
    case .none: return nil
    case .unmarked: return (.unchecked, context.theme.secondary)
    case .marked: return (.checked, context.theme.accent)
    case .added: return (.done, context.theme.secondary)
    }
  }

  // MARK: Size and date

  private static let sizeColumns = 9
  /// Columns of a date without its time, as in 2026-03-02.
  private static let dayColumns = 10
  private static let smallestName = 20

  /// Size and date, or as much of them as fits beside the name; equal for all rows of a list.
  private func details(columns: Int) -> SafeText {
    let size = BytesText.text(entry.bytes).padded(
      toColumns: Self.sizeColumns, alignment: .trailing)
    let date = DateText.column(of: entry.modified)
    let choices = [size + "  " + date, size + "  " + date.prefix(columns: Self.dayColumns), size]
    return choices.first { columns - $0.columns >= Self.smallestName } ?? .empty
  }
}

extension Symbol {
  static let done: Symbol = "✓"
}
