internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// View of the products as cards: picture, name, price, stock and age.
struct GridView {
  let browser: BrowserModel
  let grid: CardGrid
  /// Whether the selection is among the products.
  var showsSelection = true
  let context: RenderContext

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    canvas.markPanel(grid.bounds, line: grid.line(ofRow: browser.viewport.topRow))
    canvas.clipped(to: grid.bounds) { canvas in
      let local = grid.atOrigin
      let (feed, marking) = (browser.feed, browser.rowMarking)
      for index in places.prefix(while: { $0 < feed.count }) {
        let rect = rect(of: index, local)
        if let product = feed[index] {
          drawCard(
            product, marks: marking.marks(of: product.id), at: index, in: rect, on: &canvas,
            gallery: gallery)
        } else {
          drawUnread(index, in: rect, on: &canvas)
        }
      }
      for (group, index) in browser.groups(in: places) {
        let rect = rect(of: index, local)
        let text = context.strings[group.phrase].truncated(toColumns: rect.columns)
        // On the selected card, the heading is in the frame like a title.
        canvas.write(
          isSelected(index) ? " " + text + " " : text, at: rect.origin.moved(rows: -1),
          style: context.theme.secondary)
      }
      for index in placesOnTheirWay { drawSkeleton(index, in: rect(of: index, local), on: &canvas) }
      FeedEnd(browser: browser, context: context).draw(on: &canvas, in: endRect(local))
    }
  }

  /// Pictures of the cards on the screen; where all these products are loaded, also those of one screen
  /// more.
  var wants: [PictureWant] {
    let feed = browser.feed
    let count = feed.count
    let start = browser.viewport.topRow * grid.columns
    let screen = (grid.wholeRows + 1) * grid.columns
    let shown = min(start, count)..<min(start + screen, count)
    let isKnown = shown.allSatisfy { feed[$0] != nil }
    let end = isKnown ? min(shown.upperBound + screen, count) : shown.upperBound
    let ahead = shown.upperBound..<end
    let box = CellRect(size: CellSize(columns: grid.card.columns, rows: grid.pictureRows))
    return (Array(shown) + Array(ahead)).compactMap {
      PictureBox(
        feed[$0]?.product, in: box, style: context.pictures
      ).want
    }
  }

  private func rect(of index: Int, _ local: CardGrid) -> CellRect {
    let position = index - places.lowerBound
    return local.cardRect(row: position / grid.columns, column: position % grid.columns)
  }

  /// Indices of the visible cards, including those cut by the bottom bar.
  private var places: Range<Int> {
    let start = browser.viewport.topRow * grid.columns
    return start..<start + grid.shownRows * grid.columns
  }

  private var placesOnTheirWay: Range<Int> {
    guard browser.feed.awaitsRows, !EmptyList.isShown(of: browser) else { return 0..<0 }
    let count = browser.feed.count
    return places.clamped(to: count..<count + browser.feed.pageSize)
  }

  /// Draws a placeholder in the shape of a card, with its number.
  private func drawSkeleton(_ index: Int, in rect: CellRect, on canvas: inout Canvas) {
    let (picture, text) = rect.splitTop(grid.pictureRows)
    canvas.fill(picture, style: context.theme.tile)
    for (row, tenths) in [7, 4].enumerated() {
      let line = text.row(row).splitLeft(rect.columns * tenths / 10).left
      canvas.fill(line, with: .lightDash, style: context.theme.rule)
    }
    placeholder(index).drawNumber(on: &canvas, in: text)
  }

  private func placeholder(_ index: Int) -> PlaceholderRow {
    PlaceholderRow(
      browser: browser, index: index, isSelected: isSelected(index), context: context)
  }

  /// Rows below the last card.
  private func endRect(_ local: CardGrid) -> CellRect {
    let shown = browser.feed.count - browser.viewport.topRow * grid.columns
    let rows = (shown + grid.columns - 1) / grid.columns
    return local.bounds.inset(left: 1, top: local.end(ofRows: max(0, rows)), right: 1)
  }

  /// Draws a card whose product is not loaded.
  private func drawUnread(_ index: Int, in rect: CellRect, on canvas: inout Canvas) {
    if !placeholder(index).drawFailure(on: &canvas, in: rect) {
      drawSkeleton(index, in: rect, on: &canvas)
    }
    if isSelected(index) { drawFrame(around: rect, on: &canvas) }
  }

  private func isSelected(_ index: Int) -> Bool {
    showsSelection && index == browser.viewport.selected
  }

  private func drawFrame(around rect: CellRect, on canvas: inout Canvas) {
    let frame = CellRect(
      column: rect.minColumn - 1, row: rect.minRow - 1, columns: rect.columns + 2,
      rows: rect.rows + 2)
    canvas.frame(frame, style: context.theme.accent, weight: .heavy)
  }

  private func drawCard(
    _ product: ListedProduct, marks: RowMarks, at index: Int, in rect: CellRect,
    on canvas: inout Canvas, gallery: PictureGallery
  ) {
    let isSelected = isSelected(index)
    let (picture, text) = rect.splitTop(grid.pictureRows)
    PictureBox(product.product, in: picture, style: context.pictures)
      .draw(on: &canvas, from: gallery, context)
    guard isSelected else {
      return context.cards.draw(
        CardContent(listed: product, marks: marks), of: product.id,
        since: product.product.created, in: text, on: &canvas
      ) { drawText(of: product, marks: marks, isSelected: false, in: text, on: &$0) }
    }
    drawText(of: product, marks: marks, isSelected: true, in: text, on: &canvas)
    drawFrame(around: rect, on: &canvas)
    canvas.setCursor(at: text.origin, isVisible: false)
  }

  private func drawText(
    of listed: ListedProduct, marks: RowMarks, isSelected: Bool, in rect: CellRect,
    on canvas: inout Canvas
  ) {
    let product = listed.product
    let theme = context.theme
    let marks = ProductMarks(product: product, marks: marks, context: context)
    var start = 0
    for sign in [marks.mark, marks.sign].compactMap(\.self) {
      canvas.write(sign.text, at: rect.origin.moved(columns: start), style: sign.style)
      start += sign.text.columns + 1
    }
    let lines = name(marks.star + listed.name, columns: rect.columns - start, rows: rect.rows - 2)
    for (row, line) in lines.enumerated() {
      canvas.write(
        line, at: rect.origin.moved(columns: start, rows: row),
        style: isSelected ? marks.nameStyle.adding(.bold) : marks.nameStyle)
    }
    let priceRow = rect.row(rect.rows - 2)
    let price = PriceLine(product, context, marksReduced: false, move: marks.move)
    price.draw(on: &canvas, at: priceRow.origin, columns: rect.columns, withPercent: true, context)
    let last = rect.row(rect.rows - 1)
    if let fate = marks.fate {
      canvas.write(fate, at: last.origin, style: theme.warning)
      return
    }
    let stock = marks.stock.map { $0 + ProductMarks.separator } ?? .empty
    let (facts, age, ageStyle) = marks.end(columns: rect.columns - stock.columns)
    let first = stock + facts
    guard first.columns + age.columns <= rect.columns else {
      canvas.write(marks.stock ?? .empty, at: last.origin, style: theme.secondary)
      return
    }
    canvas.write(first, at: last.origin, style: theme.secondary)
    canvas.write(age, at: last.origin.moved(columns: first.columns), style: ageStyle)
  }

  /// Returns a name in at most `rows` lines, the last one cut.
  private func name(_ name: SafeText, columns: Int, rows: Int) -> [SafeText] {
    guard rows > 1 else { return [name.truncated(toColumns: columns)] }
    let lines = name.wrapped(toColumns: columns)
    let last = lines.dropFirst(rows - 1).joined(separator: " ")
    return lines.prefix(rows - 1) + [last.truncated(toColumns: columns)]
  }
}
