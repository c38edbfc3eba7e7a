internal import MarketModel
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Small card of another product below a detail: a picture, a name and a price.
struct ProductCard {
  let product: ListedProduct
  /// Area of the picture, in columns of the viewport and lines of the page.
  var picture: CellRect

  static let pictureSize = CellSize(columns: 14, rows: 5)
  private static let gap = 2
  /// Rows of a card with a name and a price.
  static let rows = pictureSize.rows + 2

  static func perRow(in columns: Int) -> Int { (columns + gap) / (pictureSize.columns + gap) }

  /// First column of a card by its position in its row.
  static func column(of position: Int) -> Int { position * (pictureSize.columns + gap) }

  func draw(nameIn row: CellRect, on canvas: inout Canvas, _ context: RenderContext) {
    canvas.write(
      product.name.truncated(toColumns: picture.columns),
      at: row.origin.moved(columns: picture.minColumn), style: context.theme.text)
  }

  func draw(priceIn row: CellRect, on canvas: inout Canvas, _ context: RenderContext) {
    PriceLine(product.product, context, marksReduced: false).draw(
      on: &canvas, at: row.origin.moved(columns: picture.minColumn), columns: picture.columns,
      withPercent: true, context)
  }

  /// The picture on a page in `viewport`, which does not scroll: cards fill the room below the texts.
  func box(in viewport: CellRect, _ style: PictureStyle) -> PictureBox {
    let area = picture.offset(columns: viewport.minColumn, rows: viewport.minRow)
    var box = PictureBox(product.product, in: area, style: style)
    box.saysFailure = false
    return box
  }
}
