internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension MenuModel: ViewedLayer {
  package func view(in frame: Frame) -> MenuView { MenuView(model: self, frame: frame) }
}

/// The menu of orders and filters.
package struct MenuView: LayerView {
  package let model: MenuModel
  package let frame: Frame

  package static let bindings = BindingTable<MenuView>(
    [
      Binding("choose", [.enter, " "], .keyChoose, footer: 10) { $0.choose() },
      SharedBindings.back([.escape, "q"], footer: 20),
    ]
      + SharedBindings.choosing { $0.model.move(by: $1) }
      + SharedBindings.ends { $0.model.move(by: $1) } + [SharedBindings.quit()])

  /// An order leaves the menu; filters can be switched one after the other.
  private func choose() {
    model.choose()
    navigator.browser.show(model.query)
    if case .order = model.items[model.selected] { close() }
  }

  package func scroll(by notches: Int) -> Bool {
    model.move(by: notches)
    return true
  }

  package func press(at point: CellPoint) -> Bool {
    if let item = item(at: point) {
      model.select(item)
      choose()
    } else {
      close()
    }
    return true
  }

  private static let columns = 34

  /// A line of the menu: a heading, or the item of this index.
  private enum Line {
    case heading(Phrase)
    case item(Int)
  }

  private var lines: [Line] {
    var lines: [Line] = []
    for (index, item) in model.items.enumerated() {
      switch item {
      case .order where index == 0: lines.append(.heading(.menuOrder))
      case .filter where index == 0: lines.append(.heading(.menuFilter))
      case .filter:
        if case .order = model.items[index - 1] { lines.append(.heading(.menuFilter)) }
      case .order: break
      }
      lines.append(.item(index))
    }
    return lines
  }

  private var box: Box {
    let title = context.strings[.menuOrder] + " · " + context.strings[.menuFilter]
    return Box(title: title, columns: Self.columns, rows: lines.count, in: frame.body, context)
  }

  package func draw(on canvas: inout Canvas) {
    box.draw(on: &canvas)
    for (row, line) in lines.enumerated() {
      draw(line, in: box.content.row(row), on: &canvas)
    }
  }

  private func item(at point: CellPoint) -> Int? {
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
    let item = model.items[index]
    let isSelected = index == model.selected
    let theme = context.theme
    let style = isSelected ? theme.selected(theme.strong) : theme.text
    if isSelected { canvas.markSelected(rect, theme) }
    let (mark, phrase): (Symbol, Phrase) =
      switch item {
      case .order(let order): (model.isChosen(item) ? .filledDot : .emptyDot, order.phrase)
      case .filter(let filter): (model.isChosen(item) ? .checked : .unchecked, filter.phrase)
      }
    canvas.put(mark, at: rect.origin.moved(columns: 2), style: style)
    canvas.write(
      context.strings[phrase].truncated(toColumns: rect.columns - 4),
      at: rect.origin.moved(columns: 4), style: style)
  }
}

extension ProductOrder {
  var phrase: Phrase {
    switch self {
    case .newest: .orderNewest
    case .cheapest: .orderCheapest
    case .priceDescending: .orderPriceDescending
    case .biggestDiscount: .orderBiggestDiscount
    }
  }
}

extension ProductFilter {
  var phrase: Phrase {
    switch self {
    case .inStock: .filterInStock
    case .reduced: .filterReduced
    }
  }
}

extension Phrase {
  static var menuOrder: Phrase { .named() }
  static var menuFilter: Phrase { .named() }
}
