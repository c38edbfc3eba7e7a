import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The menu of orders and filters.
struct MenuView {
  let menu: MenuModel
  let bounds: CellRect
  let context: RenderContext

  private static let columns = 34

  /// A line of the menu: a heading, or the item of this index.
  private enum Line {
    case heading(Phrase)
    case item(Int)
  }

  private var lines: [Line] {
    var lines: [Line] = []
    for (index, item) in menu.items.enumerated() {
      switch item {
      case .order where index == 0: lines.append(.heading(.menuOrder))
      case .filter where index == 0: lines.append(.heading(.menuFilter))
      case .filter:
        if case .order = menu.items[index - 1] { lines.append(.heading(.menuFilter)) }
      case .order: break
      }
      lines.append(.item(index))
    }
    return lines
  }

  private var box: Box {
    let title = context.strings[.menuOrder] + " · " + context.strings[.menuFilter]
    return Box(title: title, columns: Self.columns, rows: lines.count, in: bounds, context)
  }

  func draw(on canvas: inout Canvas) {
    box.draw(on: &canvas)
    for (row, line) in lines.enumerated() {
      draw(line, in: box.content.row(row), on: &canvas)
    }
  }

  /// The item at a point, for a click.
  func item(at point: CellPoint) -> Int? {
    let content = box.content
    guard content.contains(point), case .item(let index) = lines[point.row - content.minRow] else {
      return nil
    }
    return index
  }

  private func draw(_ line: Line, in rect: CellRect, on canvas: inout Canvas) {
    guard !rect.isEmpty else { return }
    switch line {
    case .heading(let phrase):
      canvas.write(context.strings[phrase], at: rect.origin, style: context.theme.secondary)
    case .item(let index):
      drawItem(index, in: rect, on: &canvas)
    }
  }

  private func drawItem(_ index: Int, in rect: CellRect, on canvas: inout Canvas) {
    let item = menu.items[index]
    let isSelected = index == menu.selected
    let theme = context.theme
    let style = isSelected ? theme.selected(theme.strong) : theme.text
    if isSelected { canvas.markSelected(rect, theme) }
    let (mark, phrase): (Symbol, Phrase) =
      switch item {
      case .order(let order): (menu.isChosen(item) ? .filledDot : .emptyDot, order.phrase)
      case .filter(let filter): (menu.isChosen(item) ? .checked : .unchecked, filter.phrase)
      }
    canvas.put(mark, at: rect.origin.moved(columns: 2), style: style)
    canvas.write(
      context.strings[phrase].truncated(toColumns: rect.columns - 4),
      at: rect.origin.moved(columns: 4), style: style)
  }
}
