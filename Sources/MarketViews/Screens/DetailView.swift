internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// One product in full: picture strip with dots, name, prices, facts and the wrapped text.
struct DetailView {
  let detail: DetailModel
  let rect: CellRect
  let context: RenderContext
  /// Whether the product is the seller's own, which its facts say.
  var isOwn = false

  /// A product without pictures leaves their place to its text.
  var layout: DetailLayout {
    DetailLayout(
      rect, hasPictures: !detail.pictures.isEmpty, showsPictures: context.pictures.showsPictures)
  }

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    guard let product = detail.product else { return }
    let layout = layout
    drawPicture(on: &canvas, layout: layout, gallery: gallery)
    let area = layout.text
    let head = headLines(of: product, columns: area.columns)
    let (texts, style) = body(columns: area.columns)
    let count = head.count + texts.count
    let start = min(detail.scrolledLines, max(0, count - area.rows))
    for (row, line) in (start..<count).prefix(area.rows).enumerated() {
      if line < head.count {
        head[line](&canvas, area.row(row))
      } else {
        canvas.write(texts[line - head.count], at: area.row(row).origin, style: style)
      }
    }
    guard count - start > area.rows, !area.isEmpty else { return }
    canvas.put(
      .moreBelow, at: CellPoint(column: area.maxColumn, row: area.maxRow - 1),
      style: context.theme.accent)
  }

  /// Lines that do not fit at once.
  func hiddenLines() -> Int {
    guard let product = detail.product else { return 0 }
    let area = layout.text
    let head = headLines(of: product, columns: area.columns)
    return max(0, head.count + body(columns: area.columns).lines.count - area.rows)
  }

  /// The pictures that the strip shows now and would show next.
  static func wants(
    of detail: DetailModel, in rect: CellRect, style: PictureStyle
  ) -> [PictureWant] {
    let box = DetailLayout(rect, showsPictures: style.showsPictures).picture
    let index = detail.pictureIndex
    return [index, index + 1, index - 1]
      .filter(detail.pictures.indices.contains)
      .compactMap { PictureBox(detail.pictures[$0], in: box, fit: .whole, style: style).want }
  }

  private func drawPicture(
    on canvas: inout Canvas, layout: DetailLayout, gallery: PictureGallery
  ) {
    guard !layout.picture.isEmpty else { return }
    let pictures = detail.pictures
    let index = detail.pictureIndex
    PictureBox(
      pictures.indices.contains(index) ? pictures[index] : nil, in: layout.picture, fit: .whole,
      style: context.pictures
    ).draw(on: &canvas, from: gallery, context)
    guard pictures.count > 1 else { return }
    drawDots(on: &canvas, in: layout.dots, index: index, count: pictures.count)
  }

  private func drawDots(on canvas: inout Canvas, in rect: CellRect, index: Int, count: Int) {
    let position = SafeText("\(index + 1)/\(count)")
    canvas.write(
      position, at: rect.origin.moved(columns: rect.columns - position.columns),
      style: context.theme.secondary)
    let width = count * 2 - 1
    guard width + 2 * (position.columns + 1) <= rect.columns else { return }
    let start = rect.centered(CellSize(columns: width, rows: 1)).origin
    for dot in 0..<count {
      canvas.put(
        dot == index ? .filledDot : .emptyDot, at: start.moved(columns: dot * 2),
        style: context.theme.accent)
    }
  }

  private typealias Line = (inout Canvas, CellRect) -> Void

  /// Name, price, facts, dates and a rule, as many rows as the width makes them.
  private func headLines(of listed: ListedProduct, columns: Int) -> [Line] {
    let product = listed.product
    let theme = context.theme
    var lines: [Line] = listed.name.wrapped(toColumns: columns).map { name in
      { canvas, rect in canvas.write(name, at: rect.origin, style: theme.strong) }
    }
    lines.append { canvas, rect in
      PriceLine(product.pricing, context).draw(
        on: &canvas, at: rect.origin, columns: rect.columns, withPercent: true, context)
    }
    lines += factLines(of: listed, columns: columns)
    lines.append { canvas, rect in
      canvas.horizontalRule(at: rect.origin, columns: rect.columns, style: theme.rule)
    }
    return lines
  }

  private func factLines(of listed: ListedProduct, columns: Int) -> [Line] {
    let product = listed.product
    let strings = context.strings
    let stock = StockText.text(product, strings)
    let stockStyle = StockText.style(product, context.theme)
    let secondary = context.theme.secondary
    let age = AgeText.text(product.created, now: context.now, strings)
    let seller = listed.seller.truncated(toColumns: columns / 2)
    let facts =
      [stock, strings(.seller, seller)] + (isOwn ? [strings[.filterMine]] : [])
      + [strings(.registered, age)]
    let texts =
      Self.sideBySide(facts + furtherFacts, columns: columns)
      + Self.sideBySide(DateText.dates(of: product, strings), columns: columns)
    return texts.enumerated().map { row, text in
      { canvas, rect in
        canvas.write(text, at: rect.origin, style: secondary)
        if row == 0 { canvas.write(stock, at: rect.origin, style: stockStyle) }
      }
    }
  }

  private var furtherFacts: [SafeText] {
    guard case .loaded(let loaded) = detail.phase else { return [] }
    return FieldText.further(loaded.values, context.strings).map { field, text in
      context.strings[field.phrase] + " " + text
    }
  }

  /// Facts in as many lines as the width makes them.
  private static func sideBySide(_ facts: [SafeText], columns: Int) -> [SafeText] {
    facts.reduce(into: []) { lines, fact in
      let separator: SafeText = " · "
      if let line = lines.last, line.columns + separator.columns + fact.columns <= columns {
        lines[lines.count - 1] = line + separator + fact
      } else {
        lines.append(fact.truncated(toColumns: columns))
      }
    }
  }

  /// The wrapped text, or what stands in its place.
  private func body(columns: Int) -> (lines: [SafeText], style: Style) {
    let strings = context.strings
    let theme = context.theme
    switch detail.phase {
    case .failed(_, let error):
      let text = strings(.retryWith, ErrorText.text(error, strings), "R")
      return (("✗ " + text).wrapped(toColumns: columns), theme.warning)
    case .loaded(let loaded) where loaded.paragraphs.contains { !$0.isEmpty }:
      return (detail.lines(columns: columns) ?? [], theme.text)
    case .loaded: return ([strings[.noDescription]], theme.secondary)
    case .loading: return (detail.spinner.isShown ? [strings[.loading]] : [], theme.secondary)
    case .empty: return ([], theme.text)
    }
  }
}
