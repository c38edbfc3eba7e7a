internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Row of a product in a list: one line, or two beside a thumbnail.
struct ProductRow {
  /// Contents of a row with their columns.
  struct Content: Equatable {
    let listed: ListedProduct
    var marks = RowMarks()
    let columns: RowColumns
  }

  let content: Content
  /// Area of the row's lines.
  let rect: CellRect
  /// Area of the selection bar.
  let bar: CellRect
  /// Area that the selection marks; nil is the row's lines.
  var ground: CellRect?
  let isSelected: Bool
  let context: RenderContext

  private var theme: Theme { context.theme }
  private var listed: ListedProduct { content.listed }
  private var product: Product { listed.product }
  private var columns: RowColumns { content.columns }
  private var words: ProductMarks {
    ProductMarks(product: product, marks: content.marks, context: context)
  }

  func draw(on canvas: inout Canvas) {
    guard !isSelected else {
      canvas.markSelected(ground ?? rect, bar: bar, theme)
      return write(on: &canvas)
    }
    context.rows.draw(
      content, of: listed.id, since: product.created, in: rect, on: &canvas, writing: write)
  }

  private func write(on canvas: inout Canvas) {
    let priceStart = drawPrice(on: &canvas)
    if rect.rows > 1 {
      drawName(endingBefore: priceStart, on: &canvas)
      let endStart = drawEnd(on: &canvas)
      drawSeller(
        endingBefore: drawStock(line: 1, before: endStart, on: &canvas), on: &canvas)
    } else {
      drawName(endingBefore: drawStock(line: 0, before: priceStart, on: &canvas), on: &canvas)
      drawFacts(on: &canvas)
      drawAge(on: &canvas)
    }
  }

  /// Draws the price to pay with its badge, or that the product is sold or gone; returns the first
  /// column.
  private func drawPrice(on canvas: inout Canvas) -> Int {
    if let fate = words.fate {
      return draw(fate, endingAt: columns.priceEnd, theme.warning, on: &canvas)
    }
    let price = PriceLine(product, context, marksReduced: false)
    var start = draw(price.toPay, endingAt: columns.priceEnd, price.toPayStyle, on: &canvas)
    if let old = price.old, old.columns <= columns.oldWidth {
      canvas.write(old, at: position(columns.priceEnd + 1, 0), style: rowStyle(theme.oldPrice))
    }
    if let badge = price.badge {
      if badge.columns <= columns.badgeWidth {
        canvas.write(
          badge, at: position(columns.oldEnd + 1, 0), style: rowStyle(price.badgeStyle))
      } else if product.isReserved {
        start = draw(badge, endingAt: start - 1, price.badgeStyle, on: &canvas)
      }
    }
    return product.isSoldOut ? start : drawPreviousPrice(endingBefore: start, on: &canvas)
  }

  /// Draws the previous price where the name keeps two fifths of the row beside it and the stock;
  /// returns the first column of the prices.
  private func drawPreviousPrice(endingBefore end: Int, on canvas: inout Canvas) -> Int {
    guard let move = words.move, !context.isPlain else { return end }
    let stock = rect.rows > 1 || columns.stockEnd == nil ? nil : words.stock
    let start = end - 1 - move.text(context.strings).columns
    let room = start - 1 - (stock.map { $0.columns + 1 } ?? 0)
    guard room >= RowColumns.name + RowColumns.minName(rect.columns) else { return end }
    return draw(move.text(context.strings), endingAt: end - 1, move.style(theme), on: &canvas)
  }

  private func drawName(endingBefore end: Int, on canvas: inout Canvas) {
    let end = end - 1
    let style = rowStyle(words.nameStyle)
    if let sign = words.sign {
      // The selection bar may be in the first cell.
      canvas.write(sign.text, at: position(rect.rows > 1 ? 0 : 1, 0), style: rowStyle(sign.style))
    }
    var start = RowColumns.name
    if let mark = words.mark {
      canvas.write(mark.text, at: position(start, 0), style: mark.style)
      start += mark.text.columns + 1
    }
    let name = words.prefix(hasAge: columns.ageEnd != nil) + listed.name
    canvas.write(
      name.truncated(toColumns: end - start), at: position(start, 0),
      style: isSelected ? style.adding(.bold) : style)
  }

  private func drawSeller(endingBefore end: Int, on canvas: inout Canvas) {
    canvas.write(
      listed.seller.truncated(toColumns: end - 1 - RowColumns.name),
      at: position(RowColumns.name, 1),
      style: rowStyle(theme.secondary))
  }

  /// Draws a stock above one before `next`; returns the column that ends the text before it.
  private func drawStock(line: Int, before next: Int, on canvas: inout Canvas) -> Int {
    guard let end = columns.stockEnd, let stock = words.stock else { return next }
    return draw(
      stock, endingAt: min(end, next - line - 1), line: line, theme.secondary, on: &canvas)
  }

  /// Draws condition and place of a one-line row where these have columns.
  private func drawFacts(on canvas: inout Canvas) {
    func write(_ text: SafeText?, _ place: Range<Int>) {
      canvas.write(
        (text ?? .empty).truncated(toColumns: place.count), at: position(place.lowerBound, 0),
        style: rowStyle(theme.secondary))
    }
    write(AdditionalFields.condition(of: product, context.strings), columns.condition)
    write(product.place.map { SafeText($0) }, columns.place)
  }

  private func drawAge(on canvas: inout Canvas) {
    guard let end = columns.ageEnd else { return }
    let (age, style) = words.age(columns: columns.ageWidth - 1)
    draw(age, endingAt: end, style, on: &canvas)
  }

  /// Draws condition, place and age at the end of the second line, as far as the seller's name leaves
  /// room; returns their first column.
  private func drawEnd(on canvas: inout Canvas) -> Int {
    guard let end = columns.ageEnd else { return rect.columns }
    let seller = min(listed.seller.columns, rect.columns * 2 / 5)
    let stock = words.stock.map { $0.columns + 2 } ?? 0
    let room = end - RowColumns.name - seller - stock - 2
    var (facts, age, style) = words.end(columns: room)
    if facts.isEmpty { (age, style) = words.age(columns: columns.ageWidth - 1) }
    let start = draw(age, endingAt: end, line: 1, style, on: &canvas)
    return draw(facts, endingAt: start, line: 1, theme.secondary, on: &canvas)
  }

  /// Draws a text that ends before a column; returns its first column.
  @discardableResult
  private func draw(
    _ text: SafeText, endingAt end: Int, line: Int = 0, _ style: Style, on canvas: inout Canvas
  ) -> Int {
    canvas.write(text, at: position(end - text.columns, line), style: rowStyle(style))
    return end - text.columns
  }

  private func position(_ column: Int, _ line: Int) -> CellPoint {
    rect.origin.moved(columns: column, rows: line)
  }

  private func rowStyle(_ style: Style) -> Style { isSelected ? theme.selected(style) : style }
}
