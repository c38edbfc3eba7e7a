internal import MarketModel
import MarketStrings
internal import SafeTextKit
internal import TerminalKit

/// A price as spans: the one to pay, the old one struck through with the discount in percent, and what
/// it was when somebody last saw it.
///
/// What is sold says so in its place; that something is reserved stands in the place of the percentage.
struct PriceLine {
  /// The price to pay; it is never cut.
  let toPay: SafeText
  let toPayStyle: Style
  /// The percentage, or that it is reserved.
  let badge: SafeText?
  let badgeStyle: Style
  /// Where the price is reduced: the full one.
  private let old: SafeText?
  private let isReserved: Bool
  /// Where the price moved since it was last seen: how.
  private let move: PriceChange?

  /// Takes a product, whose price among many others is not marked itself where it is reduced, and how
  /// it moved.
  ///
  /// One that is shown alone says elsewhere that it is reserved.
  init(
    _ product: Product, _ context: RenderContext, marksReduced: Bool = true,
    badgesReserved: Bool = true, move: PriceChange? = nil
  ) {
    let theme = context.theme
    isReserved = product.isReserved && badgesReserved
    let reserved = isReserved ? Self.reserved(context) : nil
    guard !product.isSoldOut, let price = product.pricing.price else {
      toPay = context.strings[product.isSoldOut ? .soldOut : .priceUnreadable]
      toPayStyle = product.isSoldOut ? theme.secondary : theme.warning
      (badge, badgeStyle, old, self.move) = (reserved, theme.accent, nil, nil)
      return
    }
    self.move = move
    toPay = MoneyText.text(price.toPay)
    toPayStyle = price.isReduced && marksReduced ? theme.reducedPrice : theme.price
    old = price.isReduced ? MoneyText.text(price.full) : nil
    badge =
      reserved
      ?? (price.isReduced
        ? context.strings.counted(.discountPercent, price.discountPercent) : nil)
    badgeStyle = isReserved ? theme.accent : theme.warning
  }

  /// That something is reserved, in brackets where no colour tells it from the words around.
  static func reserved(_ context: RenderContext) -> SafeText {
    let word = context.strings[ProductFilter.reserved.phrase]
    return context.theme.tellsByColor ? word : "[" + word + "]"
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

  /// The old price, or else the badge, or both; that it is reserved is never left out for the old price.
  private func reduction(columns: Int, withPercent: Bool, gap: Int, _ theme: Theme) -> [Span] {
    guard let badge else { return [] }
    let share: Span = (badge, badgeStyle)
    let former: [Span] =
      old.map {
        [(theme.strikesThrough ? $0 : "(" + $0 + ")", theme.oldPrice)]
      } ?? []
    let choices =
      isReserved
      ? [former + [share], [share]]
      : withPercent ? [former + [share], former, [share]] : [former, [share]]
    return choices.first { Self.columns(of: $0, gap) <= columns } ?? []
  }

  /// What it was, unless the old price says that already.
  private func former(_ context: RenderContext) -> Span? {
    guard let move, MoneyText.text(move.former) != old else { return nil }
    return (move.text(context.strings), move.style(context.theme))
  }
}
