internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension DetailModel: ViewedLayer {
  package func view(in frame: Frame) -> DetailView {
    DetailView(model: self, frame: frame, rect: frame.body)
  }
}

/// One product in full: picture strip with dots, name, prices, facts and the wrapped text.
package struct DetailView: LayerView {
  package let model: DetailModel
  package let frame: Frame
  /// The body, or a part of it beside the list.
  let rect: CellRect

  package static let bindings = BindingTable<DetailView>(
    [SharedBindings.back([.escape, "q", .backspace], footer: 10)]
      + SharedBindings.turningPictures(previous: 20, next: 30)
      + [
        .counted("previous-product", ["K", "["], .keyPreviousProduct, footer: 51) {
          $0.showNeighbour(-($1 ?? 1))
        }.jointly(.keyTurnProducts),
        .counted("next-product", ["J", "]"], .keyNextProduct, footer: 50) {
          $0.showNeighbour($1 ?? 1)
        }.jointly(.keyTurnProducts),
        .counted("up", [.up, "k"], .keyUp) { $0.move(.up, times: $1 ?? 1) }.grouped(.move),
        .counted("down", [.down, "j"], .keyDown) { $0.move(.down, times: $1 ?? 1) }
          .grouped(.move),
        SharedBindings.retry(["R", "r"], offered: \.hasFailed),
        Binding(
          "enlarge", [.enter], .keyEnlarge, footer: 40, offered: \.hasPictures
        ) { PictureModel.open(on: $0.navigator) },
      ]
      + SharedBindings.keepingPictures() + [SharedBindings.copy(), SharedBindings.actions()]
      + SharedBindings.selling(edit: 60, delete: 70)
      + SharedBindings.paging { view, move, _ in view.move(move) } + SharedBindings.general()
      + [SharedBindings.quit()], group: .browse)

  package static var opens: [any LayerView.Type] { [PictureView.self, ActionsView.self] }

  package var coversBody: Bool { true }
  package var takesCounts: Bool { true }

  /// The pictures that the strip shows now and would show next.
  package var wants: [PictureWant] {
    let box = DetailLayout(rect, showsPictures: context.pictures.showsPictures).picture
    let index = model.pictureIndex
    return [index, index + 1, index - 1]
      .filter(model.pictures.indices.contains)
      .compactMap {
        PictureBox(model.pictures[$0], in: box, fit: .whole, style: context.pictures).want
      }
  }

  // MARK: Moving

  private static let rowsPerNotch = 3

  package func select(at point: CellPoint) -> Bool { rect.contains(point) }

  package func scroll(by notches: Int) -> Bool {
    scrollText(by: notches * Self.rowsPerNotch)
    return true
  }

  private var hasFailed: Bool { if case .failed = model.phase { true } else { false } }
  private var hasPictures: Bool { !model.pictures.isEmpty }

  private func showNeighbour(_ distance: Int) {
    let browser = navigator.browser
    browser.select(browser.viewport.selected + distance)
    if let selected = browser.selected { model.show(selected) }
  }

  private func move(_ move: Viewport.Move, times: Int = 1) {
    let page = max(1, layout.text.rows / 2)
    switch move {
    case .up: scrollText(by: -times)
    case .down: scrollText(by: times)
    case .halfPageUp, .pageUp: scrollText(by: -page)
    case .halfPageDown, .pageDown: scrollText(by: page)
    case .first: scrollText(by: -.max / 2)
    case .last: scrollText(by: .max / 2)
    case .left, .right: break
    }
  }

  private func scrollText(by lines: Int) {
    model.scroll(by: lines, limit: hiddenLines)
  }

  // MARK: Drawing

  /// A product without pictures leaves their place to its text.
  private var layout: DetailLayout {
    DetailLayout(
      rect, hasPictures: hasPictures, showsPictures: context.pictures.showsPictures)
  }

  package func draw(on canvas: inout Canvas) {
    guard let product = model.product else { return }
    let layout = layout
    drawPicture(on: &canvas, layout: layout)
    let area = layout.text
    let head = headLines(of: product, columns: area.columns)
    let (texts, style) = body(columns: area.columns)
    let count = head.count + texts.count
    let start = min(model.scrolledLines, max(0, count - area.rows))
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
  private var hiddenLines: Int {
    guard let product = model.product else { return 0 }
    let area = layout.text
    let head = headLines(of: product, columns: area.columns)
    return max(0, head.count + body(columns: area.columns).lines.count - area.rows)
  }

  private func drawPicture(on canvas: inout Canvas, layout: DetailLayout) {
    guard !layout.picture.isEmpty else { return }
    let pictures = model.pictures
    let index = model.pictureIndex
    PictureBox(
      pictures.indices.contains(index) ? pictures[index] : nil, in: layout.picture, fit: .whole,
      style: context.pictures
    ).draw(on: &canvas, from: frame.gallery, context)
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
      [stock, strings(.seller, seller)] + (navigator.isOwn(listed) ? [strings[.filterMine]] : [])
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
    guard case .loaded(let loaded) = model.phase else { return [] }
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
    switch model.phase {
    case .failed(_, let error):
      let text = strings(.retryWith, ErrorText.text(error, strings), "R")
      return (("✗ " + text).wrapped(toColumns: columns), theme.warning)
    case .loaded(let loaded) where loaded.paragraphs.contains { !$0.isEmpty }:
      return (model.lines(columns: columns) ?? [], theme.text)
    case .loaded: return ([strings[.noDescription]], theme.secondary)
    case .loading: return (model.spinner.isShown ? [strings[.loading]] : [], theme.secondary)
    case .empty: return ([], theme.text)
    }
  }
}

/// Layout of a detail: the picture at most half the height, under it the dots, and the texts in
/// lines of at most 72 columns.
package struct DetailLayout: Hashable, Sendable {
  /// The box into which the picture is fitted; empty where there is no room.
  package let picture: CellRect
  package let dots: CellRect
  package let text: CellRect

  private static let longestLine = 72
  /// Rows that the name, the price, the facts, the dates, a rule and a line of text need.
  private static let rowsForText = 6
  /// Rows above the picture, and below it the dots and a blank one.
  private static let rowsAround = 3

  /// Lays out `bounds`; without `showsPictures` a row of words stands for each picture.
  package init(_ bounds: CellRect, hasPictures: Bool = true, showsPictures: Bool = true) {
    let area = bounds.inset(left: 1, right: 1)
    let fewest = showsPictures ? 3 : 1
    let most = showsPictures ? area.columns * 36 / 100 : 1
    let wanted = min(most, area.rows / 2, area.rows - Self.rowsAround - Self.rowsForText)
    let hasPicture = hasPictures && wanted >= fewest
    picture = area.inset(top: 1).splitTop(hasPicture ? wanted : 0).top
    dots = CellRect(
      column: area.minColumn, row: picture.maxRow, columns: area.columns, rows: hasPicture ? 1 : 0)
    let top = hasPicture ? dots.maxRow - area.minRow + 1 : 0
    let rest = area.inset(top: top)
    text = rest.splitLeft(min(rest.columns, Self.longestLine)).left
  }
}

extension Phrase {
  static var noDescription: Phrase { .named() }
  static var keyEnlarge: Phrase { .named() }
  static var keyTurnProducts: Phrase { .named() }
  static var keyNextProduct: Phrase { .named() }
  static var keyPreviousProduct: Phrase { .named() }
}
