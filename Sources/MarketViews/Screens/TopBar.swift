internal import MarketModel
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The first row: the program, the market and its count, and at the right the order and filter.
struct TopBar {
  let navigator: Navigator
  let rect: CellRect
  let context: RenderContext

  private static let program: SafeText = "OpenMarket"

  func draw(on canvas: inout Canvas) {
    let theme = context.theme
    canvas.fill(rect, style: theme.bar)
    let right = rightText.truncated(toColumns: max(0, rect.columns - 2))
    let rightStart = rect.columns - 1 - right.columns
    let room = rightStart - 2
    let showsRight = room >= Self.program.columns
    if showsRight {
      canvas.write(right, at: CellPoint(column: rightStart, row: 0), style: theme.barSecondary)
    }
    canvas.write(Self.program, at: CellPoint(column: 1, row: 0), style: theme.barAccent)
    let start = Self.program.columns + 3
    let left = leftText.truncated(toColumns: (showsRight ? room : rect.columns - 1) - start + 1)
    canvas.write(left, at: CellPoint(column: start, row: 0), style: theme.barSecondary)
  }

  private var leftText: SafeText {
    if let form = navigator.selling?.form { return title(of: form) }
    let market = navigator.marketName ?? context.strings[.marketLocal]
    return [market, count, age].compactMap(\.self).joined(separator: " · ")
  }

  /// How old the rows are where the market itself has not answered.
  private var age: SafeText? {
    navigator.browser.feed.seenAt.map { seconds in
      let age = AgeText.text(Timestamp(seconds: seconds), now: context.now, context.strings)
      return context.strings(.seenAgo, age)
    }
  }

  /// What the form is for: a new product and who sells it, or the product's name.
  private func title(of form: ProductForm) -> SafeText {
    switch form.purpose {
    case .registration:
      let title = context.strings[.titleRegistration]
      return navigator.selling?.seller.map { title + " · " + SafeText($0.name) } ?? title
    case .edit(let detail):
      return context.strings[.titleEdit] + " · " + SafeText(detail.product.name)
    }
  }

  private var savedText: SafeText {
    guard let savedAt = navigator.selling?.savedAt else { return .empty }
    return context.strings(.formSaved, DateText.time(savedAt))
  }

  private var count: SafeText? {
    switch navigator.browser.feed.total {
    case .exactly(let count): context.strings.counted(.productCount, count)
    case .atLeast(let count): context.strings.counted(.productCountAtLeast, count)
    case .unknown: nil
    }
  }

  private var rightText: SafeText {
    if navigator.selling?.form != nil { return savedText }
    let strings = context.strings
    let query = navigator.browser.feed.query
    let filters = ProductFilter.allCases.filter(query.filters.contains)
      .map { strings[$0.phrase] }
    let words =
      (query.text.isEmpty ? [] : ["“" + SafeText(query.text) + "”"]) + [strings[query.order.phrase]]
      + (query.seller == nil ? [] : [strings[.filterMine]])
      + (filters.isEmpty ? [strings[.filterAll]] : filters)
    let text = words.joined(separator: " · ")
    let browser = navigator.browser
    return browser.spinner.isShown || browser.detail.spinner.isShown ? "… " + text : text
  }
}

extension ProductOrder {
  var phrase: Phrase {
    switch self {
    case .newest: .orderNewest
    case .cheapest: .orderCheapest
    case .dearest: .orderDearest
    case .mostReduced: .orderMostReduced
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
