internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// History of a product's price: as one line of blocks with the last change and the number of prices,
/// and as amounts with dates.
struct PriceHistoryLine {
  /// Prices with their dates, oldest first; empty where the price changed at most once.
  let prices: [(amount: SafeText, date: SafeText)]
  /// Price before the last change, with its age.
  let previous: SafeText
  let theme: Theme
  private let blocks: SafeText
  private let change: SafeText
  private let changeStyle: Style
  private let count: SafeText

  private static let levels = Array("▁▂▃▄▅▆▇█")
  private static let columns = 12
  private static let gap = 2
  /// Maximum prices written as amounts.
  private static let (mostPrices, mostLines) = (12, 2)

  /// Creates the line, with the shown price even where the history lacks it; nil where the price never
  /// changed.
  init?(_ history: PriceHistory?, of product: Product, _ context: RenderContext) {
    guard let history, history.id == product.id else { return nil }
    var points = history.points
    if let price = product.pricing.price?.toPay, price != points.last?.price {
      points.append(PricePoint(at: context.now, price: price))
    }
    let whole = PriceHistory(id: history.id, points: points)
    guard let (amount, moment) = whole.change, let before = whole.points.dropLast().last else {
      return nil
    }
    let strings = context.strings
    let isFall = amount.hundredths < 0
    let money = MoneyText.text(
      Money(hundredths: abs(amount.hundredths), currency: amount.currency))
    let age = AgeText.text(moment, now: context.now, strings)
    theme = context.theme
    changeStyle = isFall ? theme.accent : theme.secondary
    let isInWords = context.isPlain || context.hasASCIISymbols
    blocks = isInWords ? .empty : Self.blocks(whole, now: context.now)
    change =
      isInWords
      ? strings(isFall ? .priceFell : .priceRose, money, age)
      : (isFall ? "↓ " : "↑ ") + money + " " + age
    previous = strings(.previousPriceUntil, MoneyText.text(before.price), age)
    count = strings.counted(.pricesSeen, whole.points.count)
    prices = (whole.points.count > 2 ? whole.points.suffix(Self.mostPrices) : []).map { point in
      (MoneyText.text(point.price), DateText.recent(point.at, now: context.now, strings))
    }
  }

  /// Returns the amounts in lines, the latest ones where not all fit.
  func lines(columns: Int) -> [SafeText] {
    var prices = prices.map { $0.amount + " " + $0.date }[...]
    while true {
      let lines = DetailBlock.sideBySide(Array(prices), columns: columns)
      if lines.count <= Self.mostLines { return lines }
      prices.removeFirst()
    }
  }

  /// Lines of a table of amounts above their dates, beside a label; the latest ones where not all fit.
  func table(columns: Int, label: SafeText) -> [DetailBlock.Line] {
    let width = (prices.map { max($0.amount.columns, $0.date.columns) }.max() ?? 0) + Self.gap
    let start = label.columns + Self.labelGap
    let perLine = max(1, (columns - start + Self.gap) / width)
    let shown = Array(prices.suffix(perLine * Self.mostLines))
    let chunks = stride(from: 0, to: shown.count, by: perLine).map {
      shown[$0..<min($0 + perLine, shown.count)]
    }
    func line(
      _ texts: [SafeText], _ style: Style, after label: SafeText = .empty
    ) -> DetailBlock.Line {
      { [theme] canvas, row in
        canvas.write(label, at: row.origin, style: theme.secondary)
        for (position, text) in texts.enumerated() {
          canvas.write(text, at: row.origin.moved(columns: start + position * width), style: style)
        }
      }
    }
    return chunks.enumerated().flatMap { index, chunk in
      [
        line(chunk.map(\.amount), theme.text, after: index == 0 ? label : .empty),
        line(chunk.map(\.date), theme.secondary),
      ]
    }
  }

  private static let labelGap = 5

  func draw(on canvas: inout Canvas, in rect: CellRect) {
    var column = 0
    func add(_ text: SafeText, _ style: Style, isLast: Bool = false) {
      guard !text.isEmpty, !isLast || column + text.columns <= rect.columns else { return }
      canvas.write(
        text.truncated(toColumns: max(0, rect.columns - column)),
        at: rect.origin.moved(columns: column), style: style)
      column += text.columns + Self.gap
    }
    if Self.columns + Self.gap + change.columns <= rect.columns { add(blocks, theme.secondary) }
    add(change, changeStyle)
    add(count, theme.secondary, isLast: true)
  }

  private static func blocks(_ history: PriceHistory, now: Timestamp) -> SafeText {
    let top = Double(levels.count - 1)
    return SafeText(
      String(history.heights(count: columns, now: now).map { levels[Int(($0 * top).rounded())] }))
  }
}
