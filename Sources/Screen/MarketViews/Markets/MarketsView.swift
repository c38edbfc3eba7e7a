internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension MarketsModel: ViewedLayer {
  package func view(in frame: Frame) -> MarketsView { MarketsView(model: self, frame: frame) }
}

/// Menu of markets, below the market's name in the top bar.
package struct MarketsView: BoxedListView {
  package let model: MarketsModel
  package let frame: Frame

  package static let bindings = BindingTable<MarketsView>(
    [
      Binding("previous-market", ["w", .tab], .keyPreviousMarket, offered: \.model.hasPrevious) {
        $0.model.showPrevious()
      },
      Binding("add-market", ["a"], .keyAddMarket, footer: 16) { $0.model.add() },
      Binding("search-everywhere", ["/"], .keySearchEverywhere) { $0.model.searchEverywhere() },
      Binding("rename-market", ["e"], .keyRenameMarket, footer: 22, offered: \.isRemembered) {
        $0.model.rename()
      },
      Binding(
        "forget-market", [.delete, "D"], .keyForgetMarket, footer: 24, isDestructive: true,
        offered: \.isRemembered
      ) { $0.model.forget() },
      Binding("open-at-start", ["o"], .keyOpenAtStart, footer: 26, offered: \.model.mayOpenAtStart)
      { $0.model.openAtStart() },
      Binding("serve-market", ["s"], .keyServeMarket, offered: \.model.mayServe) {
        $0.model.serve()
      },
      Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh) {
        $0.navigator.refresh()
      }.grouped(.program),
    ] + SharedBindings.boxedList(narrows: false)
      + [SharedBindings.back([.escape, "q"], footer: 20), SharedBindings.quit()])

  package static var opens: [any LayerView.Type] {
    [PromptView.self, MarketServeView.self, MultiMarketSearchView.self]
  }

  private var isRemembered: Bool { model.market?.isRemembered == true }

  package func choose(_ item: MarketsModel.Item) { model.choose(item) }

  // MARK: Drawing

  /// Columns before a name: selection bar, number, mark and blanks.
  private static let indent = 6
  private static let gap = 2
  private static let mark: SafeText = "*"
  /// Maximum and minimum columns of a name.
  private static let (widestName, narrowestName) = (28, 8)

  package var box: Box {
    let (names, widths) = (nameColumns, widths)
    let cells = widths.reduce(0) { $0 + ($1 == 0 ? 0 : $1 + Self.gap) }
    let columns = contentColumns { item in
      switch item {
      case .action: line(of: item).columns
      case .market(let row):
        Self.indent + names + max(cells, note(row).isEmpty ? 0 : note(row).columns + Self.gap)
      }
    }
    return Box(
      of: CellSize(columns: columns + 4, rows: contentRows + 2),
      at: frame.layout.topBar.inset(left: ScreenLayout.nameColumn - 2), in: frame.body, context)
  }

  package func words(of item: MarketsModel.Item) -> [SafeText] { [line(of: item).text] }

  /// Legend of the mark after a name; empty where no row has it.
  package var notes: [SafeText] {
    model.rows.contains(where: isMarked) ? [Self.mark + " " + context.strings[.marketsLegend]] : []
  }

  /// Whether the program opens this market at its start, if there are several.
  private func isMarked(_ row: MarketsModel.Row) -> Bool {
    row.market.opensAtStart && model.rows.count > 1
  }

  /// Line of a market's name, with the mark of the start, or of an action.
  private func line(of item: MarketsModel.Item) -> ListLine {
    switch item {
    case .action(let action): return ListLine(text: context.strings[action.phrase])
    case .market(let row):
      let name = row.title ?? context.strings[.marketLocal]
      return ListLine(
        text: isMarked(row) ? name + " " + Self.mark : name,
        mark: row.market.key == model.shown ? .filledDot : .emptyDot)
    }
  }

  private func note(_ row: MarketsModel.Row) -> SafeText { MarketText(row, context.strings).note }

  private var nameColumns: Int {
    let widest = model.rows.map { line(of: .market($0)).text.columns }.max() ?? 0
    return min(Self.widestName, max(Self.narrowestName, widest))
  }

  /// Columns of count, new products, response time and API; 0 for an empty column.
  private var widths: [Int] {
    let cells = model.rows.map { MarketText($0, context.strings).cells }
    return (0..<4).map { cell in cells.map { $0[cell].columns }.max() ?? 0 }
  }

  package func draw(_ item: MarketsModel.Item, in row: ListRow, on canvas: inout Canvas) {
    guard case .market(let market) = item else {
      return line(of: item).draw(in: row, on: &canvas)
    }
    let (rect, theme) = (row.rect, context.theme)
    if row.isSelected { canvas.markSelected(rect, theme) }
    let nameEnd = min(rect.columns, Self.indent + nameColumns)
    var name = row
    name.rect = rect.splitLeft(nameEnd).left
    line(of: item).draw(in: name, on: &canvas)
    let text = MarketText(market, context.strings)
    guard text.note.isEmpty else {
      canvas.write(
        text.note.truncated(toColumns: max(0, rect.columns - nameEnd - Self.gap)),
        at: rect.origin.moved(columns: nameEnd + Self.gap),
        style: row.rowStyle(text.hasFailed ? theme.warning : theme.secondary))
      return
    }
    var end = rect.columns
    let styles = [theme.text, theme.accent, theme.secondary, theme.secondary]
    for ((cell, width), style) in zip(zip(text.cells, widths), styles).reversed() where width > 0 {
      // Cells without room beside the name are left out, the API first.
      guard end - width >= nameEnd + Self.gap else { continue }
      canvas.write(
        cell, at: rect.origin.moved(columns: end - cell.columns), style: row.rowStyle(style))
      end -= width + Self.gap
    }
  }
}

/// Texts about a market in the menu.
private struct MarketText {
  var count = SafeText.empty
  var new = SafeText.empty
  var far = SafeText.empty
  var api = SafeText.empty
  /// Text in place of all cells; empty where these are shown.
  var note = SafeText.empty
  var hasFailed = false

  var cells: [SafeText] { [count, new, far, api] }

  init(_ row: MarketsModel.Row, _ strings: Strings) {
    far = row.market.location.isServer ? .empty : strings[.marketHere]
    switch row.state {
    case .asking: note = "…"
    case .opening: note = strings[.marketOpening]
    case .failed(let error):
      note = ErrorText.text(error, strings)
      hasFailed = true
    case .answered(let glance, let new):
      count = MarketAnswerText.count(glance, strings) ?? .empty
      if let new, new.count > 0 {
        self.new = NewText.count(new, strings)
      }
      if let elapsed = glance.elapsed { far = SafeText(elapsed.milliseconds) + " ms" }
      api = glance.api ?? .empty
    }
  }
}

extension MarketsModel.MenuAction {
  fileprivate var phrase: Phrase {
    switch self {
    case .add: .marketsAdd
    case .everywhere: .marketsEverywhere
    case .serve: .marketsServe
    }
  }
}
