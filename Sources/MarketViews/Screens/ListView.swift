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
      let shown = browser.viewport.visible
      for index in shown {
        drawRow(index, at: index - shown.lowerBound, columns: columns, on: &canvas)
      }
      let end = CellRect(size: rect.size).inset(left: 2, top: shown.count)
      FeedEnd(browser: browser, context: context).draw(on: &canvas, in: end)
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
    if columns.showsPercent, let percent = price.percent {
      nameEnd = priceStart - 1 - percent.columns
      canvas.write(percent, at: line.moved(columns: nameEnd), style: look(theme.warning))
    }
    let nameStyle = look(product.isSoldOut ? theme.secondary : theme.text)
    canvas.write(
      listed.name.truncated(toColumns: nameEnd - 1 - columns.name),
      at: line.moved(columns: columns.name), style: isSelected ? nameStyle.adding(.bold) : nameStyle
    )
    canvas.write(price.toPay, at: line.moved(columns: priceStart), style: look(price.toPayStyle))
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
  let showsPercent: Bool

  private static let gap = 2

  /// - Parameters:
  ///   - width: columns of the row.
  ///   - language: its words decide how wide stock and age are.
  init(width: Int, language: Language) {
    let (stockWidth, ageWidth) = language == .korean ? (8, 9) : (8, 13)
    let showsStock = width >= 40
    let showsAge = width >= 52
    let end = width - 2
    ageEnd = showsAge ? end : nil
    let stockEnd = showsAge ? end - ageWidth : end
    stock = showsStock ? stockEnd - stockWidth : nil
    priceEnd = showsStock ? stockEnd - stockWidth - Self.gap : end
    showsPercent = width >= 60
  }
}
