internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Texts of a detail, wrapped to a width: name, price and facts, and below them the blocks: a rule, the
/// description or its replacement, and further information for buyers.
struct DetailPage {
  private typealias Line = DetailBlock.Line

  private let listed: ListedProduct
  private let context: RenderContext
  private let layout: DetailLayout
  private let head: [Line]
  private let blocks: [DetailBlock]
  /// First line of the blocks.
  private let start: Int
  let count: Int
  /// Cards of other products, with lines of the page.
  let cards: [ProductCard]

  /// Creates the page; the closures return the keys that show the seller's products and all questions.
  init(
    _ listed: ListedProduct, of model: DetailModel, isOwn: Bool, isFavorite: Bool = false,
    note: SafeText? = nil, seenTracker: SeenTracker, in layout: DetailLayout,
    sellerKey: () -> SafeText, questionsKey: () -> SafeText, _ context: RenderContext
  ) {
    self.listed = listed
    self.context = context
    self.layout = layout
    let history = PriceHistoryLine(seenTracker.history, of: listed.product, context)
    let facts = DetailFacts(
      listed, model, isOwn: isOwn, isFavorite: isFavorite, note: note,
      hasPlaceForPicture: !layout.picture.isEmpty, context)
    let columns = layout.text.columns
    head =
      Self.name(listed, columns: columns, context)
      + Self.price(listed, history, columns: columns, context) + facts.lines(columns: columns)
    start = layout.firstLineOfBlocks(below: head.count)
    blocks = DetailBlock.fitted(
      Self.blocks(
        of: listed, model, history, isOwn: isOwn, in: layout, start: start, sellerKey: sellerKey,
        questionsKey: questionsKey, context),
      into: layout.viewport.rows - start)
    var (line, cards) = (start, [ProductCard]())
    for block in blocks {
      cards += block.cards.map { card in
        var card = card
        card.picture = card.picture.offset(rows: line)
        return card
      }
      line += block.count
    }
    (count, self.cards) = (line, cards)
  }

  /// Returns the text of a change to the product since it was loaded.
  static func text(of news: LiveMarket.RowChange, _ strings: Strings) -> SafeText {
    switch news {
    case .changed: strings[.detailChanged]
    case .deleted: strings[.detailDeleted]
    }
  }

  /// Draws one line of the page in a row of the viewport.
  func draw(line: Int, on canvas: inout Canvas, in row: CellRect) {
    let headLine = line - layout.linesAboveText
    if head.indices.contains(headLine) {
      head[headLine](&canvas, row.columns(of: layout.text))
    }
    var line = line - start
    for block in blocks where line >= 0 {
      if line < block.count {
        block.draw(
          line, &canvas,
          row.columns(of: block.cards.isEmpty ? layout.blocks : layout.viewport))
      }
      line -= block.count
    }
  }

  /// Draws name and price in the pinned row, once their lines are scrolled out of sight.
  func drawPinned(on canvas: inout Canvas, in row: CellRect) {
    let theme = context.theme
    canvas.fill(row, style: theme.bar)
    let inner = row.inset(left: 1, right: 1)
    let price = PriceLine(listed.product, context)
    let room = max(0, inner.columns - price.toPay.columns - 2)
    let name = listed.name.truncated(toColumns: room)
    canvas.write(name, at: inner.origin, style: theme.bar.adding(.bold), maxColumns: inner.columns)
    canvas.write(
      price.toPay, at: inner.origin.moved(columns: name.isEmpty ? 0 : name.columns + 2),
      style: price.toPayStyle.on(theme.bar.background), maxColumns: inner.columns)
  }

  private static func name(
    _ listed: ListedProduct, columns: Int, _ context: RenderContext
  ) -> [Line] {
    listed.name.wrapped(toColumns: columns).map { name in
      { canvas, rect in canvas.write(name, at: rect.origin, style: context.theme.strong) }
    }
  }

  /// Reserved mark, price, and previous price: beside it, or below where there is no room.
  private static func price(
    _ listed: ListedProduct, _ history: PriceHistoryLine?, columns: Int, _ context: RenderContext
  ) -> [Line] {
    let price = PriceLine(listed.product, context, badgesReserved: false)
    let mark = listed.product.isReserved ? PriceLine.reserved(context) : .empty
    let start = mark.isEmpty ? 0 : mark.columns + 2
    let line: Line = { canvas, rect in
      canvas.write(mark, at: rect.origin, style: context.theme.accent, maxColumns: rect.columns)
      price.draw(
        on: &canvas, at: rect.origin.moved(columns: start), columns: rect.columns - start,
        withPercent: true, gap: 2, context)
    }
    guard let previous = history?.previous else { return [line] }
    let used = start + price.columns(gap: 2, context) + 3
    let isBeside = used + previous.columns <= columns
    let previousLine: Line = { canvas, rect in
      canvas.write(
        previous, at: rect.origin.moved(columns: isBeside ? used : 0),
        style: context.theme.secondary, maxColumns: rect.columns)
    }
    guard isBeside else { return [line, previousLine] }
    return [
      { canvas, rect in
        line(&canvas, rect)
        previousLine(&canvas, rect)
      }
    ]
  }

