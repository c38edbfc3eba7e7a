internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

/// The whole window: bars, products or detail, and what lies over them.
package struct MarketScreen {
  package let navigator: Navigator
  package let size: CellSize
  package let context: RenderContext

  package init(navigator: Navigator, size: CellSize, context: RenderContext) {
    self.navigator = navigator
    self.size = size
    self.context = context
  }

  /// Nil where the window is too small.
  package var layout: ScreenLayout? {
    ScreenLayout(
      size: size, arrangement: navigator.browser.arrangement,
      showsPictures: context.pictures.showsPictures, drafts: navigator.shelf?.drafts.count ?? 0)
  }

  /// Draws a frame; changes nothing.
  package func draw() -> Canvas {
    var canvas = Canvas(size: size)
    guard let layout else {
      drawTooSmall(on: &canvas)
      return canvas
    }
    TopBar(navigator: navigator, rect: layout.topBar, context: context).draw(on: &canvas)
    drawBody(on: &canvas, layout: layout)
    drawBottom(on: &canvas, layout: layout)
    drawOverlay(on: &canvas, layout: layout)
    return canvas
  }

  /// The pictures that this window wants: what is visible first, then one screen ahead.
  package var pictureWants: [PictureWant] {
    guard let layout else { return [] }
    if let selling = navigator.selling, selling.isActive, let wants = wants(of: selling, layout) {
      return wants
    }
    if navigator.layers.contains(.picture) { return picture(layout).wants }
    if let rect = fullDetailRect(layout) {
      return DetailView.wants(of: navigator.browser.detail, in: rect, style: context.pictures)
    }
    switch layout.products {
    case .grid(let grid): return gridWants(grid)
    case .list:
      return layout.sideDetail.map {
        DetailView.wants(
          of: navigator.browser.detail, in: $0.inset(left: 1), style: context.pictures)
      } ?? []
    }
  }

  /// The pictures of a form or a picker; nil where the list stays in sight.
  private func wants(of selling: SellingModel, _ layout: ScreenLayout) -> [PictureWant]? {
    guard let form = selling.form else { return nil }
    let photos = PhotoStrip.wants(
      form, FormLayout(layout.body, form: form), style: context.pictures)
    guard case .picker(let picker) = selling.dialog else { return photos }
    return PickerView(picker: picker, bounds: layout.body, context: context)
      .wants(style: context.pictures) + photos
  }

  /// Where the detail stands, beside the list or over it; nil where it is not shown.
  package func detailRect(_ layout: ScreenLayout) -> CellRect? {
    fullDetailRect(layout) ?? layout.sideDetail?.inset(left: 1)
  }

  private func fullDetailRect(_ layout: ScreenLayout) -> CellRect? {
    navigator.layers.contains(.detail) ? layout.body : nil
  }

  private func gridWants(_ grid: CardGrid) -> [PictureWant] {
    let rows = navigator.browser.feed.rows
    let start = navigator.browser.viewport.topRow * grid.columns
    let screen = (grid.wholeRows + 1) * grid.columns
    let shown = min(start, rows.count)..<min(start + screen, rows.count)
    let ahead = shown.upperBound..<min(shown.upperBound + screen, rows.count)
    let box = CellRect(size: CellSize(columns: grid.card.columns, rows: grid.pictureRows))
    return (Array(shown) + Array(ahead)).compactMap {
      PictureBox(rows[$0].product.thumbnail, in: box, fit: .cover, style: context.pictures).want
    }
  }

  private func drawBody(on canvas: inout Canvas, layout: ScreenLayout) {
    if let form = navigator.selling?.form {
      FormView(
        form, bounds: layout.body,
        hasKeys: navigator.top == .selling && navigator.selling?.dialog == nil, context: context
      ).draw(on: &canvas, gallery: navigator.gallery)
      return
    }
    if navigator.layers.contains(.picture) {
      picture(layout).draw(on: &canvas, gallery: navigator.gallery)
      return
    }
    if let rect = fullDetailRect(layout) { return drawDetail(on: &canvas, in: rect) }
    drawProducts(on: &canvas, layout: layout)
    guard let side = layout.sideDetail else { return }
    canvas.verticalRule(at: side.origin, rows: side.rows, style: context.theme.rule)
    drawDetail(on: &canvas, in: side.inset(left: 1))
  }

  private func drawProducts(on canvas: inout Canvas, layout: ScreenLayout) {
    let browser = navigator.browser
    let isOnShelf = navigator.shelf?.selected != nil
    switch layout.products {
    case .grid(let grid):
      GridView(browser: browser, grid: grid, showsSelection: !isOnShelf, context: context)
        .draw(on: &canvas, gallery: navigator.gallery)
    case .list(let rect):
      ListView(browser: browser, rect: rect, showsSelection: !isOnShelf, context: context)
        .draw(on: &canvas)
    }
    if let shelf = navigator.shelf {
      ShelfView(shelf: shelf, rect: layout.shelf, context: context).draw(on: &canvas)
    }
  }

  private func drawDetail(on canvas: inout Canvas, in rect: CellRect) {
    let detail = navigator.browser.detail
    DetailView(
      detail: detail, rect: rect, context: context, isOwn: navigator.isOwn(detail.product)
    ).draw(on: &canvas, gallery: navigator.gallery)
  }

  private func drawBottom(on canvas: inout Canvas, layout: ScreenLayout) {
    guard case .search = navigator.top else {
      BottomBar(navigator: navigator, rect: layout.bottomBar, context: context).draw(on: &canvas)
      return
    }
    canvas.fill(layout.bottomBar, style: context.theme.bar)
    FieldLine(
      label: context.strings[.search], editor: navigator.search.editor,
      rect: layout.bottomBar.inset(left: 1, right: 1), hint: context.strings[.searchHint],
      labelStyle: context.theme.barSecondary
    ).draw(on: &canvas, context)
  }

  private func drawOverlay(on canvas: inout Canvas, layout: ScreenLayout) {
    switch navigator.top {
    case .menu(let menu):
      MenuView(menu: menu, bounds: layout.body, context: context).draw(on: &canvas)
    case .help(let help):
      HelpView(help: help, focus: focusBelow, bounds: layout.body, context: context)
        .draw(on: &canvas)
    case .selling:
      sellingView(layout)?.draw(on: &canvas, gallery: navigator.gallery)
    case .pictureMenu(let menu):
      PictureMenuView(
        menu: menu, chosen: navigator.pictureMode, bounds: layout.body, context: context
      ).draw(on: &canvas)
    case nil, .detail, .picture, .search: break
    }
  }

  func sellingView(_ layout: ScreenLayout) -> SellingView? {
    navigator.selling.map { selling in
      SellingView(
        selling: selling, market: navigator.marketName ?? context.strings[.marketLocal],
        bounds: layout.body, context: context)
    }
  }

  private func picture(_ layout: ScreenLayout) -> PictureView {
    PictureView(detail: navigator.browser.detail, rect: layout.body, context: context)
  }

  /// What has the focus when the help is closed.
  var focusBelow: Focus {
    switch navigator.layers.dropLast().last {
    case .detail: return .detail
    case .picture: return .picture
    case .selling: return .selling(SellingFocus(of: navigator.selling))
    default: break
    }
    return Focus(browsing: navigator)
  }

  private func drawTooSmall(on canvas: inout Canvas) {
    let text = context.strings[.tooSmall]
    for (row, line) in text.wrapped(toColumns: max(1, size.columns)).enumerated() {
      canvas.write(line, at: CellPoint(column: 0, row: row), style: context.theme.text)
    }
  }
}
