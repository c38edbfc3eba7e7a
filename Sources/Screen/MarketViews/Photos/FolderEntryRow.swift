import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Line of a folder's entry: its mark, its name, and as far as there is room its size and date.
struct FolderEntryRow {
  /// What the column before the name tells.
  enum Mark {
    /// Entries are not marked here.
    case none
    case unmarked, marked
    /// It is a photo of the form already.
    case added
  }

  let entry: FolderEntry
  let mark: Mark
  let isSelected: Bool
  let context: RenderContext

  /// The bar of the selection, the mark, and blanks around it.
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
  /// 2026-03-02, and 2026-03-02 14:30.
  private static let dayColumns = 10
  private static let smallestName = 20

  /// Size and date, or as much of them as leaves the name its room; the same for all rows of a list.
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
