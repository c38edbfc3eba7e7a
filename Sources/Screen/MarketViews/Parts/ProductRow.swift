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
      let stockStart = drawStock(line: 0, before: priceStart, on: &canvas)
      drawName(endingBefore: drawFacts(before: stockStart, on: &canvas), on: &canvas)
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
    if let badge = price.badge {
      if badge.columns <= columns.badgeWidth {
        canvas.write(
          badge, at: position(columns.priceEnd + RowColumns.badgeGap, 0),
          style: rowStyle(price.badgeStyle))
      } else if product.isReserved {
        start = draw(badge, endingAt: start - 1, price.badgeStyle, on: &canvas)
      }
    }
    return product.isSoldOut ? start : drawPreviousPrice(endingBefore: start, on: &canvas)
  }

  /// Draws the previous price where the name keeps two fifths of the row; returns the first column of the
  /// prices.
  private func drawPreviousPrice(endingBefore end: Int, on canvas: inout Canvas) -> Int {
    guard let move = words.move, !context.isPlain,
      end - 2 - move.text(context.strings).columns >= RowColumns.name + rect.columns * 2 / 5
    else { return end }
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

  /// Draws a stock above one where there is room before `next`; returns the column that ends the text
  /// before it.
  private func drawStock(line: Int, before next: Int, on canvas: inout Canvas) -> Int {
    guard let end = columns.stockEnd, let stock = words.stock, line > 0 || end < next else {
      return next
    }
    return draw(stock, endingAt: min(end, next - 2), line: line, theme.secondary, on: &canvas)
  }

  /// Draws condition and place of a one-line row where these have a column; returns the column that
  /// ends the text before them.
  private func drawFacts(before next: Int, on canvas: inout Canvas) -> Int {
    guard let start = columns.factsStart, start < next else { return next }
    let facts = words.facts(columns: next - 1 - start)
    guard !facts.isEmpty else { return next }
    canvas.write(facts, at: position(start, 0), style: rowStyle(theme.secondary))
    return start - 1
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

/// Columns of a row's parts, counted from the selection bar; parts that would leave too little of the
/// name are left out, except the price.
struct RowColumns: Hashable {
  static let name = 2
  /// Blank columns between the price and its badge.
  static let badgeGap = 2
  /// First column of condition and place in a one-line row; nil without room.
  let factsStart: Int?
  let stockEnd: Int?
  let priceEnd: Int
  /// Columns of the badge after the price; 0 without room.
  ///
  /// A longer badge is drawn before the price.
  let badgeWidth: Int
  let ageEnd: Int?
  /// Columns of the age with a blank one.
  let ageWidth: Int

  /// Blank column at the right, as in the bars.
  private static let margin = 1
  /// Columns of most prices; a longer one takes from the name.
  private static let priceWidth = 10
  /// Minimum columns of the name beside long ages, condition and place.
  private static let roomyName = 44
  /// Minimum and maximum columns of condition and place with a blank one.
  private static let factsWidth = 14...30

  private enum Part: CaseIterable {
    case badge, age, stock

    /// Returns the columns with the blank ones: 25% or Reserved, 23시간 or today, ×999.
    func width(isRoomy: Bool, _ context: RenderContext) -> Int {
      switch self {
      case .badge: badgeGap + (isRoomy ? PriceLine.reserved(context).columns : 3)
      case .stock: 5
      case .age: context.strings.language == .korean ? 7 : 6
      }
    }
  }

  /// Columns of a long age with a blank one: 23h ago.
  private static func wordyAge(_ language: Language) -> Int { language == .korean ? 11 : 10 }
  /// Columns of the longest age with a blank one: listed just now.
  private static func longestAge(_ language: Language) -> Int { language == .korean ? 15 : 17 }

  /// Divides a one-line row.
  ///
  /// Stock, age and badge are left out, in this order, where the name would get less than two fifths.
  init(width: Int, _ context: RenderContext) {
    var parts = Part.allCases
    let (whole, enough) = (width - Self.margin - Self.priceWidth - 1, Self.name + width * 2 / 5)
    var isRoomy = true
    func columns(of part: Part) -> Int { part.width(isRoomy: isRoomy, context) }
    func rest() -> Int { whole - parts.map(columns).reduce(0, +) }
    isRoomy = rest() >= enough
    while !parts.isEmpty, rest() < enough { parts.removeLast() }
    let spare = rest() - Self.name - Self.roomyName
    let facts = spare < Self.factsWidth.lowerBound ? 0 : min(spare, Self.factsWidth.upperBound)
    let usual = columns(of: .age)
    let wordy = Self.wordyAge(context.strings.language)
    let ageWidth = spare - facts - (wordy - usual) < 0 ? usual : wordy
    var end = width - Self.margin
    func take(_ part: Part, _ wanted: Int? = nil) -> Int? {
      guard parts.contains(part) else { return nil }
      defer { end -= wanted ?? columns(of: part) }
      return end
    }
    self.ageWidth = ageWidth
    ageEnd = take(.age, ageWidth)
    badgeWidth = take(.badge) == nil ? 0 : columns(of: .badge) - Self.badgeGap
    priceEnd = end
    end -= Self.priceWidth + 1
    stockEnd = take(.stock)
    factsStart = facts == 0 ? nil : end - facts
  }

  /// Divides a one-line row without stock, whose name extends to the price.
  init(widthWithoutStock width: Int, _ context: RenderContext) {
    let columns = RowColumns(width: width, context)
    (badgeWidth, ageEnd, priceEnd) = (columns.badgeWidth, columns.ageEnd, columns.priceEnd)
    ageWidth = columns.ageWidth
    (factsStart, stockEnd) = (nil, nil)
  }

  /// Divides a two-line row, with stock, condition, place and age in the second line.
  init(widthOfTwoLines width: Int, _ context: RenderContext) {
    let end = width - Self.margin
    ageEnd = end
    ageWidth = Self.longestAge(context.strings.language)
    stockEnd = end - ageWidth
    let badge = Part.badge.width(isRoomy: true, context)
    badgeWidth = badge - Self.badgeGap
    priceEnd = end - badge
    factsStart = nil
  }
}
