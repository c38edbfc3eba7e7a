internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Block of lines below the facts of a detail.
struct DetailBlock {
  typealias Line = (inout Canvas, CellRect) -> Void

  let count: Int
  /// Draws one of the block's lines in a row.
  let draw: (Int, inout Canvas, CellRect) -> Void
  /// Line in place of the block where there is no room: a count, and the key that shows the items; nil
  /// for a block that is always whole.
  let summary: Line?
  /// Cards in the block, whose pictures are drawn apart; their lines are counted from the block's first.
  var cards: [ProductCard] = []
  /// Numbers of lines after which the block may be cut, ascending; empty for a block that is always
  /// whole.
  private let ends: [Int]

  init(
    count: Int, summary: Line? = nil, ends: [Int] = [],
    draw: @escaping (Int, inout Canvas, CellRect) -> Void
  ) {
    self.count = count
    self.summary = summary
    self.ends = ends
    self.draw = draw
  }

  /// Creates a block with a blank line above it.
  init(_ lines: [Line], summary: Line? = nil, ends: [Int] = []) {
    self.init(count: lines.count + 1, summary: summary, ends: ends) { line, canvas, row in
      if line > 0 { lines[line - 1](&canvas, row) }
    }
  }

  /// Shortens blocks to fit into `rows`, the last ones first.
  static func fitted(_ blocks: [DetailBlock], into rows: Int) -> [DetailBlock] {
    var blocks = blocks
    var count = blocks.reduce(0) { $0 + $1.count }
    for index in blocks.indices.reversed() where count > rows {
      guard let summary = blocks[index].summary else { continue }
      let room = rows - count + blocks[index].count
      let end = blocks[index].ends.last { $0 <= room }
      let short =
        end.map { DetailBlock(count: $0, draw: blocks[index].draw) } ?? DetailBlock([summary])
      count -= blocks[index].count - short.count
      blocks[index] = short
    }
    return blocks
  }

  private static let separator: SafeText = " · "

  /// Returns facts joined in as few lines of `columns` as possible.
  static func sideBySide(_ facts: [SafeText], columns: Int) -> [SafeText] {
    facts.reduce(into: []) { lines, fact in
      if let line = lines.last, line.columns + separator.columns + fact.columns <= columns {
        lines[lines.count - 1] = line + separator + fact
      } else {
        lines.append(fact.truncated(toColumns: columns))
      }
    }
  }
}

// MARK: Blocks

extension DetailBlock {
  /// Block of the seller's name, number of products and contact, as far as known; nil where nothing is
  /// known.
  static func seller(
    of listed: ListedProduct, _ total: ProductTotal?, contact: SafeText?, columns: Int,
    _ context: RenderContext
  ) -> DetailBlock? {
    let strings = context.strings
    let count: SafeText? =
      switch total {
      case .exactly(let count): strings.counted(.sellerProducts, count)
      case .atLeast, .unknown, nil: nil
      }
    let facts = [count, contact.map { strings(.sellerContact, $0) }].compactMap(\.self)
    let name = listed.seller.truncated(toColumns: facts.isEmpty ? columns : columns / 2)
    let lines = sideBySide([name].filter { !$0.isEmpty } + facts, columns: columns)
    guard !lines.isEmpty else { return nil }
    return DetailBlock(
      lines.enumerated().map { index, text in
        { canvas, row in
          canvas.write(text, at: row.origin, style: context.theme.secondary)
          if index == 0 { canvas.write(name, at: row.origin, style: context.theme.strong) }
        }
      })
  }

  /// Block of previous prices, in a wide window as a table; nil where the price changed at most once.
  static func prices(
    _ history: PriceHistoryLine, columns: Int, asTable: Bool, _ context: RenderContext
  ) -> DetailBlock? {
    guard !history.prices.isEmpty else { return nil }
    let summary: Line = { canvas, row in history.draw(on: &canvas, in: row) }
    guard !asTable else {
      return DetailBlock(
        history.table(columns: columns, label: context.strings[ProductField.price.phrase]),
        summary: summary)
    }
    let prices = history.lines(columns: columns).map { text -> Line in
      { canvas, row in canvas.write(text, at: row.origin, style: history.theme.secondary) }
    }
    return DetailBlock([summary] + prices, summary: summary)
  }

  private static let linesOfProducts = 2

  /// Block of names and prices of other products of the seller, at least two per line, with the key
  /// that shows all.
  static func others(
    _ products: [ListedProduct], of total: ProductTotal, key: SafeText, columns: Int,
    _ context: RenderContext
  ) -> DetailBlock {
    let theme = context.theme
    let heading = heading(context.strings[.otherProducts], key: key, all: total, context)
    let names = products.map { product in
      let price = PriceLine(product.product, context).toPay
      let room = (columns - separator.columns) / 2 - price.columns - 1
      return product.name.truncated(toColumns: max(0, room)) + " " + price
    }
    let lines = sideBySide(names, columns: columns).prefix(linesOfProducts).map { text -> Line in
      { canvas, row in canvas.write(text, at: row.origin, style: theme.text) }
    }
    return DetailBlock([heading] + lines, summary: heading)
  }

  /// Line with a block's title and the key that shows all its items.
  static func heading(
    _ words: SafeText, key: SafeText, all total: ProductTotal, _ context: RenderContext
  ) -> Line {
    let theme = context.theme
    let all = count(total, context.strings)
    return { canvas, row in
      canvas.write(words, at: row.origin, style: theme.secondary, maxColumns: row.columns)
      let columns = key.columns + 1 + all.columns
      guard words.columns + 2 + columns <= row.columns else { return }
      let place = row.splitRight(columns).right.origin
      canvas.write(key, at: place, style: theme.accent)
      canvas.write(all, at: place.moved(columns: key.columns + 1), style: theme.secondary)
    }
  }

  private static func count(_ total: ProductTotal, _ strings: Strings) -> SafeText {
    switch total {
    case .exactly(let count): strings(.otherProductsAll, SafeText(String(grouped: Int64(count))))
    case .atLeast(let count):
      strings(.otherProductsAll, SafeText(String(grouped: Int64(count)) + "+"))
    case .unknown: strings[.keySeller]
    }
  }
}
