internal import MarketModel
import MarketStrings
internal import SafeTextKit
internal import TerminalKit

/// A price as spans: the one to pay, the old one struck through with the discount in percent, and what
/// it was when somebody last saw it.
struct PriceLine {
  /// The price to pay; it is never cut.
  let toPay: SafeText
  let toPayStyle: Style
  /// Where the price is reduced: the full one.
  let old: SafeText?
  let percent: SafeText?
  /// Where the price moved since it was last seen: how.
  private let move: PriceChange?

  /// Takes a price, which among many others is not marked itself where it is reduced, and how it moved.
  init(
    _ pricing: Pricing, _ context: RenderContext, marksReduced: Bool = true,
    move: PriceChange? = nil
  ) {
    self.move = move
    guard let price = pricing.price else {
      toPay = context.strings[.priceUnreadable]
      toPayStyle = context.theme.warning
      old = nil
      percent = nil
      return
    }
    toPay = MoneyText.text(price.toPay)
    toPayStyle =
      price.isReduced && marksReduced ? context.theme.reducedPrice : context.theme.price
    old = price.isReduced ? MoneyText.text(price.full) : nil
    percent =
      price.isReduced ? context.strings.counted(.discountPercent, price.discountPercent) : nil
  }

  /// The columns of all parts that are drawn with the percentage where there is room.
  func columns(gap: Int, _ context: RenderContext) -> Int {
    let parts =
      reduction(columns: .max, withPercent: true, gap: gap, context.theme)
      + [former(context)].compactMap(\.self)
    return toPay.columns + Self.columns(of: parts, gap)
  }

  /// Draws the price to pay and what fits beside it: the old one, or else the percentage, or both, and
  /// what it was before.
  ///
  /// Where not all of these fit, what it was says most. Where nothing can be struck through or coloured
  /// the old price stands in brackets.
  func draw(
    on canvas: inout Canvas, at point: CellPoint, columns: Int, withPercent: Bool,
    gap: Int = 1, _ context: RenderContext
  ) {
    canvas.write(toPay.truncated(toColumns: columns), at: point, style: toPayStyle)
    let room = columns - toPay.columns
    let reduction = reduction(columns: room, withPercent: withPercent, gap: gap, context.theme)
    var spans = reduction
    if let former = former(context), gap + former.text.columns <= room {
      spans = Self.columns(of: reduction + [former], gap) <= room ? reduction + [former] : [former]
    }
    var column = toPay.columns
    for span in spans {
      canvas.write(span.text, at: point.moved(columns: column + gap), style: span.style)
      column += gap + span.text.columns
    }
  }

  private typealias Span = (text: SafeText, style: Style)

  private static func columns(of spans: [Span], _ gap: Int) -> Int {
    spans.reduce(0) { $0 + gap + $1.text.columns }
  }

  /// The old price, or else the percentage, or both.
  private func reduction(columns: Int, withPercent: Bool, gap: Int, _ theme: Theme) -> [Span] {
    guard let old, let percent else { return [] }
    let price: Span = (theme.strikesThrough ? old : "(" + old + ")", theme.oldPrice)
    let share: Span = (percent, theme.warning)
    let choices = withPercent ? [[price, share], [price], [share]] : [[price], [share]]
    return choices.first { Self.columns(of: $0, gap) <= columns } ?? []
  }

  /// What it was, unless the old price says that already.
  private func former(_ context: RenderContext) -> Span? {
    guard let move, MoneyText.text(move.former) != old else { return nil }
    return (move.text(context.strings), move.style(context.theme))
  }
}
