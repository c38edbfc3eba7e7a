internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// A product as a row of the list.
struct ProductRow {
  let listed: ListedProduct
  let line: CellRect
  let columns: RowColumns
  let isSelected: Bool
  let feed: ProductFeed
  let context: RenderContext

  private var theme: Theme { context.theme }
  private var product: Product { listed.product }

  func draw(on canvas: inout Canvas) {
    if isSelected { canvas.markSelected(line, theme) }
    let nameEnd = drawPrice(on: &canvas)
    drawName(endingBefore: nameEnd, on: &canvas)
    if let stock = columns.stock {
      canvas.write(
        StockText.text(product, context.strings), at: place(stock),
        style: look(StockText.style(product, theme)))
    }
    if let ageEnd = columns.ageEnd {
      let (age, style) = AgeText.mark(of: product, in: feed, context)
      canvas.write(age, at: place(ageEnd - age.columns), style: look(style))
    }
  }

  /// Draws the price, and the discount in percent where that leaves enough of the name.
  ///
  /// - Returns: the column before which the name has to end.
  private func drawPrice(on canvas: inout Canvas) -> Int {
    let price = PriceLine(product.pricing, context)
    let start = columns.priceEnd - price.toPay.columns
    var nameEnd = start
    var style = price.toPayStyle
    if let percent = price.percent {
      let percentStart = start - 1 - percent.columns
      if columns.leavesName(before: percentStart) {
        nameEnd = percentStart
        canvas.write(percent, at: place(percentStart), style: look(theme.warning))
      } else {
        // Colour alone would not tell everybody.
        style = theme.price
      }
    }
    canvas.write(price.toPay, at: place(start), style: look(style))
    return nameEnd
  }

  private func drawName(endingBefore end: Int, on canvas: inout Canvas) {
    let style = look(product.isSoldOut ? theme.secondary : theme.text)
    canvas.write(
      listed.name.truncated(toColumns: end - 1 - columns.name), at: place(columns.name),
      style: isSelected ? style.adding(.bold) : style)
  }

  private func place(_ column: Int) -> CellPoint { line.origin.moved(columns: column) }

  private func look(_ style: Style) -> Style { isSelected ? theme.selected(style) : style }
}

extension AgeText {
  /// The age of a product in a list, or that it was registered just now and stands on top for that.
  static func mark(
    of product: Product, in feed: ProductFeed, _ context: RenderContext
  ) -> (text: SafeText, style: Style) {
    if product.id == feed.newlyRegistered {
      return (context.strings[.ageNew], context.theme.accent.adding(.bold))
    }
    return (
      AgeText.text(product.created, now: context.now, context.strings), context.theme.secondary
    )
  }
}
