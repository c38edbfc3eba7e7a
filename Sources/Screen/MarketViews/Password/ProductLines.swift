internal import MarketModel
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// Which product something is about: its name, the market and what it costs.
struct ProductLines {
  let product: ListedProduct
  let market: SafeText
  let context: RenderContext

  func draw(on canvas: inout Canvas, in rect: CellRect) {
    canvas.write(
      product.name.truncated(toColumns: rect.columns), at: rect.origin,
      style: context.theme.strong)
    let place = market + " · "
    let second = rect.row(1)
    canvas.write(
      place.truncated(toColumns: second.columns), at: second.origin,
      style: context.theme.secondary)
    guard place.columns < second.columns else { return }
    PriceLine(product.product.pricing, context).draw(
      on: &canvas, at: second.origin.moved(columns: place.columns),
      columns: second.columns - place.columns, withPercent: false, context)
  }
}
