internal import MarketModel
import MarketStrings
internal import SafeTextKit
internal import TerminalKit

/// A price as spans: the one to pay, the old one struck through, and the discount in percent.
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
    [move?.text, old.map { shown($0, context) }, percent].compactMap(\.self)
      .reduce(toPay.columns) { $0 + gap + $1.columns }
  }

  /// The old price, in brackets where nothing can be struck through.
  private func shown(_ old: SafeText, _ context: RenderContext) -> SafeText {
    context.theme.strikesThrough ? old : "(" + old + ")"
  }

  /// Draws the price to pay and what fits beside it: the old one, or else the percentage, or both.
  ///
  /// Where nothing can be struck through or coloured the old price stands in brackets.
  func draw(
    on canvas: inout Canvas, at point: CellPoint, columns: Int, withPercent: Bool,
    gap: Int = 1, _ context: RenderContext
  ) {
    canvas.write(toPay, at: point, style: toPayStyle)
    var used = toPay.columns
    if let move, used + gap + move.text.columns <= columns {
      canvas.write(
        move.text, at: point.moved(columns: used + gap), style: move.style(context.theme))
      used += gap + move.text.columns
    }
    guard let old else { return }
    let shownOld = shown(old, context)
    let showsOld = used + gap + shownOld.columns <= columns
    if showsOld {
      canvas.write(
        shownOld, at: point.moved(columns: used + gap), style: context.theme.oldPrice)
      used += gap + shownOld.columns
    }
    guard withPercent || !showsOld, let percent, used + gap + percent.columns <= columns else {
      return
    }
    canvas.write(percent, at: point.moved(columns: used + gap), style: context.theme.warning)
  }
}
