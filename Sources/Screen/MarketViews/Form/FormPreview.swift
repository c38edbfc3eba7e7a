internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Preview of a form's product as buyers will see it, beside the fields: first photo, name, price,
/// stock and description, each with its label in its place while empty.
struct FormPreview {
  let form: ProductForm
  let layout: FormLayout
  let context: RenderContext

  private static let maxLineLength = 72
  private static let maxNameLines = 3

  private var theme: Theme { context.theme }
  private var strings: Strings { context.strings }

  /// Area under the heading.
  private var area: CellRect {
    layout.preview.splitLeft(Self.maxLineLength).left.inset(top: 1)
  }

  /// Photo, as wide as the texts and at most half as high as the area; nil where there is no room.
  private var photo: PictureBox? {
    let area = area
    guard !area.isEmpty else { return nil }
    let rows = min(area.columns * 3 / 8, area.rows / 2)
    let rect = area.splitTop(context.pictures.showsPictures ? rows : 1).top
    return PictureBox(
      form.photos.photos.first?.picture,
      in: context.pictures.showsPictures ? rect.splitLeft(rows * 8 / 3).left : rect, fit: .whole,
      style: context.pictures)
  }

  var wants: [PictureWant] { [photo?.want].compactMap(\.self) }

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    guard let photo else { return }
    canvas.verticalRule(
      at: layout.divider.origin, rows: layout.divider.rows, style: theme.rule)
    canvas.write(
      strings[.formPreview].truncated(toColumns: area.columns), at: layout.preview.origin,
      style: theme.secondary)
    photo.draw(on: &canvas, from: gallery, context)
    let text = area.inset(top: photo.rect.rows + 1)
    canvas.clipped(to: text) { canvas in
      drawText(on: &canvas, in: CellRect(size: text.size))
    }
  }

  private func drawText(on canvas: inout Canvas, in rect: CellRect) {
    let names = write(.name, theme.strong, atMost: Self.maxNameLines, in: rect, on: &canvas)
    var rest = rect.inset(top: names)
    drawPrice(on: &canvas, in: rest.row(0))
    drawFacts(on: &canvas, in: rest.row(1))
    canvas.horizontalRule(at: rest.row(2).origin, columns: rest.columns, style: theme.rule)
    rest = rest.inset(top: 3)
    write(.description, theme.text, atMost: rest.rows, in: rest, on: &canvas)
  }

  private func drawPrice(on canvas: inout Canvas, in row: CellRect) {
    guard let price = form.values.price else {
      canvas.write(strings[ProductField.price.phrase], at: row.origin, style: theme.secondary)
      return
    }
    var product = Product(
      id: Product.ID(rawValue: 0), seller: Seller(id: .nobody, name: ""), name: "",
      pricing: .readable(price), stock: form.values.stock ?? 1, created: context.now,
      changed: context.now, thumbnail: nil)
    product.isReserved = form.values.value(of: .reserved) == .yes
    let mark = product.isReserved ? PriceLine.reserved(context) + "  " : .empty
    canvas.write(mark, at: row.origin, style: theme.accent, maxColumns: row.columns)
    let room = row.inset(left: mark.columns)
    PriceLine(product, context, badgesReserved: false).draw(
      on: &canvas, at: room.origin, columns: room.columns, withPercent: true, gap: 2, context)
  }

  /// Draws a stock above one with further facts, or the stock's label.
  private func drawFacts(on canvas: inout Canvas, in row: CellRect) {
    let stock = form.values.stock.map { $0 > 1 ? StockText.text($0, strings) : .empty }
    let others = AdditionalFields.text(of: form.values.readable, strings)
    let facts =
      [stock ?? strings[ProductField.stock.phrase]].filter { !$0.isEmpty } + others + [age]
    canvas.write(
      facts.joined(separator: " · ").truncated(toColumns: row.columns), at: row.origin,
      style: theme.secondary)
  }

  private var age: SafeText {
    guard case .edit(let detail) = form.purpose else { return strings[.ageJustNow] }
    return AgeText.text(detail.product.created, now: context.now, strings)
  }

  /// Writes the content of a field, or its label where it is empty; returns the number of lines.
  @discardableResult
  private func write(
    _ field: ProductField, _ style: Style, atMost most: Int, in rect: CellRect,
    on canvas: inout Canvas
  ) -> Int {
    // Further characters cannot be visible.
    let text = String(form.values[field].prefix(rect.size.count))
    let isEmpty = text.allSatisfy(\.isWhitespace)
    let words = isEmpty ? [strings[field.phrase]] : SafeText.lines(text)
    let lines = words.flatMap { $0.wrapped(toColumns: rect.columns) }.prefix(most)
    for (row, line) in lines.enumerated() {
      canvas.write(line, at: rect.row(row).origin, style: isEmpty ? theme.secondary : style)
    }
    return lines.count
  }
}
