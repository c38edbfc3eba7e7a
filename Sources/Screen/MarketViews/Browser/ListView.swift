internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The products as rows: name, price, stock and age, each at its fixed place.
struct ListView {
  let browser: BrowserModel
  let rect: CellRect
  /// Whether the selection is among the products.
  var showsSelection = true
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    canvas.clipped(to: rect) { canvas in
      let columns = RowColumns(width: rect.columns, language: context.strings.language)
      let shown = browser.viewport.visibleWithCutRow
      for index in shown {
        let line = CellRect(
          column: 0, row: index - shown.lowerBound, columns: rect.columns - 1, rows: 1)
        ProductRow(
          listed: browser.feed.rows[index], line: line, columns: columns,
          isSelected: showsSelection && index == browser.viewport.selected, feed: browser.feed,
          context: context
        ).draw(on: &canvas)
      }
      let end = CellRect(size: rect.size).inset(left: 2, top: shown.count, right: 2)
      drawSkeleton(on: &canvas, in: end)
      FeedEnd(browser: browser, context: context).draw(on: &canvas, in: end)
    }
  }

  /// Rows in the shape of what is coming.
  private func drawSkeleton(on canvas: inout Canvas, in rect: CellRect) {
    guard browser.feed.awaitsRows, !context.isPlain else { return }
    for row in 0..<min(rect.rows, browser.feed.pageSize) {
      let line = rect.row(row).splitLeft(rect.columns * (3 + (row * 7) % 4) / 10).left
      canvas.fill(line, with: .lightDash, style: context.theme.rule)
    }
  }
}

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

  /// Draws the price, and the discount in percent where that leaves enough of the name, which has
  /// to end before the column that is returned.
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

/// Columns of the parts of a row; what has no room is left out, the price never.
struct RowColumns: Hashable {
  let name = 2
  /// The column behind the price's last digit.
  fileprivate let priceEnd: Int
  let stock: Int?
  /// The column behind the age.
  fileprivate let ageEnd: Int?

  private static let gap = 2
  /// What a name must keep for a discount to be shown beside it.
  private static let shortestName = 12

  /// Divides a row; the language's words decide how wide stock and age are.
  init(width: Int, language: Language) {
    let (stockWidth, ageWidth) = language == .korean ? (8, 9) : (9, 13)
    let showsStock = width >= 40
    let showsAge = width >= 52
    let end = width - 2
    ageEnd = showsAge ? end : nil
    let stockEnd = showsAge ? end - ageWidth - 1 : end
    stock = showsStock ? stockEnd - stockWidth : nil
    priceEnd = showsStock ? stockEnd - stockWidth - Self.gap : end
  }

  /// Whether enough of a name is left that ends before this column.
  fileprivate func leavesName(before column: Int) -> Bool { column - 1 - name >= Self.shortestName }
}
