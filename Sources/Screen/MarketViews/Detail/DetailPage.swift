internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// The texts of a detail in lines of some width: name, price, facts, a rule, and the description or what
/// stands in its place.
struct DetailPage {
  private typealias Draw = (inout Canvas, CellRect) -> Void

  private let listed: ListedProduct
  private let context: RenderContext
  private let head: [Draw]
  private let body: (lines: [SafeText], style: Style)
  /// The addresses in the description.
  private let links: [LinkSpans.Span]

  /// Takes whether there is a place that says so where the product has no picture.
  init(
    _ listed: ListedProduct, of model: DetailModel, isOwn: Bool, isFavorite: Bool = false,
    note: SafeText? = nil, hasPlaceForPicture: Bool, seenTracker: SeenTracker, columns: Int,
    _ context: RenderContext
  ) {
    self.listed = listed
    self.context = context
    let facts = DetailFacts(
      listed, model, isOwn: isOwn, isFavorite: isFavorite, note: note,
      hasPlaceForPicture: hasPlaceForPicture,
      history: PriceHistoryLine(seenTracker.history, of: listed.product, context), context)
    let move = PriceChange(
      from: seenTracker.formerPrice(of: listed.id), to: listed.product.pricing)
    head = Self.name(listed, move, columns: columns, context) + facts.lines(columns: columns)
    body = Self.body(of: model, columns: columns, context)
    links = model.links(columns: columns)
  }

  var count: Int { head.count + body.lines.count }

  /// What happened to a product since it was read.
  static func text(of news: LiveMarket.RowChange, _ strings: Strings) -> SafeText {
    switch news {
    case .changed: strings[.detailChanged]
    case .deleted: strings[.detailDeleted]
    }
  }

  /// Draws one line in its row.
  func draw(line: Int, on canvas: inout Canvas, in row: CellRect) {
    if line < head.count {
      head[line](&canvas, row)
    } else {
      canvas.write(body.lines[line - head.count], at: row.origin, style: body.style)
      for span in links where span.line == line - head.count {
        guard let target = LinkTarget(span.link.address) else { continue }
        let occurrence = row.origin.moved(columns: span.columns.lowerBound)
        let size = CellSize(columns: span.columns.count, rows: 1)
        canvas.link(CellRect(origin: occurrence, size: size), to: target)
      }
    }
  }

  /// Draws name and price in the one row that stays when their lines are scrolled away.
  func drawPinned(on canvas: inout Canvas, in row: CellRect) {
    let theme = context.theme
    canvas.fill(row, style: theme.bar)
    let inner = row.inset(left: 1, right: 1)
    let price = PriceLine(listed.product.pricing, context)
    let room = max(0, inner.columns - price.toPay.columns - 2)
    let name = listed.name.truncated(toColumns: room)
    canvas.write(name, at: inner.origin, style: theme.bar.adding(.bold), maxColumns: inner.columns)
    canvas.write(
      price.toPay, at: inner.origin.moved(columns: name.isEmpty ? 0 : name.columns + 2),
      style: price.toPayStyle.on(theme.bar.background), maxColumns: inner.columns)
  }

  private static func name(
    _ listed: ListedProduct, _ move: PriceChange?, columns: Int, _ context: RenderContext
  ) -> [Draw] {
    listed.name.wrapped(toColumns: columns).map { name in
      { canvas, rect in canvas.write(name, at: rect.origin, style: context.theme.strong) }
    } + [
      { canvas, rect in
        PriceLine(listed.product.pricing, context, move: move).draw(
          on: &canvas, at: rect.origin, columns: rect.columns, withPercent: true, gap: 2,
          context)
      }
    ]
  }

  /// The wrapped description, or what stands in its place.
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

/// What is known of a product beside its name and price: stock, seller, dates and its further fields,
/// with a rule under them.
private struct DetailFacts {
  private let stock: SafeText
  private let stockStyle: Style
  private let seller: SafeText
  private let others: [SafeText]
  private let further: [SafeText]
  /// What the person wrote to it.
  private let note: SafeText?
  /// The prices at which it was seen, where they changed.
  private let history: PriceHistoryLine?
  /// What happened to it since it was read.
  private let news: SafeText?
  private let theme: Theme

  init(
    _ listed: ListedProduct, _ model: DetailModel, isOwn: Bool, isFavorite: Bool, note: SafeText?,
    hasPlaceForPicture: Bool, history: PriceHistoryLine?, _ context: RenderContext
  ) {
    let strings = context.strings
    let product = listed.product
    stock = StockText.text(product.stock, strings)
    stockStyle = StockText.style(product.stock, context.theme)
    seller = listed.seller
    self.history = history
    theme = context.theme
    news = model.news.map {
      " " + DetailPage.text(of: $0, strings) + ($0 == .changed ? " · r " : " ")
    }
    let dates = [
      DateText.registered(product, now: context.now, strings),
      DateText.changed(product, now: context.now, strings),
    ]
    let star = isFavorite ? [(context.isPlain ? .empty : "★ ") + strings[.rowFavorite]] : []
    others = star + (isOwn ? [strings[.filterMine]] : []) + dates.compactMap(\.self)
    self.note = note.map { strings(.favoriteNote, $0) }
    guard case .loaded(let loaded) = model.phase else {
      further = []
      return
    }
    let fields = FieldText.further(loaded.values, strings).map { field, text in
      strings[field.phrase] + " " + text
    }
    let contact = loaded.contact.map { strings(.sellerContact, $0) }
    let saysNoPicture = loaded.pictures.isEmpty && !hasPlaceForPicture
    further =
      [contact].compactMap(\.self) + fields + (saysNoPicture ? [strings[.noPicture]] : [])
  }

  func lines(columns: Int) -> [(inout Canvas, CellRect) -> Void] {
    let seller = seller.truncated(toColumns: columns / 2)
    let facts = [stock] + (seller.isEmpty ? [] : [seller]) + others
    let texts =
      Self.sideBySide(facts, columns: columns) + Self.sideBySide(further, columns: columns)
      + (note?.wrapped(toColumns: max(1, columns)) ?? [])
    return texts.enumerated().map { row, text in
      { canvas, rect in
        canvas.write(text, at: rect.origin, style: theme.secondary)
        if row == 0 { canvas.write(stock, at: rect.origin, style: stockStyle) }
      }
    }
      + [history].compactMap(\.self).map { history in
        { canvas, rect in history.draw(on: &canvas, in: rect) }
      } + [
        { canvas, rect in
          canvas.horizontalRule(at: rect.origin, columns: rect.columns, style: theme.rule)
          // In the place of the rule, so that nothing moves under the reader.
          guard let news else { return }
          canvas.write(
            news.truncated(toColumns: max(0, rect.columns - 2)), at: rect.origin.moved(columns: 2),
            style: theme.warning)
        }
      ]
  }

  /// Facts in as many lines as the width makes them.
  private static func sideBySide(_ facts: [SafeText], columns: Int) -> [SafeText] {
    facts.reduce(into: []) { lines, fact in
      let separator: SafeText = " · "
      if let line = lines.last, line.columns + separator.columns + fact.columns <= columns {
        lines[lines.count - 1] = line + separator + fact
      } else {
        lines.append(fact.truncated(toColumns: columns))
      }
    }
  }
}
