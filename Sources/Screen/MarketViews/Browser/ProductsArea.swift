internal import MarketViewModels
internal import TerminalKit

/// Area of the products, as cards or as rows, and the positions in it.
struct ProductsArea {
  let browser: BrowserModel
  let layout: ScreenLayout
  /// Whether the selection is among the products.
  let showsSelection: Bool
  let context: RenderContext

  private enum View {
    case grid(GridView)
    case list(ListView)
  }

  private var view: View {
    switch layout.products {
    case .grid(let grid):
      .grid(
        GridView(browser: browser, grid: grid, showsSelection: showsSelection, context: context))
    case .list(let list):
      .list(
        ListView(browser: browser, list: list, showsSelection: showsSelection, context: context))
    }
  }

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    switch view {
    case .grid(let grid): grid.draw(on: &canvas, gallery: gallery)
    case .list(let list): list.draw(on: &canvas, gallery: gallery)
    }
  }

  /// Pictures of the products on the screen.
  var wants: [PictureWant] {
    switch view {
    case .grid(let grid): grid.wants
    case .list(let list): list.wants
    }
  }

  /// Pictures to load after those of the detail.
  var wantsAhead: [PictureWant] {
    switch view {
    case .grid: []
    case .list(let list): list.wantsAhead
    }
  }

  /// Position of the selected product; nil where it is off the screen.
  var selectedPlace: CellRect? {
    let position = browser.viewport.selected - browser.viewport.visibleWithCutRow.lowerBound
    guard position >= 0 else { return nil }
    switch layout.products {
    case .grid(let grid):
      return grid.cardRect(row: position / grid.columns, column: position % grid.columns)
    case .list(let list): return list.rect(of: position).inset(left: RowColumns.name)
    }
  }

  /// Index of the product at a point; nil where there is none.
  func product(at point: CellPoint) -> Int? {
    guard let offset = layout.productOffset(at: point) else { return nil }
    let index = browser.viewport.visible.lowerBound + offset
    return index < browser.feed.count ? index : nil
  }

  private static let linesPerNotch = 3

  /// Rows by which one notch of the wheel scrolls.
  var rowsPerNotch: Int {
    switch layout.products {
    case .list(let list) where !list.hasThumbnails: Self.linesPerNotch
    case .grid, .list: 1
    }
  }
}
