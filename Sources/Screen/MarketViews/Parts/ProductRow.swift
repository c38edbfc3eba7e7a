internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// A product as a row of the list: one line, or two of the three beside a thumbnail.
struct ProductRow {
  /// What a row says, and in which columns.
  struct Content: Equatable {
    let listed: ListedProduct
    var marks = RowMarks()
    let columns: RowColumns
  }

  let content: Content
  /// Its lines.
  let rect: CellRect
  /// Where the bar of the selected row stands.
  let bar: CellRect
  /// What is marked of a selected one, where that is more than its lines.
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
    context.rows.draw(content, in: rect, on: &canvas, writing: write)
  }

  private func write(on canvas: inout Canvas) {
    let priceStart = drawPrice(on: &canvas)
    if rect.rows > 1 {
      drawName(endingBefore: priceStart, on: &canvas)
      let ageStart = drawAge(line: 1, on: &canvas)
      drawSeller(
        endingBefore: drawStock(line: 1, before: ageStart, on: &canvas), on: &canvas)
    } else {
      drawName(
        endingBefore: drawStock(line: 0, before: priceStart, on: &canvas), on: &canvas)
      drawAge(line: 0, on: &canvas)
    }
  }

  /// Draws the price to pay and by how much it is reduced, or that nothing is left to be bought, or
  /// there is no such product any more; gives the column where that begins.
  private func drawPrice(on canvas: inout Canvas) -> Int {
    if let fate = words.fate {
      return draw(fate, endingAt: columns.priceEnd, theme.warning, on: &canvas)
    }
    guard !product.isSoldOut else {
      return draw(
        context.strings[.soldOut], endingAt: columns.priceEnd, StockText.style(0, theme),
        on: &canvas)
    }
    let price = PriceLine(product.pricing, context, marksReduced: false)
    if let end = columns.percentEnd, let percent = price.percent {
      draw(percent, endingAt: end, theme.warning, on: &canvas)
    }
    return drawFormer(
      endingBefore: draw(
        price.toPay, endingAt: columns.priceEnd, price.toPayStyle, on: &canvas), on: &canvas)
  }

  /// Draws what it cost when it was last seen, where that leaves the name two fifths; gives the column
  /// where the prices begin.
  private func drawFormer(endingBefore end: Int, on canvas: inout Canvas) -> Int {
    guard let move = words.move, !context.isPlain,
      end - 2 - move.text(context.strings).columns >= RowColumns.name + rect.columns * 2 / 5
    else { return end }
    return draw(move.text(context.strings), endingAt: end - 1, move.style(theme), on: &canvas)
  }

  private func drawName(endingBefore end: Int, on canvas: inout Canvas) {
    let end = end - 1
    let style = look(words.nameStyle)
    if let sign = words.sign {
      // The bar of the selected row may stand in the first cell.
      canvas.write(sign.text, at: position(rect.rows > 1 ? 0 : 1, 0), style: look(sign.style))
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
      style: look(theme.secondary))
  }

  /// Draws the stock where it is worth a word and has room before a column; gives the one that ends what
  /// stands before both.
  private func drawStock(line: Int, before next: Int, on canvas: inout Canvas) -> Int {
    guard let end = columns.stockEnd, end < next, let stock = words.stock else { return next }
    return draw(stock, endingAt: end, line: line, theme.secondary, on: &canvas)
  }

  /// Gives the column where the age begins.
  @discardableResult
  private func drawAge(line: Int, on canvas: inout Canvas) -> Int {
    guard let end = columns.ageEnd else { return rect.columns }
    let (age, style) = words.age(columns: columns.ageWidth - 1)
    return draw(age, endingAt: end, line: line, style, on: &canvas)
  }

  /// Draws a text before a column and gives the one where it begins.
  @discardableResult
  private func draw(
    _ text: SafeText, endingAt end: Int, line: Int = 0, _ style: Style, on canvas: inout Canvas
  ) -> Int {
    canvas.write(text, at: position(end - text.columns, line), style: look(style))
    return end - text.columns
  }

  private func position(_ column: Int, _ line: Int) -> CellPoint {
    rect.origin.moved(columns: column, rows: line)
  }

  private func look(_ style: Style) -> Style { isSelected ? theme.selected(style) : style }
}

/// Columns of the parts of a row, counted from the bar of the selected one; what would leave too
/// little of the name has none, the price never.
struct RowColumns: Hashable {
  static let name = 2
  let stockEnd: Int?
  let priceEnd: Int
  let percentEnd: Int?
  let ageEnd: Int?
  /// Its columns with a blank one.
  let ageWidth: Int

  /// The column that stays free at the right, as in the bars.
  private static let margin = 1
  /// What most prices take; a longer one takes from the name.
  private static let priceWidth = 10
  /// What the name keeps where ages are said in words.
  private static let roomyName = 44

  private enum Part {
    case percent, age, stock

    /// Its columns with a blank one: 25%, 23시간 or today, ×999.
    func width(_ language: Language) -> Int {
      switch self {
      case .percent, .stock: 5
      case .age: language == .korean ? 7 : 6
      }
    }
  }

  /// Columns of an age in words, with a blank one: 23h ago.
  private static func wordyAge(_ language: Language) -> Int { language == .korean ? 11 : 10 }
  /// The same where it says of what: listed just now.
  private static func longestAge(_ language: Language) -> Int { language == .korean ? 15 : 17 }

  /// Divides a row of one line.
  ///
  /// Stock, age and percentage go, in this order, where they would leave the name less than two fifths
  /// of it.
  init(width: Int, language: Language) {
    var parts: [Part] = [.percent, .age, .stock]
    let (whole, enough) = (width - Self.margin - Self.priceWidth - 1, Self.name + width * 2 / 5)
    func rest() -> Int { whole - parts.map { $0.width(language) }.reduce(0, +) }
    while !parts.isEmpty, rest() < enough { parts.removeLast() }
    let usual = Part.age.width(language)
    let wordy = Self.wordyAge(language)
    let ageWidth = rest() - (wordy - usual) < Self.name + Self.roomyName ? usual : wordy
    var end = width - Self.margin
    func take(_ part: Part, _ columns: Int? = nil) -> Int? {
      guard parts.contains(part) else { return nil }
      defer { end -= columns ?? part.width(language) }
      return end
    }
    self.ageWidth = ageWidth
    ageEnd = take(.age, ageWidth)
    percentEnd = take(.percent)
    priceEnd = end
    end -= Self.priceWidth + 1
    stockEnd = take(.stock)
  }

  /// Divides a row of one line whose name goes on to the price, and which says no stock.
  init(widthWithoutStock width: Int, language: Language) {
    let columns = RowColumns(width: width, language: language)
    (percentEnd, ageEnd, priceEnd) = (columns.percentEnd, columns.ageEnd, columns.priceEnd)
    ageWidth = columns.ageWidth
    stockEnd = nil
  }

  /// Divides a row of two lines, with stock and age in the second one.
  init(widthOfTwoLines width: Int, language: Language) {
    let end = width - Self.margin
    ageEnd = end
    ageWidth = Self.longestAge(language)
    stockEnd = end - ageWidth
    percentEnd = end
    priceEnd = end - Part.percent.width(language)
  }
}
