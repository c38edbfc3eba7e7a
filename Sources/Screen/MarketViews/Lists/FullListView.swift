internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

/// List that covers the body, with facts about the selected item beside it in wide windows and below it
/// in others.
@MainActor package protocol FullListView: SectionedListView {
  var listLayout: FullListLayout { get }
  /// Item in the preview; nil for none.
  var previewed: Model.Item? { get }
  /// Returns the facts about an item, its name first.
  func facts(of item: Model.Item) -> [ListFact]
  /// Closes the view and goes back.
  func leave()
  /// Returns the picture in the preview of an item.
  func picture(of item: Model.Item) -> PreviewPicture
  /// Returns the product of an item, whose price and facts follow its name in the preview; nil for
  /// none.
  func product(of item: Model.Item) -> ListedProduct?
  /// Returns the text at the end of an item's preview, behind a rule; empty for none.
  func paragraphs(of item: Model.Item) -> [SafeText]
  /// Draws the preview of an item, by default its picture, product, facts and text.
  func drawPreview(of item: Model.Item, in rect: CellRect, on canvas: inout Canvas)
}

/// Division of a preview into picture and texts: side by side in a wide area, else the picture above.
struct PreviewLayout {
  let picture: CellRect
  let texts: CellRect

  /// Columns of an area for each of its rows from which the picture stands beside the texts.
  private static let wideColumns = 4
  private static let gap = 2

  init(_ rect: CellRect, has picture: PreviewPicture, showsPictures: Bool) {
    guard picture != .none, showsPictures || rect.columns < Self.wideColumns * rect.rows else {
      (self.picture, texts) = (.zero, rect)
      return
    }
    guard rect.columns >= Self.wideColumns * rect.rows else {
      let (top, rest) = rect.splitTop(showsPictures ? rect.rows / 2 : 1)
      (self.picture, texts) = (top, rest.inset(top: 1))
      return
    }
    let (left, rest) = rect.splitLeft(min(rect.columns * 2 / 5, rect.rows * 8 / 3))
    (self.picture, texts) = (left, rest.inset(left: Self.gap))
  }
}

/// Layout of a list that covers the body.
package struct FullListLayout {
  var list: CellRect
  var divider = CellRect.zero
  /// Area of the preview: beside the rows in wide windows, below few rows in others; else empty.
  var preview = CellRect.zero
  /// Area below the rows, with a rule above.
  var foot = CellRect.zero

  /// Minimum columns of the body for a preview beside the rows.
  private static let sideBySideColumns = 120
  /// Minimum rows of the foot with its rule, and minimum rows of the body for a foot.
  private static let (footRows, rowsWithFoot) = (3, 8)
  /// Minimum rows of the foot for a preview.
  private static let previewRows = 8

  /// Creates a layout without rows, for the preview alone.
  init(onlyPreviewIn body: CellRect) {
    list = .zero
    preview = body.inset(left: ScreenLayout.margin, right: ScreenLayout.margin)
  }

  /// Creates a layout of an empty list.
  init(onlyListIn body: CellRect) { list = body }

  /// Creates a layout for `rows` rows; the foot gets those left over.
  init(_ frame: Frame, rows: Int = .max) {
    let body = frame.body
    if body.columns >= Self.sideBySideColumns, !frame.context.isPlain {
      let (list, side) = body.splitLeft(body.columns * 3 / 5)
      let (divider, preview) = side.inset(left: 1).splitLeft(1)
      (self.list, self.divider) = (list, divider)
      self.preview = preview.inset(left: 1, right: 1)
    } else if body.rows >= Self.rowsWithFoot {
      let free = min(max(Self.footRows, body.rows - rows - 1), body.rows / 2)
      (list, foot) = body.splitBottom(free)
      if free >= Self.previewRows {
        preview = foot.inset(left: ScreenLayout.margin, top: 1, right: ScreenLayout.margin)
      }
    } else {
      list = body
    }
  }
}

extension FullListView {
  package func leave() { close() }

  package var coversBody: Bool { true }
  package var takesCounts: Bool { true }
  package var listLayout: FullListLayout { usualLayout }

  /// Layout of the rows with their preview; an empty list has the whole body.
  var usualLayout: FullListLayout {
    hasItems ? FullListLayout(frame, rows: allRows) : FullListLayout(onlyListIn: frame.body)
  }

  package var previewed: Model.Item? { list.selected }
  package var listArea: CellRect { listLayout.list }

  /// Rows by which one notch of the wheel moves.
  private var wheelRows: Int { 3 }