  /// Returns the blocks below the facts, in order.
  private static func blocks(
    of listed: ListedProduct, _ model: DetailModel, _ history: PriceHistoryLine?, isOwn: Bool,
    in layout: DetailLayout, start: Int, sellerKey: () -> SafeText,
    questionsKey: () -> SafeText, _ context: RenderContext
  ) -> [DetailBlock] {
    let columns = layout.blocks.columns
    let description = description(of: model, columns: columns, context)
    let others = model.otherProducts.others(besides: listed.id)
    guard case .loaded(let detail) = model.phase else {
      return [description]
        + [DetailBlock.seller(of: listed, nil, contact: nil, columns: columns, context)].compactMap(
          \.self)
    }
    let blocks = [
      description,
      DetailBlock.seller(
        of: listed, others?.total, contact: detail.contact, columns: columns, context),
      history.flatMap {
        DetailBlock.prices($0, columns: columns, asTable: !layout.scrollsPicture, context)
      },
      DetailBlock.questions(
        model.questions.page(about: listed.id), count: detail.questionCount, isOwn: isOwn,
        key: questionsKey(), columns: columns, scrolls: layout.scrollsPicture, context),
    ].compactMap(\.self)
    let rows = layout.viewport.rows - start - blocks.reduce(0) { $0 + $1.count }
    return blocks
      + DetailBlock.related(
        to: listed, model.otherProducts, key: sellerKey, in: layout, rows: rows, context)
  }

  /// Block of a rule, on which changes to the product are shown so that the text does not move, and of
  /// the description with its links.
  private static func description(
    of model: DetailModel, columns: Int, _ context: RenderContext
  ) -> DetailBlock {
    let (lines, style) = body(of: model, columns: columns, context)
    let links = model.links(columns: columns)
    let news = model.news.map {
      " " + text(of: $0, context.strings) + ($0 == .changed ? " · r " : " ")
    }
    return DetailBlock(count: lines.count + 1) { line, canvas, row in
      guard line > 0 else {
        canvas.horizontalRule(at: row.origin, columns: row.columns, style: context.theme.rule)
        if let news {
          canvas.write(
            news.truncated(toColumns: max(0, row.columns - 2)), at: row.origin.moved(columns: 2),
            style: context.theme.warning)
        }
        return
      }
      canvas.write(lines[line - 1], at: row.origin, style: style)
      for span in links where span.line == line - 1 {
        guard let target = LinkTarget(span.link.address) else { continue }
        let occurrence = row.origin.moved(columns: span.columns.lowerBound)
        let size = CellSize(columns: span.columns.count, rows: 1)
        canvas.link(CellRect(origin: occurrence, size: size), to: target)
      }
    }
  }

  /// Wrapped description, or the text in its place.
  private static func body(
    of model: DetailModel, columns: Int, _ context: RenderContext
  ) -> (lines: [SafeText], style: Style) {
    let strings = context.strings
    let theme = context.theme
    switch model.phase {
    case .failed(_, let error):
      let text = strings(.retryWith, ErrorText.text(error, strings), "R")
      return (("✗ " + text).wrapped(toColumns: columns), theme.warning)
    case .loaded(let loaded) where loaded.paragraphs.contains { !$0.isEmpty }:
      return (model.lines(columns: columns) ?? [], theme.text)
    case .loaded: return ([strings[.noDescription]], theme.secondary)
    case .loading:
      return (context.isPlain || model.spinner.isShown ? [strings[.loading]] : [], theme.secondary)
    case .empty: return ([], theme.text)
    }
  }
}

/// Facts of a product besides name and price, in one line where they fit: stock, further fields, dates,
/// and its relation to the user.
private struct DetailFacts {
  private let facts: [SafeText]
  /// Age of the registration, without the date.
  private let age: SafeText
  /// Age of the registration, with the date.
  private let registered: SafeText
  private let others: [SafeText]
  /// User's note; nil without one.
  private let note: SafeText?
  private let style: Style

  init(
    _ listed: ListedProduct, _ model: DetailModel, isOwn: Bool, isFavorite: Bool, note: SafeText?,
    hasPlaceForPicture: Bool, _ context: RenderContext
  ) {
    let (strings, product) = (context.strings, listed.product)
    style = context.theme.secondary
    self.note = note.map { strings(.favoriteNote, $0) }
    age = AgeText.text(product.created, now: context.now, strings)
    registered = DateText.registered(product, now: context.now, strings)
    let changed = DateText.changed(product, now: context.now, strings)
    var others = [changed].compactMap(\.self)
    if isFavorite { others.append((context.isPlain ? .empty : "★ ") + strings[.rowFavorite]) }
    if isOwn { others.append(strings[.filterMine]) }
    guard case .loaded(let loaded) = model.phase else {
      (facts, self.others) = (AdditionalFields.facts(of: product, strings), others)
      return
    }
    facts =
      [StockText.fact(product, strings)].compactMap(\.self)
      + AdditionalFields.text(of: loaded.values, strings)
    if loaded.pictures.isEmpty, !hasPlaceForPicture { others.append(strings[.noPicture]) }
    self.others = others
  }

  func lines(columns: Int) -> [DetailBlock.Line] {
    let whole = DetailBlock.sideBySide(facts + [registered] + others, columns: columns)
    let texts =
      (whole.count == 1
        ? whole : DetailBlock.sideBySide(facts + [age] + others, columns: columns))
      + (note?.wrapped(toColumns: max(1, columns)) ?? [])
    return texts.map { text in
      { canvas, rect in canvas.write(text, at: rect.origin, style: style) }
    }
  }
}

extension CellRect {
  /// Returns these rows in the columns of another rectangle.
  fileprivate func columns(of other: CellRect) -> CellRect {
    CellRect(column: other.minColumn, row: minRow, columns: other.columns, rows: rows)
  }
}
