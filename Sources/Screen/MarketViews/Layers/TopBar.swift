internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The first row: the program, the market and its count, and at the right the order and filter.
struct TopBar {
  let navigator: Navigator
  /// What stands instead of the market's name.
  let title: WindowTitle?
  let rect: CellRect
  let context: RenderContext

  private static let program: SafeText = "OpenMarket"

  /// A piece of what the bar says, with how much would be missed without it.
  private struct Part {
    let text: SafeText
    let weight: Weight

    enum Weight {
      case usual, order, count, chosen, essential

      /// The order in which they go.
      static let dispensable: [Weight] = [.usual, .order, .count, .chosen]
    }
  }

  func draw(on canvas: inout Canvas) {
    let theme = context.theme
    canvas.fill(rect, style: theme.bar)
    canvas.write(Self.program, at: CellPoint(column: 1, row: 0), style: theme.barAccent)
    let start = Self.program.columns + 3
    let (left, right) = texts(columns: rect.columns - start - 1)
    canvas.write(left, at: CellPoint(column: start, row: 0), style: theme.barSecondary)
    canvas.write(
      right, at: CellPoint(column: rect.columns - 1 - right.columns, row: 0),
      style: theme.barSecondary)
  }

  /// Both texts with as many whole parts as fit, those of little weight left out first.
  private func texts(columns: Int) -> (left: SafeText, right: SafeText) {
    var (left, right) = (leftParts, rightParts)
    func joined(_ parts: [Part]) -> SafeText { parts.map(\.text).joined(separator: " · ") }
    func room() -> Int { columns - 2 - spinner.columns - joined(right).columns }
    for weight in Part.Weight.dispensable where joined(left).columns > room() {
      left.removeAll { $0.weight == weight }
      right.removeAll { $0.weight == weight }
    }
    return (joined(left).truncated(toColumns: max(0, room())), spinner + joined(right))
  }

  private var leftParts: [Part] {
    if let title { return [Part(text: title.text, weight: .essential)] }
    let market = navigator.marketName ?? context.strings[.marketLocal]
    return [Part(text: market, weight: .essential)]
      + [count.map { Part(text: $0, weight: .count) }, age.map { Part(text: $0, weight: .chosen) }]
      .compactMap(\.self)
  }

  /// How old the rows are where the market itself has not answered.
  private var age: SafeText? {
    navigator.browser.feed.seenAt.map { seconds in
      let age = AgeText.text(Timestamp(seconds: seconds), now: context.now, context.strings)
      return context.strings(.seenAgo, age)
    }
  }

  private var count: SafeText? {
    switch navigator.browser.feed.total {
    case .exactly(let count): context.strings.counted(.productCount, count)
    case .atLeast(let count): context.strings.counted(.productCountAtLeast, count)
    case .unknown: nil
    }
  }

  private var rightParts: [Part] {
    if let note = title?.note { return note.isEmpty ? [] : [Part(text: note, weight: .usual)] }
    let strings = context.strings
    let query = navigator.browser.feed.query
    let text = SafeText(query.text).truncated(toColumns: max(8, rect.columns / 4))
    let filters = ProductFilter.allCases.filter(query.filters.contains)
    let order = strings[query.order.phrase]
    return (text.isEmpty ? [] : [Part(text: "“" + text + "”", weight: .chosen)])
      + [Part(text: order, weight: query.order == .newest ? .order : .chosen)]
      + (query.seller == nil ? [] : [Part(text: strings[.filterMine], weight: .chosen)])
      + filters.map { Part(text: strings[$0.phrase], weight: .chosen) }
      + (filters.isEmpty ? [Part(text: strings[.filterAll], weight: .usual)] : [])
  }

  /// Stands before the right text while something is on its way.
  private var spinner: SafeText {
    // A plain screen moves by keys and answers alone.
    if context.isPlain { return .empty }
    let browser = navigator.browser
    return browser.spinner.isShown || browser.detail.spinner.isShown ? "… " : .empty
  }
}
