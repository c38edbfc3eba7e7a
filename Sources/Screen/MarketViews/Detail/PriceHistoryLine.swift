internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// The prices at which a product was seen as one line: blocks as high as they were, the last change with
/// its age, and the first and the last day where there is room.
struct PriceHistoryLine {
  private let blocks: SafeText
  private let change: SafeText
  private let changeStyle: Style
  private let days: SafeText
  private let theme: Theme

  private static let levels = Array("▁▂▃▄▅▆▇█")
  private static let count = 12
  private static let gap = 2

  /// Takes the price that is shown beside it, which may not be noted yet; nil where the price never
  /// changed.
  init?(_ history: PriceHistory?, of product: Product, _ context: RenderContext) {
    guard let history, history.id == product.id else { return nil }
    var points = history.points
    if let price = product.pricing.price?.toPay, price != points.last?.price {
      points.append(PricePoint(at: context.now, price: price))
    }
    let whole = PriceHistory(id: history.id, points: points)
    guard let (amount, moment) = whole.change, let first = whole.points.first else { return nil }
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
    let (from, to) = (first.at, moment)
    let texts = [from, to].map { DateText.day($0, now: context.now, strings) }
    days = texts[0] == texts[1] ? .empty : texts[0] + " – " + texts[1]
  }

  func draw(on canvas: inout Canvas, in rect: CellRect) {
    var column = 0
    func add(_ text: SafeText, _ style: Style, isLast: Bool = false) {
      guard !text.isEmpty, !isLast || column + text.columns <= rect.columns else { return }
      canvas.write(
        text.truncated(toColumns: max(0, rect.columns - column)),
        at: rect.origin.moved(columns: column), style: style)
      column += text.columns + Self.gap
    }
    if Self.count + Self.gap + change.columns <= rect.columns { add(blocks, theme.secondary) }
    add(change, changeStyle)
    add(days, theme.secondary, isLast: true)
  }

  private static func blocks(_ history: PriceHistory, now: Timestamp) -> SafeText {
    let top = Double(levels.count - 1)
    return SafeText(
      String(history.heights(count: count, now: now).map { levels[Int(($0 * top).rounded())] }))
  }
}
