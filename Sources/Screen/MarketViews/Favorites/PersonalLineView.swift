internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Row of the list of personal data: a product as in lists, or a name with remarks.
struct PersonalLineView {
  let line: PersonalLine
  let model: PersonalListModel
  let row: ListRow
  /// Columns of the markets' names; 0 where all are of one market.
  let marketColumns: Int
  /// Shown market, whose name is left out.
  let here: Navigator

  private var rect: CellRect { row.rect }
  private var isSelected: Bool { row.isSelected }
  private var context: RenderContext { row.context }

  /// Maximum columns of a market's name, and minimum columns of a row that shows it.
  private static let (maxMarketColumns, widthWithMarket) = (16, 72)
  /// Blank columns on both sides of a market's name.
  private static let marketMargins = 2

  /// Returns the columns of the markets' names with margins; 0 for a single market.
  static func marketColumns(for markets: Set<FavoriteMarket>, _ context: RenderContext) -> Int {
    guard markets.count > 1 else { return 0 }
    let names = markets.map { PersonalFacts.name(of: $0, context).columns }
    return min(names.max() ?? 0, maxMarketColumns) + marketMargins
  }

  func draw(on canvas: inout Canvas) {
    switch line {
    case .product(let id):
      if let product = model.product(id) {
        draw(product, on: &canvas)
      } else {
        drawShape(on: &canvas)
      }
    case .seller(let id):
      guard let seller = model.seller(id) else { return drawShape(on: &canvas) }
      draw(SafeText(seller.seller.name), SafeText(seller.note), on: &canvas)
      drawMarket(seller.market, on: &canvas)
    case .search(let search):
      draw(SafeText(search.name), SafeText(search.text), on: &canvas)
    case .triggered(let triggered):
      let name = AlertText.mark(of: triggered) + AlertText.name(of: triggered, context.strings)
      draw(name, [AlertText.price(of: triggered, context.strings), market], on: &canvas)
    case .alert(let alert):
      let facts = [
        AlertText.condition(alert.condition, context.strings),
        PersonalFacts.silence(of: alert, model, context), market,
      ]
      draw("  " + SafeText(alert.name), facts, on: &canvas)
    case .viewed(let product):
      let facts = [market, PersonalFacts.price(of: product, context), time(of: product)]
      draw(SafeText(product.name), facts, on: &canvas)
    }
  }

  /// Name of another market than the shown one; nil for that.
  private var market: SafeText? {
    if let market = model.favoriteMarket(of: line) {
      return market.key == here.market ? nil : PersonalFacts.name(of: market, context)
    }
    let market = model.market(of: line)
    return market?.key == here.market ? nil : market?.name ?? context.strings[.marketLocal]
  }

  /// Time of day for today and yesterday, whose headings name the day; else the date.
  private func time(of product: ViewedProduct) -> SafeText {
    let (now, zone) = (context.now, TimeZone.local)
    return zone.day(of: product.viewed) >= zone.day(of: now) - 1
      ? DateText.time(product.viewed) : DateText.day(product.viewed, now: now, context.strings)
  }

  private func draw(_ name: SafeText, _ facts: [SafeText?], on canvas: inout Canvas) {
    let remark = facts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")
    ListLine(text: name, remark: remark, isNumbered: false).draw(in: row, on: &canvas)
  }

  private var room: CellRect {
    rect.columns >= Self.widthWithMarket ? rect.inset(right: marketColumns) : rect
  }

  private func draw(_ product: FavoriteRow, on canvas: inout Canvas) {
    var marks = RowMarks()
    marks.fate = product.favorite.gone.map { .gone(since: $0) }
    marks.previousPrice = model.previousPrice(of: product.favorite.id)
    if model.removed.contains(line.id) { marks.fate = .removed }
    let columns = RowColumns(widthWithoutStock: room.columns, context)
    ProductRow(
      content: .init(listed: product.listed, marks: marks, columns: columns),
      rect: room, bar: rect.inset(right: rect.columns - 1), ground: rect, isSelected: isSelected,
      context: context
    ).draw(on: &canvas)
    if marks.fate == nil, marks.previousPrice == nil { drawNote(of: product, columns, on: &canvas) }
    drawMarket(product.favorite.market, on: &canvas)
  }

  /// Draws a note after the name where there is room before the price.
  private func drawNote(of product: FavoriteRow, _ columns: RowColumns, on canvas: inout Canvas) {
    let start = RowColumns.name + product.listed.name.columns + 2
    let end = columns.priceEnd - Self.priceColumns
    guard end - start >= Self.leastNoteColumns else { return }
    canvas.write(
      product.note.truncated(toColumns: end - start), at: rect.origin.moved(columns: start),
      style: row.rowStyle(context.theme.secondary))
  }

  /// Columns reserved for a price, and minimum columns of a note.
  private static let (priceColumns, leastNoteColumns) = (13, 6)

  /// Draws a name with a remark.
  private func draw(
    _ name: SafeText, _ more: SafeText, on canvas: inout Canvas
  ) {
    let theme = context.theme
    if isSelected { canvas.markSelected(rect, theme) }
    let isRemoved = model.removed.contains(line.id)
    let style = isRemoved ? theme.oldPrice : isSelected ? theme.strong : theme.text
    let name = name.truncated(toColumns: max(0, room.columns - RowColumns.name - 1))
    canvas.write(name, at: rect.origin.moved(columns: RowColumns.name), style: row.rowStyle(style))
    let start = RowColumns.name + name.columns + 2
    let removed: Phrase = if case .search = line { .rowDeleted } else { .rowRemoved }
    let text = isRemoved ? context.strings[removed] : more
    canvas.write(
      text.truncated(toColumns: max(0, room.columns - start - 1)),
      at: rect.origin.moved(columns: start), style: row.rowStyle(theme.secondary))
  }

  private func drawMarket(_ market: FavoriteMarket, on canvas: inout Canvas) {
    guard room.columns < rect.columns else { return }
    canvas.write(
      PersonalFacts.name(of: market, context).truncated(
        toColumns: marketColumns - Self.marketMargins),
      at: rect.origin.moved(columns: room.columns + 1), style: row.rowStyle(context.theme.secondary)
    )
  }

  /// Draws a placeholder in the shape of a row.
  private func drawShape(on canvas: inout Canvas) {
    if isSelected { canvas.markSelected(rect, context.theme) }
    guard !context.isPlain else { return }
    canvas.fill(
      rect.inset(left: RowColumns.name).splitLeft(rect.columns / 3).left, with: .lightDash,
      style: row.rowStyle(context.theme.rule))
  }
}
