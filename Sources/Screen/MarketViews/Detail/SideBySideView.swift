internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension SideBySideModel: ViewedLayer {
  package func view(in frame: Frame) -> SideBySideView { SideBySideView(model: self, frame: frame) }
}

/// View of two products in two columns: picture, name, price, facts, and the beginning of the
/// description.
///
/// Facts that differ are bold.
package struct SideBySideView: LayerView {
  package let model: SideBySideModel
  package let frame: Frame

  package static var screenName: Phrase? { .screenSideBySide }
  package static let bindings = BindingTable<SideBySideView>(
    [
      SharedBindings.back([.escape, "q", "&", .backspace], footer: 10),
      Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh, footer: 20) {
        $0.navigator.refresh()
      },
    ] + SharedBindings.general() + [SharedBindings.quit()])

  package var coversBody: Bool { true }
  package var title: WindowTitle? { WindowTitle(context.strings[.screenSideBySide], trail: true) }

  private typealias Fact = (label: SafeText, values: [SafeText?])

  /// Blank columns between the products.
  private static let gap = 3
  private static let maxNameRows = 2
  /// Minimum columns of a product for labels before its facts.
  private static let columnsForLabels = 30
  private static let missing: SafeText = "–"

  /// Areas of the products: side by side, one above the other on plain screens.
  private var areas: [CellRect] {
    let body = frame.body.inset(left: ScreenLayout.margin, right: ScreenLayout.margin)
    guard !context.isPlain else {
      let (top, bottom) = body.splitTop(body.rows / 2)
      return [top, bottom]
    }
    let columns = (body.columns - Self.gap) / 2
    return [body.splitLeft(columns).left, body.splitLeft(columns + Self.gap).rest]
  }

  private func picture(of side: ComparedProduct, in area: CellRect) -> PictureBox {
    let rows = context.pictures.showsPictures ? min(area.rows * 2 / 5, area.columns * 3 / 8) : 0
    var box = PictureBox(
      side.picture, in: area.splitTop(rows).top, fit: .whole, style: context.pictures)
    box.alignment = .topLeft
    return box
  }

  private func wants(inGalleryOf other: ComparedProduct) -> [PictureWant] {
    zip(model.sides, areas).compactMap { side, area in
      side.gallery === other.gallery ? picture(of: side, in: area).want : nil
    }
  }

  package var wants: [PictureWant] {
    model.sides.first { $0.gallery === frame.gallery }.map(wants) ?? []
  }

  /// Pictures of another market are loaded by its own gallery.
  package func layOut() {
    for side in model.sides where side.gallery !== frame.gallery {
      side.gallery.want(wants(inGalleryOf: side))
    }
  }

  // MARK: Facts

  private var facts: [Fact] {
    let strings = context.strings
    let sides = model.sides
    let fields = sides.map { side in
      FieldText.further(
        side.detail?.values ?? ProductDetail(product: side.product.product).fieldValues, strings)
    }
    let further = ProductField.allCases.compactMap { field -> Fact? in
      let values = fields.map { $0.first { $0.field == field }?.text }
      if case .flag = field.kind { return nil }
      return values.allSatisfy { $0 == nil } ? nil : (strings[field.phrase], values)
    }
    let markets = sides.map { $0.market ?? strings[.marketLocal] }
    return further + [
      (
        strings[ProductField.stock.phrase],
        sides.map { StockText.text($0.product.product.stock, strings) }
      ),
      (strings[.columnSeller], sides.map { $0.product.seller.isEmpty ? nil : $0.product.seller }),
      (
        strings[.columnListed],
        sides.map { AgeText.text($0.product.product.created, now: context.now, strings) }
      ),
    ] + (Set(markets).count > 1 ? [(strings[.columnMarket], markets)] : [])
  }

  // MARK: Drawing

  package func draw(on canvas: inout Canvas) {
    let (areas, facts) = (areas, facts)
    let names = zip(model.sides, areas).map { side, area in
      Array(side.product.name.wrapped(toColumns: max(1, area.columns)).prefix(Self.maxNameRows))
    }
    let nameRows = names.map(\.count).max() ?? 0
    for (index, area) in areas.enumerated() {
      let box = picture(of: model.sides[index], in: area)
      if box.rect.rows > 0 {
        box.draw(on: &canvas, from: model.sides[index].gallery, context)
      }
      var rest = area.inset(top: box.rect.rows)
      for (row, line) in names[index].prefix(rest.rows).enumerated() {
        canvas.write(line, at: rest.row(row).origin, style: context.theme.strong)
      }
      rest = rest.inset(top: context.isPlain ? names[index].count : nameRows)
      drawPrice(of: model.sides[index], on: &canvas, in: rest.splitTop(1).top)
      rest = rest.inset(top: 1)
      draw(facts, of: index, on: &canvas, in: rest.splitTop(facts.count).top)
      drawDescription(of: model.sides[index], on: &canvas, in: rest.inset(top: facts.count))
    }
    canvas.setCursor(at: areas[0].origin, isVisible: false)
  }

  private func drawPrice(of side: ComparedProduct, on canvas: inout Canvas, in row: CellRect) {
    guard !row.isEmpty else { return }
    PriceLine(side.product.product, context).draw(
      on: &canvas, at: row.origin, columns: row.columns, withPercent: true, context)
  }

  private func draw(
    _ facts: [Fact], of index: Int, on canvas: inout Canvas, in area: CellRect
  ) {
    let theme = context.theme
    let widest = facts.map(\.label.columns).max() ?? 0
    let start = area.columns < Self.columnsForLabels ? 0 : widest + 2
    for (row, fact) in facts.prefix(area.rows).enumerated() {
      let place = area.row(row).origin
      if start > 0 { canvas.write(fact.label, at: place, style: theme.secondary) }
      let value = fact.values[index]
      let isSame = Set(fact.values).count == 1
      canvas.write(
        (value ?? Self.missing).truncated(toColumns: max(0, area.columns - start)),
        at: place.moved(columns: start),
        style: value == nil ? theme.secondary : isSame ? theme.text : theme.strong)
    }
  }

  /// Draws a rule and the beginning of the description, or why that is missing.
  private func drawDescription(of side: ComparedProduct, on canvas: inout Canvas, in area: CellRect)
  {
    guard area.rows > 1 else { return }
    let (strings, theme) = (context.strings, context.theme)
    canvas.horizontalRule(at: area.origin, columns: area.columns, style: theme.rule)
    let room = area.inset(top: 1)
    var (text, style): ([SafeText], Style) = (side.detail?.paragraphs ?? [], theme.text)
    if side.detail == nil {
      text = [side.error.map { "✗ " + ErrorText.text($0, strings) } ?? strings[.loading]]
      style = side.error == nil ? theme.secondary : theme.warning
    }
    let lines = text.lazy.flatMap { $0.wrapped(toColumns: max(1, room.columns)) }
      .prefix(room.rows + 1)
    for (row, line) in lines.prefix(room.rows).enumerated() {
      let isCut = row == room.rows - 1 && lines.count > room.rows
      canvas.write(
        isCut ? (line.isEmpty ? "…" : line + " …").truncated(toColumns: room.columns) : line,
        at: room.row(row).origin, style: style)
    }
  }
}
