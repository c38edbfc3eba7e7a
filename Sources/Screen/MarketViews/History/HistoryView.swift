package import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension HistoryModel: ViewedLayer {
  package func view(in frame: Frame) -> HistoryView { HistoryView(model: self, frame: frame) }
}

/// List of the products whose details were opened, with price and time.
package struct HistoryView: FullListView {
  package let model: HistoryModel
  package let frame: Frame

  package static var screenName: Phrase? { .historyTitle }
  package static let bindings = BindingTable<HistoryView>(
    [
      Binding("open", [.enter], .keyOpen, footer: 10, offered: \.hasItems) { $0.choose() },
      Binding(
        "forget-viewed", [.delete, "D"], .keyForgetViewed, footer: 20, isDestructive: true,
        offered: \.hasItems
      ) { $0.remove() },
      Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh, footer: 40) {
        $0.navigator.refresh()
      },
    ] + SharedBindings.list(back: [.escape, "q", .control("c")], footer: 30))
  package static var opens: [any LayerView.Type] { [DetailView.self] }

  package var title: WindowTitle? {
    let count = model.sections.reduce(0) { $0 + $1.items.count }
    return WindowTitle(
      context.strings[.historyTitle],
      note: model.list.isRead ? context.strings.counted(.historyCount, count) : .empty)
  }

  package var emptyText: SafeText { context.strings[model.list.isRead ? .historyEmpty : .loading] }

  package func text(of day: HistoryModel.Day) -> SafeText {
    switch day {
    case .today: context.strings[.historyToday]
    case .yesterday: context.strings[.historyYesterday]
    case .earlier: context.strings[.historyEarlier]
    }
  }

  package func words(of product: ViewedProduct) -> [SafeText] { facts(of: product).map(\.text) }

  package func choose(_ product: ViewedProduct) { model.open(product) }

  package func leave() { model.leave() }

  private func remove() {
    fillList()
    model.removeSelected()
  }

  package func draw(_ product: ViewedProduct, in row: ListRow, on canvas: inout Canvas) {
    let place = product.market.key == navigator.market ? nil : market(of: product)
    ListLine(
      text: SafeText(product.name),
      remark: [place, price(of: product), time(of: product)].compactMap(\.self)
        .joined(separator: " · "),
      isNumbered: false
    ).draw(in: row, on: &canvas)
  }

  package func facts(of product: ViewedProduct) -> [ListFact] {
    let (strings, theme) = (context.strings, context.theme)
    let viewed = strings(
      .historyViewed, DateText.text(product.viewed, now: context.now, strings))
    return [
      ListFact(text: SafeText(product.name), style: theme.strong),
      ListFact(text: price(of: product), style: theme.text),
      ListFact(text: market(of: product) + " · " + viewed, style: theme.secondary),
    ]
  }

  private func price(of product: ViewedProduct) -> SafeText {
    product.price.map(MoneyText.text) ?? context.strings[.priceUnreadable]
  }

  private func market(of product: ViewedProduct) -> SafeText {
    product.market.name.map { SafeText($0) } ?? context.strings[.marketLocal]
  }

  /// Time of day for today and yesterday, whose headings name the day; else the date.
  private func time(of product: ViewedProduct) -> SafeText {
    let (now, zone) = (context.now, TimeZone.local)
    return zone.day(of: product.viewed) >= zone.day(of: now) - 1
      ? DateText.time(product.viewed) : DateText.day(product.viewed, now: now, context.strings)
  }
}

extension SharedBindings {
  /// Key that opens the list of viewed products.
  static func history<V: LayerView>() -> Binding<V> {
    Binding(
      "history", ["H", .function(4)], .historyTitle, when: { $0.navigator.program.personal != nil }
    ) { HistoryModel.open(on: $0.navigator) }
    .grouped(.browse)
  }
}