  package func scroll(by notches: Int) -> Bool {
    move(notches < 0 ? .up : .down, times: abs(notches) * wheelRows)
    return true
  }

  /// Selects the clicked item; a click on the selected one chooses it.
  package func press(at point: CellPoint) -> Bool {
    guard let number = number(at: point) else { return false }
    if number == list.selectedNumber { choose() } else { model.select(number: number) }
    return true
  }

  package func draw(on canvas: inout Canvas) {
    drawList(on: &canvas)
    let layout = listLayout
    canvas.verticalRule(
      at: layout.divider.origin, rows: layout.divider.rows, style: context.theme.rule)
    canvas.horizontalRule(
      at: layout.foot.origin, columns: layout.foot.columns, style: context.theme.rule)
    if let item = previewed, !layout.preview.isEmpty {
      drawPreview(of: item, in: layout.preview, on: &canvas)
    }
    if let item = list.selected, !layout.foot.isEmpty, layout.preview.isEmpty {
      let margin = ScreenLayout.margin
      _ = draw(
        Array(facts(of: item).dropFirst()),
        in: layout.foot.inset(left: margin, top: 1, right: margin), on: &canvas)
    }
  }

  package func picture(of item: Model.Item) -> PreviewPicture { .none }
  package func product(of item: Model.Item) -> ListedProduct? { nil }
  package func paragraphs(of item: Model.Item) -> [SafeText] { [] }

  package var wants: [PictureWant] {
    let rect = listLayout.preview
    guard !rect.isEmpty, let item = previewed else { return [] }
    return [pictureBox(of: item, in: rect).want].compactMap(\.self)
  }

  private func previewLayout(of item: Model.Item, in rect: CellRect) -> PreviewLayout {
    PreviewLayout(rect, has: picture(of: item), showsPictures: context.pictures.showsPictures)
  }

  private func pictureBox(of item: Model.Item, in rect: CellRect) -> PictureBox {
    let picture: Picture? = if case .ready(let picture) = picture(of: item) { picture } else { nil }
    var box = PictureBox(
      picture, in: previewLayout(of: item, in: rect).picture, fit: .whole, style: context.pictures)
    box.alignment = .topLeft
    return box
  }

  package func drawPreview(of item: Model.Item, in rect: CellRect, on canvas: inout Canvas) {
    let layout = previewLayout(of: item, in: rect)
    if case .ready = picture(of: item) {
      pictureBox(of: item, in: rect).draw(on: &canvas, from: frame.gallery, context)
    } else {
      canvas.fill(layout.picture, style: context.theme.tile)
    }
    let facts = facts(of: item)
    var lines = draw(Array(facts.prefix(1)), in: layout.texts, on: &canvas)
    if let product = product(of: item) { draw(product, in: &lines, on: &canvas) }
    lines = draw(Array(facts.dropFirst()), in: lines, on: &canvas)
    let paragraphs = paragraphs(of: item)
    guard !paragraphs.isEmpty, !lines.isEmpty else { return }
    canvas.horizontalRule(at: lines.origin, columns: lines.columns, style: context.theme.rule)
    _ = draw(
      paragraphs.map { ListFact(text: $0, style: context.theme.text) }, in: lines.inset(top: 1),
      on: &canvas)
  }

  /// Draws a product's price, and its facts with its seller below.
  private func draw(_ product: ListedProduct, in lines: inout CellRect, on canvas: inout Canvas) {
    guard !lines.isEmpty else { return }
    PriceLine(product.product, context).draw(
      on: &canvas, at: lines.origin, columns: lines.columns, withPercent: true, gap: 2, context)
    let facts = AdditionalFields.facts(of: product.product, context.strings) + [product.seller]
    let text = facts.filter { !$0.isEmpty }.joined(separator: " · ")
    lines = lines.inset(top: 1)
    guard !text.isEmpty else { return }
    lines = draw(
      [ListFact(text: text, style: context.theme.secondary)], in: lines, on: &canvas)
  }

  /// Writes facts, each in as many lines as it needs.
  ///
  /// - Returns: the rest of the area.
  func draw(_ facts: [ListFact], in rect: CellRect, on canvas: inout Canvas) -> CellRect {
    var lines = rect
    for fact in facts {
      let wrapped = fact.text.wrapped(toColumns: max(1, lines.columns - fact.indent))
      for line in wrapped.isEmpty ? [.empty] : wrapped where !lines.isEmpty {
        canvas.write(line, at: lines.origin.moved(columns: fact.indent), style: fact.style)
        lines = lines.inset(top: 1)
      }
    }
    return lines
  }
}
