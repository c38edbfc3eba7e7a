internal import MarketModel
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The products as rows: name, price, stock and age, each at its fixed place.
struct ListView {
  let browser: BrowserModel
  let rect: CellRect
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    canvas.clipped(to: rect) { canvas in
      let columns = RowColumns(width: rect.columns, language: context.strings.language)
      let shown = browser.viewport.visibleWithCutRow
      for index in shown {
        drawRow(index, at: index - shown.lowerBound, columns: columns, on: &canvas)
      }
      let end = CellRect(size: rect.size).inset(left: 2, top: shown.count, right: 2)
      drawSkeleton(on: &canvas, in: end)
      FeedEnd(browser: browser, context: context).draw(on: &canvas, in: end)
    }
  }

  /// Rows in the shape of what is coming.
  private func drawSkeleton(on canvas: inout Canvas, in rect: CellRect) {
    guard browser.feed.awaitsRows else { return }
    for row in 0..<min(rect.rows, browser.feed.pageSize) {
      let line = rect.row(row).splitLeft(rect.columns * (3 + (row * 7) % 4) / 10).left
      canvas.fill(line, with: .lightDash, style: context.theme.rule)
    }
  }

  private func drawRow(_ index: Int, at row: Int, columns: RowColumns, on canvas: inout Canvas) {
    let listed = browser.feed.rows[index]
    let product = listed.product
    let theme = context.theme
    let isSelected = index == browser.viewport.selected
    let look = { (style: Style) in isSelected ? theme.selected(style) : style }
    let line = CellPoint(column: 0, row: row)
    if isSelected {
      canvas.fill(
        CellRect(origin: line, size: CellSize(columns: rect.columns - 1, rows: 1)),
        style: look(theme.text))
      canvas.put(.selectionBar, at: line, style: look(theme.accent))
      canvas.setCursor(at: line, isVisible: false)
    }
    let price = PriceLine(product.pricing, context)
    let priceStart = columns.priceEnd - price.toPay.columns
    var nameEnd = priceStart
    var priceStyle = price.toPayStyle
    if let percent = price.percent {
      let start = priceStart - 1 - percent.columns
      if columns.leavesName(before: start) {
        nameEnd = start
        canvas.write(percent, at: line.moved(columns: start), style: look(theme.warning))
      } else {
        // Colour alone would not tell everybody.
        priceStyle = theme.price
      }
    }
    let nameStyle = look(product.isSoldOut ? theme.secondary : theme.text)
    canvas.write(
      listed.name.truncated(toColumns: nameEnd - 1 - columns.name),
      at: line.moved(columns: columns.name), style: isSelected ? nameStyle.adding(.bold) : nameStyle
    )
    canvas.write(price.toPay, at: line.moved(columns: priceStart), style: look(priceStyle))
    if let stock = columns.stock {
      canvas.write(
        StockText.text(product, context.strings), at: line.moved(columns: stock),
        style: look(StockText.style(product, theme)))
    }
    if let ageEnd = columns.ageEnd {
      let age = AgeText.text(product.created, now: context.now, context.strings)
      canvas.write(
        age, at: line.moved(columns: ageEnd - age.columns), style: look(theme.secondary))
    }
  }
}

/// Where the parts of a row stand; what has no room is left out, the price never.
struct RowColumns: Hashable {
  let name = 2
  /// The column behind the price's last digit.
  let priceEnd: Int
  let stock: Int?
  /// The column behind the age.
  let ageEnd: Int?

  private static let gap = 2
  /// What a name must keep for a discount to be shown beside it.
  private static let shortestName = 12

  /// - Parameters:
  ///   - width: columns of the row.
  ///   - language: its words decide how wide stock and age are.
  init(width: Int, language: Language) {
    let (stockWidth, ageWidth) = language == .korean ? (8, 9) : (9, 13)
    let showsStock = width >= 40
    let showsAge = width >= 52
    let end = width - 2
    ageEnd = showsAge ? end : nil
    let stockEnd = showsAge ? end - ageWidth - 1 : end
    stock = showsStock ? stockEnd - stockWidth : nil
    priceEnd = showsStock ? stockEnd - stockWidth - Self.gap : end
  }

  /// Whether enough of a name is left that ends before this column.
  func leavesName(before column: Int) -> Bool { column - 1 - name >= Self.shortestName }
}
