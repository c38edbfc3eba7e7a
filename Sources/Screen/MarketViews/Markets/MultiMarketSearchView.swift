internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension MultiMarketSearchModel: ViewedLayer {
  package func view(in frame: Frame) -> MultiMarketSearchView {
    MultiMarketSearchView(model: self, frame: frame)
  }
}

/// What all markets have found: each market with its finds under its name, or all in one list.
package struct MultiMarketSearchView: LayerView {
  package let model: MultiMarketSearchModel
  package let frame: Frame

  package static let bindings = BindingTable<MultiMarketSearchView>(
    opening + SharedBindings.copying(offered: \.model.mayOpen) { $0.model.copySelected(as: $1) }
      + moving + SharedBindings.paging { $0.model.move($1, times: $2 ?? 1) }
      + SharedBindings.general() + [SharedBindings.quit()])

  private static let opening: [Binding<MultiMarketSearchView>] = [
    Binding("open", [.enter], .keyOpen, footer: 10, offered: \.model.mayOpen) {
      $0.model.openSelected()
    },
    SharedBindings.back([.escape, "q", .backspace], footer: 20, leave),
    Binding("toggle-grouping", ["v"], .keyMergeMarkets, footer: 30, when: \.isGrouped) {
      $0.model.toggleMerged()
    },
    Binding("toggle-grouping", ["v"], .keyGroupMarkets, footer: 30) { $0.model.toggleMerged() },
    Binding(
      "toggle-favorite", ["*"], .keyRemoveFavorite, footer: 35, when: \.model.isSelectedFavorite
    ) {
      $0.model.toggleFavorite()
    },
    Binding("toggle-favorite", ["*"], .keyAddFavorite, footer: 35, offered: \.model.mayOpen) {
      $0.model.toggleFavorite()
    },
    Binding("favorites", ["i"], .keyFavorites, footer: 45) { $0.navigator.openFavorites() },
    Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh, footer: 40) {
      $0.navigator.refresh()
    },
  ]

  /// Back to where the search began.
  private static let leave: (MultiMarketSearchView, Int?) -> Void = { view, _ in view.model.close()
  }

  private static let moving: [Binding<MultiMarketSearchView>] = [
    .counted("up", [.up, "k", .control("p")], .keyUp) { $0.model.move(.up, times: $1 ?? 1) }
      .grouped(.move),
    .counted("down", [.down, "j", .control("n")], .keyDown) {
      $0.model.move(.down, times: $1 ?? 1)
    }.grouped(.move),
  ]

  private var isGrouped: Bool { !model.isMerged }

  package static var opens: [any LayerView.Type] { [DetailView.self] }

  package var coversBody: Bool { true }
  package var followsLinks: Bool { true }
  package var takesCounts: Bool { true }

  package var title: WindowTitle? {
    let strings = context.strings
    return WindowTitle(searched, note: model.isAsking ? strings[.everywhereAsking] : count)
  }

  /// How many are found, and where one list has not all of them, which it has: each market says that
  /// under its own name otherwise.
  private var count: SafeText {
    let strings = context.strings
    let count = strings.counted(.productCount, model.count)
    guard model.isMerged, model.hasMore else { return count }
    return strings(.everywhereFirstOfEach, count, SafeText(MultiMarketSearchModel.maxOfEach))
  }

  /// What is searched for; that all markets are is said once.
  private var searched: SafeText {
    let strings = context.strings
    var request = model.request
    request.scope = .here
    let line = SafeText(request.line(in: strings.language.ofSearch))
    return line.isEmpty ? strings[.everywhereAll] : strings(.everywhereFor, line)
  }

  package func layOut() { model.didLayOut(rows: max(1, frame.body.rows)) }

  package func scroll(by notches: Int) -> Bool {
    model.move(notches < 0 ? .up : .down, times: abs(notches) * 3)
    return true
  }

  /// A click selects a find; one on what is selected opens it.
  package func press(at point: CellPoint) -> Bool {
    guard frame.body.contains(point) else { return false }
    let line = model.viewport.topRow + point.row - frame.body.minRow
    if line == model.viewport.selected { model.openSelected() } else { model.select(line) }
    return true
  }

  // MARK: Drawing

  package func draw(on canvas: inout Canvas) {
    let lines = model.lines
    for index in model.viewport.visible where lines.indices.contains(index) {
      let rect = frame.body.row(index - model.viewport.topRow)
      switch lines[index] {
      case .source(let source): draw(model.sources[source], in: rect, on: &canvas)
      case .product(let product, let source):
        draw(
          product, of: model.sources[source], isSelected: index == model.viewport.selected,
          in: rect, on: &canvas)
      }
    }
  }

  /// A market's name with how much it has found, or why it has not.
  private func draw(
    _ source: MultiMarketSearchModel.Source, in rect: CellRect, on canvas: inout Canvas
  ) {
    let theme = context.theme
    let name = name(of: source).truncated(toColumns: max(0, rect.columns - 2))
    canvas.write(name, at: rect.origin.moved(columns: 1), style: theme.accent)
    let start = 1 + name.columns + 2
    let (text, style) = state(of: source)
    canvas.write(
      text.truncated(toColumns: max(0, rect.columns - start - 1)),
      at: rect.origin.moved(columns: start), style: style)
  }

  private func name(of source: MultiMarketSearchModel.Source) -> SafeText {
    source.market.name ?? context.strings[.marketLocal]
  }

  private func state(of source: MultiMarketSearchModel.Source) -> (SafeText, Style) {
    let (strings, theme) = (context.strings, context.theme)
    return switch source.state {
    case .asking: ("…", theme.secondary)
    case .answered(.exactly(0)): (strings[.everywhereNothing], theme.secondary)
    case .answered(.exactly(let count)) where count > source.products.count:
      (
        strings(
          .everywhereFirst, strings.counted(.productCount, count),
          SafeText(source.products.count)), theme.secondary
      )
    case .answered(.exactly(let count)): (strings.counted(.productCount, count), theme.secondary)
    case .answered(.atLeast(let count)):
      (strings.counted(.productCountAtLeast, count), theme.secondary)
    case .answered(.unknown):
      (strings.counted(.productCount, source.products.count), theme.secondary)
    case .failed(.unsupported): (strings[.everywhereCannot], theme.warning)
    case .failed(let error): (ErrorText.text(error, strings), theme.warning)
    }
  }

  /// A find as a row of a list, and in one list of all with its market behind it.
  private func draw(
    _ product: ListedProduct, of source: MultiMarketSearchModel.Source, isSelected: Bool,
    in rect: CellRect, on canvas: inout Canvas
  ) {
    guard !rect.isEmpty else { return }
    let (theme, language) = (context.theme, context.strings.language)
    var position = rect.inset(left: model.isMerged ? 0 : Self.indent)
    let hasMarket = model.isMerged && rect.columns >= Self.widthWithMarket
    if hasMarket { position = rect.inset(right: Self.marketColumns) }
    ProductRow(
      content: .init(
        listed: product, marks: model.marks(of: product.id, in: source),
        columns: RowColumns(width: position.columns, language: language)),
      rect: position, bar: rect.inset(right: rect.columns - 1), ground: rect,
      isSelected: isSelected,
      context: context
    ).draw(on: &canvas)
    guard hasMarket else { return }
    canvas.write(
      name(of: source).truncated(toColumns: Self.marketColumns - 2),
      at: position.origin.moved(columns: position.columns + 1),
      style: isSelected ? theme.selected(theme.secondary) : theme.secondary)
  }

  private static let indent = 2
  /// Columns of a market's name behind a find, and those of a window that has room for it.
  private static let (marketColumns, widthWithMarket) = (18, 60)
}
