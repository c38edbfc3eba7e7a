internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Row of the favorites: a product as in lists, a seller or a search, with its market.
struct FavoriteLineView {
  let line: FavoriteLine
  let model: FavoritesListModel
  let row: ListRow
  /// Columns of the markets' names; 0 where all are of one market.
  let marketColumns: Int

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
    let names = markets.map { FavoriteFacts.name(of: $0, context).columns }
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
      draw(
        SafeText(seller.seller.name), SafeText(seller.note), item: .seller(seller), on: &canvas)
      drawMarket(seller.market, on: &canvas)
    case .search(let search):
      draw(SafeText(search.name), SafeText(search.text), item: .search(search), on: &canvas)
    case .triggered(let triggered):
      draw(triggered, on: &canvas)
      let market = model.market(of: triggered)
      drawMarket(market.name ?? context.strings[.marketLocal], on: &canvas)
    }
  }

  private var room: CellRect {
    rect.columns >= Self.widthWithMarket ? rect.inset(right: marketColumns) : rect
  }

  private func draw(_ product: FavoriteRow, on canvas: inout Canvas) {
    var marks = RowMarks()
    marks.fate = product.favorite.gone.map { .gone(since: $0) }
    marks.previousPrice = model.previousPrice(of: product.favorite.id)
    if model.removed.contains(.key(product.favorite.key)) { marks.fate = .removed }
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
      style: row.look(context.theme.secondary))
  }

  /// Columns reserved for a price, and minimum columns of a note.
  private static let (priceColumns, leastNoteColumns) = (13, 6)

  /// Draws a triggered alert, with its price in the price column.
  private func draw(_ triggered: TriggeredAlert, on canvas: inout Canvas) {
    let theme = context.theme
    if isSelected { canvas.markSelected(rect, theme) }
    let columns = RowColumns(widthWithoutStock: room.columns, context)
    let price = AlertText.price(of: triggered, context.strings)
    let end = columns.priceEnd - price.columns
    canvas.write(price, at: rect.origin.moved(columns: end), style: row.look(theme.strong))
    let name =
      (triggered.isSeen ? "" : AlertText.mark(of: triggered))
      + AlertText.name(of: triggered, context.strings)
    canvas.write(
      name.truncated(toColumns: max(0, end - 1 - RowColumns.name)),
      at: rect.origin.moved(columns: RowColumns.name),
      style: row.look(isSelected ? theme.strong : theme.text))
  }

  /// Draws a name with a remark.
  private func draw(
    _ name: SafeText, _ more: SafeText, item: FavoriteItem, on canvas: inout Canvas
  ) {
    let theme = context.theme
    if isSelected { canvas.markSelected(rect, theme) }
    let isRemoved = model.removed.contains(item.identity)
    let style = isRemoved ? theme.oldPrice : isSelected ? theme.strong : theme.text
    let name = name.truncated(toColumns: max(0, room.columns - RowColumns.name - 1))
    canvas.write(name, at: rect.origin.moved(columns: RowColumns.name), style: row.look(style))
    let start = RowColumns.name + name.columns + 2
    let text = isRemoved ? context.strings[.rowRemoved] : more
    canvas.write(
      text.truncated(toColumns: max(0, room.columns - start - 1)),
      at: rect.origin.moved(columns: start), style: row.look(theme.secondary))
  }

  private func drawMarket(_ market: FavoriteMarket, on canvas: inout Canvas) {
    drawMarket(FavoriteFacts.name(of: market, context), on: &canvas)
  }

  private func drawMarket(_ name: SafeText, on canvas: inout Canvas) {
    guard room.columns < rect.columns else { return }
    canvas.write(
      name.truncated(toColumns: marketColumns - Self.marketMargins),
      at: rect.origin.moved(columns: room.columns + 1), style: row.look(context.theme.secondary))
  }

  /// Draws a placeholder in the shape of a row.
  private func drawShape(on canvas: inout Canvas) {
    if isSelected { canvas.markSelected(rect, context.theme) }
    guard !context.isPlain else { return }
    canvas.fill(
      rect.inset(left: RowColumns.name).splitLeft(rect.columns / 3).left, with: .lightDash,
      style: row.look(context.theme.rule))
  }
}
