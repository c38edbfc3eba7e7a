internal import MarketModel
import MarketStrings
internal import SafeTextKit
internal import TerminalKit

/// Texts of a price: the price to pay, the struck-through full price with the discount in percent, and
/// the price when last seen.
///
/// A sold product has "sold" in place of the price; "reserved" replaces the percentage.
struct PriceLine {
  /// Price to pay.
  let toPay: SafeText
  let toPayStyle: Style
  /// Percentage, or "reserved"; nil for neither.
  let badge: SafeText?
  let badgeStyle: Style
  /// Full price where it is reduced, in brackets without strikethrough; nil otherwise.
  let old: SafeText?
  private let full: SafeText?
  private let isReserved: Bool
  /// Change since the price was last seen; nil without one.
  private let move: PriceChange?

  /// Creates the texts of a product's price; `marksReduced` is false where the reduced price has no
  /// style of its own, as in lists.
  ///
  /// `badgesReserved` is false where "reserved" is shown elsewhere.
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
      (badge, badgeStyle, self.move) = (reserved, theme.accent, nil)
      (old, full) = (nil, nil)
      return
    }
    self.move = move
    toPay = MoneyText.text(price.toPay)
    toPayStyle = price.isReduced && marksReduced ? theme.reducedPrice : theme.price
    full = price.isReduced ? MoneyText.text(price.full) : nil
    old = full.map { theme.strikesThrough ? $0 : "(" + $0 + ")" }
    badge =
      reserved
      ?? (price.isReduced
        ? context.strings.counted(.discountPercent, price.discountPercent) : nil)
    badgeStyle = isReserved ? theme.accent : theme.warning
  }

  /// Returns "reserved", in brackets where no colour sets it off.
  static func reserved(_ context: RenderContext) -> SafeText {
    let word = context.strings[ProductFilter.reserved.phrase]
    return context.theme.tellsByColor ? word : "[" + word + "]"
  }

  /// Returns the columns of all parts.
  func columns(gap: Int, _ context: RenderContext) -> Int {
    let parts =
      reduction(columns: .max, withPercent: true, gap: gap, context.theme)
      + [previous(context)].compactMap(\.self)
    return toPay.columns + Self.columns(of: parts, gap)
  }

  /// Draws the price to pay and the parts that fit beside it: full price, or percentage, or both, and
  /// the previous price.
  ///
  /// Where not all fit, the previous price has precedence. Without strikethrough the full price is in
  /// brackets.
  func draw(
    on canvas: inout Canvas, at point: CellPoint, columns: Int, withPercent: Bool,
    gap: Int = 1, _ context: RenderContext
  ) {
    canvas.write(toPay.truncated(toColumns: columns), at: point, style: toPayStyle)
    let room = columns - toPay.columns
    let reduction = reduction(columns: room, withPercent: withPercent, gap: gap, context.theme)
    var spans = reduction
    if let previous = previous(context), gap + previous.text.columns <= room {
      spans =
        Self.columns(of: reduction + [previous], gap) <= room ? reduction + [previous] : [previous]
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

  /// Full price, badge, or both; the badge "reserved" is never left out for the full price.
  private func reduction(columns: Int, withPercent: Bool, gap: Int, _ theme: Theme) -> [Span] {
    guard let badge else { return [] }
    let share: Span = (badge, badgeStyle)
    let previous: [Span] = old.map { [($0, theme.oldPrice)] } ?? []
    let choices =
      isReserved
      ? [previous + [share], [share]]
      : withPercent ? [previous + [share], previous, [share]] : [previous, [share]]
    return choices.first { Self.columns(of: $0, gap) <= columns } ?? []
  }

  /// Previous price; nil where the full price says the same.
  private func previous(_ context: RenderContext) -> Span? {
    guard let move, MoneyText.text(move.previous) != full else { return nil }
    return (move.text(context.strings), move.style(context.theme))
  }
}
