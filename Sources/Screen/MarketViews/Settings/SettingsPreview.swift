internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Preview of a product with the settings being tried: its picture, and every colour in use.
struct SettingsPreview {
  /// Nil where the market has no products.
  let product: ListedProduct?
  let rect: CellRect
  let context: RenderContext

  var wants: [PictureWant] { [box.want].compactMap(\.self) }

  func draw(on canvas: inout Canvas, from gallery: PictureGallery) {
    guard let product else { return }
    box.draw(on: &canvas, from: gallery, context)
    let theme = context.theme
    let area = rect.inset(top: picture.rows + 1)
    let lines: [(SafeText, Style)] = [
      (product.name, theme.strong), (product.seller, theme.secondary),
      (StockText.text(product.product.stock, context.strings), theme.accent),
    ]
    for (row, line) in lines.enumerated() where row < area.rows {
      canvas.write(
        line.0.truncated(toColumns: area.columns), at: area.row(row).origin, style: line.1)
    }
    guard area.rows > lines.count + 1 else { return }
    PriceLine(product.product, context).draw(
      on: &canvas, at: area.row(lines.count).origin, columns: area.columns, withPercent: true,
      context)
    let field = area.row(lines.count + 1)
    canvas.fill(field, style: theme.field)
    canvas.write(
      product.name.truncated(toColumns: field.columns - 2), at: field.origin.moved(columns: 1),
      style: theme.field)
  }

  private var picture: CellRect {
    let rows = context.pictures.showsPictures ? min(12, max(0, rect.rows - 7)) : 1
    return rect.splitTop(rows).top
  }

  private var box: PictureBox {
    PictureBox(product?.product.thumbnail, in: picture, fit: .cover, style: context.pictures)
  }
}
