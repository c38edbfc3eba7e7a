internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension MultiMarketSearchModel: ViewedLayer {
  package func view(in frame: Frame) -> MultiMarketSearchView {
    MultiMarketSearchView(model: self, frame: frame)
  }
}

/// Results of a search in all markets: grouped by market, or in one list.
package struct MultiMarketSearchView: FullListView {
  package let model: MultiMarketSearchModel
  package let frame: Frame

  package static var screenName: Phrase? { .screenAllMarkets }
  package static let bindings = BindingTable<MultiMarketSearchView>(
    opening + SharedBindings.copying(offered: \.hasItems) { $0.model.copySelected(as: $1) }
      + SharedBindings.list(back: [.escape, "q", .backspace], footer: 20))

  private static let opening: [Binding<MultiMarketSearchView>] = [
    Binding("open", [.enter], .keyOpen, footer: 10, offered: \.hasItems) {
      $0.choose()
    }.needing(.paletteListEmpty),
    Binding("toggle-grouping", ["v"], .keyMergeMarkets, footer: 30, when: \.isGrouped) {
      $0.model.toggleMerged()
    },
    Binding("toggle-grouping", ["v"], .keyGroupMarkets, footer: 30) { $0.model.toggleMerged() },
    Binding(
      "toggle-favorite", ["*"], .keyRemoveFavorite, footer: 35, when: \.model.isSelectedFavorite
    ) {
      $0.model.toggleFavorite()
    },
    Binding("toggle-favorite", ["*"], .keyAddFavorite, footer: 35, offered: \.hasItems) {
      $0.model.toggleFavorite()
    }.needing(.paletteListEmpty),
    Binding("favorites", ["i"], .keyFavorites, footer: 45) {
      $0.navigator.openPersonalList(.favorites)
    },
    Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh, footer: 40) {
      $0.navigator.refresh()
    },
  ]

  private var isGrouped: Bool { !model.isMerged }

  package static var opens: [any LayerView.Type] { [DetailView.self] }

  package var followsLinks: Bool { true }

  package var title: WindowTitle? {
    let strings = context.strings
    return WindowTitle(searched, note: model.isAsking ? strings[.everywhereAsking] : count)
  }

  /// Number of results; in one list also how many of each market are shown, which grouped lists say in
  /// the headings.
  private var count: SafeText {
    let strings = context.strings
    let count = strings.counted(.productCount, model.count)
    guard model.isMerged, model.hasMore else { return count }
    return strings(.everywhereFirstOfEach, count, SafeText(MultiMarketSearchModel.maxOfEach))
  }

  /// Search text, without the scope, which the title implies.
  private var searched: SafeText {
    let strings = context.strings
    var request = model.request
    request.scope = .here
    let line = SafeText(request.line(in: strings.language.ofSearch))
    return line.isEmpty ? strings[.everywhereAll] : strings(.everywhereFor, line)
  }

  package var emptyText: SafeText { context.strings[.everywhereNothing] }

  /// Name of a market; its count or failure is the remark.
  package func text(of source: Int) -> SafeText { name(of: model.sources[source]) }

  package func remark(of source: Int) -> ListFact? {
    let (text, style) = state(of: model.sources[source])
    return ListFact(text: text, style: style)
  }

  package func words(of item: MultiMarketSearchModel.Item) -> [SafeText] {
    [item.product.name, item.product.seller, name(of: model.sources[item.source])]
  }

  package func choose(_ item: MultiMarketSearchModel.Item) { model.open(item) }

  package func leave() { model.close() }

  // MARK: Drawing

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

  /// Draws a result as a row of a list; in one list with its market.
  package func draw(
    _ item: MultiMarketSearchModel.Item, in row: ListRow, on canvas: inout Canvas
  ) {
    let rect = row.rect
    guard !rect.isEmpty else { return }
    var position = rect.inset(left: model.isMerged ? 0 : Self.indent)
    let hasMarket = model.isMerged && rect.columns >= Self.widthWithMarket
    if hasMarket { position = rect.inset(right: Self.marketColumns) }
    ProductRow(
      content: .init(
        listed: item.product, marks: model.marks(of: item),
        columns: RowColumns(width: position.columns, .usual, context)),
      rect: position, bar: rect.inset(right: rect.columns - 1), ground: rect,
      isSelected: row.isSelected, context: context
    ).draw(on: &canvas)
    guard hasMarket else { return }
    canvas.write(
      name(of: model.sources[item.source]).truncated(toColumns: Self.marketColumns - 2),
      at: position.origin.moved(columns: position.columns + 1),
      style: row.rowStyle(context.theme.secondary))
  }

  package func facts(of item: MultiMarketSearchModel.Item) -> [ListFact] {
    let (listed, theme, strings) = (item.product, context.theme, context.strings)
    let product = listed.product
    let about =
      AdditionalFields.facts(of: product, strings) + [
        AgeText.text(product.created, now: context.now, strings), listed.seller,
        name(of: model.sources[item.source]),
      ]
    return [
      ListFact(text: listed.name, style: theme.strong),
      ListFact(text: PriceLine(product, context).toPay, style: theme.strong),
      ListFact(
        text: about.filter { !$0.isEmpty }.joined(separator: " · "), style: theme.secondary),
    ]
  }

  package func picture(of item: MultiMarketSearchModel.Item) -> PreviewPicture {
    model.picture(of: item)
  }

  private static let indent = 2
  /// Columns of a market's name after a result, and minimum columns of a row that shows it.
  private static let (marketColumns, widthWithMarket) = (18, 60)
}
