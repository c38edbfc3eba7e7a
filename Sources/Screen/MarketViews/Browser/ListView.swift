internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// View of the products as rows: name, price, stock and age in fixed columns; in wide windows with a
/// thumbnail and the seller.
struct ListView {
  let browser: BrowserModel
  let list: RowList
  /// Whether the selection is among the products.
  var showsSelection = true
  let context: RenderContext

  /// Key of the cached drawing: inputs that are not observed.
  struct Key: Equatable {
    let list: RowList
    let shown: Range<Int>
  }

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    // ncurses itself detects scrolled rows of the whole width.
    if list.bounds.columns < canvas.size.columns {
      canvas.markPanel(list.bounds, line: list.line(ofRow: browser.viewport.topRow))
    }
    canvas.clipped(to: list.bounds) { canvas in
      let local = list.atOrigin
      let (shown, selected) = (browser.viewport.visibleWithCutRow, browser.viewport.selected)
      if list.hasThumbnails {
        write(shown, in: local, on: &canvas, gallery)
      } else {
        context.parts.list.draw(
          Key(list: list, shown: shown), of: browser, in: local.bounds, on: &canvas
        ) { write(shown, in: local, on: &$0, gallery) }
      }
      if showsSelection, shown.contains(selected) {
        Rows(of: browser, in: local, columns(of: local), context)
          .draw(selected, at: selected - shown.lowerBound, isSelected: true, on: &canvas)
      }
      // Drawn over a row that is cut.
      FeedEnd(browser: browser, context: context)
        .draw(on: &canvas, in: local.rest(below: shown.count))
    }
  }

  /// Draws all visible rows without a selection.
  private func write(
    _ shown: Range<Int>, in local: RowList, on canvas: inout Canvas, _ gallery: PictureGallery
  ) {
    let rows = Rows(of: browser, in: local, columns(of: local), context)
    for (row, index) in shown.enumerated() {
      rows.draw(index, at: row, isSelected: false, on: &canvas)
      guard let listed = rows.feed[index] else { continue }
      drawThumbnail(of: listed, in: local.thumbnail(of: row), on: &canvas, gallery)
    }
    for (group, index) in browser.groups(in: shown) {
      let line = local.heading(of: index - shown.lowerBound)
      canvas.write(
        context.strings[group.phrase].truncated(toColumns: line.columns), at: line.origin,
        style: context.theme.secondary)
    }
    drawSkeleton(on: &canvas, in: local, after: shown.count)
  }

  /// Draws a thumbnail, or its tile, which has no room for a text.
  private func drawThumbnail(
    of listed: ListedProduct, in rect: CellRect, on canvas: inout Canvas, _ gallery: PictureGallery
  ) {
    guard listed.product.thumbnail == nil else {
      return thumbnail(of: listed, in: rect).draw(on: &canvas, from: gallery, context)
    }
    canvas.fill(rect, style: context.theme.tile)
  }

  /// Thumbnails of the rows on the screen.
  var wants: [PictureWant] { wants(of: browser.viewport.visibleWithCutRow) }

  /// Thumbnails of one screen more, where all rows on the screen are loaded.
  var wantsAhead: [PictureWant] {
    guard list.hasThumbnails else { return [] }
    let (shown, feed) = (browser.viewport.visibleWithCutRow, browser.feed)
    guard shown.allSatisfy({ feed[$0] != nil }) else { return [] }
    let end = shown.upperBound
    return wants(of: end..<min(end + list.wholeRows, feed.count))
  }

  private func wants(of rows: Range<Int>) -> [PictureWant] {
    guard list.hasThumbnails else { return [] }
    let (rect, feed) = (list.thumbnail(of: 0), browser.feed)
    return rows.compactMap { index in
      feed[index].flatMap { thumbnail(of: $0, in: rect).want }
    }
  }

  private func thumbnail(of listed: ListedProduct, in rect: CellRect) -> PictureBox {
    PictureBox(listed.product, in: rect, style: context.pictures)
  }

  private func columns(of list: RowList) -> RowColumns {
    let width = list.rect(of: 0).columns
    let feed = browser.feed
    // Whole pages, so that the columns keep their places while one is scrolled through.
    let (shown, size) = (browser.viewport.visibleWithCutRow, max(1, feed.pageSize))
    let pages = shown.lowerBound / size * size..<(shown.upperBound + size - 1) / size * size
    let widths = context.parts.widths.value(pages, of: browser) {
      let feed = browser.feed
      return RowWidths(of: pages.lazy.compactMap { feed[$0] }, context)
    }
    return list.hasThumbnails
      ? RowColumns(widthOfTwoLines: width, widths, context)
      : RowColumns(width: width, widths, context)
  }

  /// Draws placeholders in the shape of rows.
  private func drawSkeleton(on canvas: inout Canvas, in list: RowList, after shown: Int) {
    guard browser.feed.awaitsRows, !context.isPlain, !EmptyList.isShown(of: browser) else { return }
    for row in shown..<min(shown + browser.feed.pageSize, list.wholeRows + 1) {
      let index = browser.viewport.visible.lowerBound + row
      PlaceholderRow(browser: browser, index: index, isSelected: false, context: context)
        .drawShape(on: &canvas, in: list.rect(of: row), thumbnail: list.thumbnail(of: row))
    }
  }
}

/// Drawing of the rows of one frame; their inputs are read once.
private struct Rows {
  let browser: BrowserModel
  let feed: ProductFeed
  private let marking: RowMarking
  private let list: RowList
  private let columns: RowColumns
  private let context: RenderContext

  init(of browser: BrowserModel, in list: RowList, _ columns: RowColumns, _ context: RenderContext)
  {
    self.browser = browser
    (feed, marking) = (browser.feed, browser.rowMarking)
    (self.list, self.columns, self.context) = (list, columns, context)
  }

  /// Draws the product at `index`, or a placeholder where it is not loaded, in a row of the screen.
  func draw(_ index: Int, at row: Int, isSelected: Bool, on canvas: inout Canvas) {
    let (rect, bar) = (list.rect(of: row), list.bar(of: row))
    guard let listed = feed[index] else {
      return PlaceholderRow(
        browser: browser, index: index, isSelected: isSelected, context: context
      ).draw(on: &canvas, in: rect, thumbnail: list.thumbnail(of: row), bar: bar)
    }
    ProductRow(
      content: .init(listed: listed, marks: marking.marks(of: listed.id), columns: columns),
      rect: rect, bar: bar, isSelected: isSelected, context: context
    ).draw(on: &canvas)
  }
}
