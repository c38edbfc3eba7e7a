internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension DetailBlock {
  /// Blocks of the seller's other products and of similar ones below the others, in `rows`: as cards
  /// where these fit, the seller's as names and prices elsewhere.
  static func related(
    to listed: ListedProduct, _ model: OtherProducts, key: () -> SafeText, in layout: DetailLayout,
    rows: Int, _ context: RenderContext
  ) -> [DetailBlock] {
    let perRow = layout.cardsPerRow
    let others = model.others(besides: listed.id)
    let similar = model.similar(to: listed.id)
    var room = rows
    // A row of cards of each, then second rows.
    var counts = [0, 0]
    let products = [others?.products ?? [], similar]
    for row in 0..<mostRows where perRow > 1 {
      for index in products.indices where products[index].count > row * perRow {
        let needed = ProductCard.rows + (row == 0 ? 2 : 1)
        guard counts[index] == row, room >= needed else { continue }
        counts[index] += 1
        room -= needed
      }
    }
    let strings = context.strings
    let theme = context.theme
    var blocks: [DetailBlock] = []
    if let others {
      blocks.append(
        counts[0] == 0
          ? Self.others(
            others.products, of: others.total, key: key(), columns: layout.blocks.columns, context)
          : cards(
            others.products, rows: counts[0], perRow: perRow,
            below: heading(strings[.otherProducts], key: key(), all: others.total, context), context
          ))
    }
    if counts[1] > 0 {
      blocks.append(
        cards(
          similar, rows: counts[1], perRow: perRow,
          below: { canvas, row in
            canvas.write(
              strings[.similarProducts], at: row.origin, style: theme.secondary,
              maxColumns: row.columns)
          }, context))
    }
    return blocks
  }

  private static let mostRows = 2

  /// Block of rows of cards below a heading.
  private static func cards(
    _ products: [ListedProduct], rows: Int, perRow: Int, below heading: @escaping Line,
    _ context: RenderContext
  ) -> DetailBlock {
    let cards = products.prefix(rows * perRow).enumerated().map { index, product in
      // A blank line and the heading are above.
      let line = 2 + index / perRow * (ProductCard.rows + 1)
      return ProductCard(
        product: product,
        picture: CellRect(
          origin: CellPoint(column: ProductCard.column(of: index % perRow), row: line),
          size: ProductCard.pictureSize))
    }
    let count = 1 + rows * (ProductCard.rows + 1)
    var block = DetailBlock(count: count) { line, canvas, row in
      if line == 1 { heading(&canvas, row) }
      for card in cards {
        switch line - card.picture.maxRow {
        case 0: card.draw(nameIn: row, on: &canvas, context)
        case 1: card.draw(priceIn: row, on: &canvas, context)
        default: break
        }
      }
    }
    block.cards = cards
    return block
  }
}
