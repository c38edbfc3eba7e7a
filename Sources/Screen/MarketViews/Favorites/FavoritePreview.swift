internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Facts about a favorite, shown beside its preview.
struct FavoriteFacts {
  /// Market, availability, date of addition, and why the market does not respond.
  let standing: SafeText
  /// Whether the market does not respond.
  let isTrouble: Bool
  /// User's note; nil without one.
  let note: SafeText?

  init(_ item: FavoriteItem, _ model: FavoritesListModel, _ context: RenderContext) {
    let strings = context.strings
    note = item.note.isEmpty ? nil : strings(.favoriteNote, SafeText(item.note))
    let trouble = item.market.flatMap { model.silent[$0.key] }
    isTrouble = trouble != nil
    let day = { (time: Timestamp) in DateText.day(time, now: context.now, strings) }
    var facts = [Self.market(of: item, model, context)]
    switch item {
    case .product(let product):
      if let gone = product.gone {
        facts.append(strings(.rowGoneSince, day(gone)))
      }
      let seen = DateText.recent(product.seen, now: context.now, strings)
      facts += [strings(.favoriteSince, day(product.added)), strings(.favoriteSeen, seen)]
    case .seller(let seller): facts.append(strings(.favoriteSince, day(seller.added)))
    case .search(let search): facts.append(SafeText(search.text))
    case .triggered(let triggered):
      facts.append(triggered.condition.map { AlertText.condition($0, strings) })
      if triggered.alertName != triggered.name { facts.append(SafeText(triggered.alertName)) }
    }
    facts.append(trouble.map { ErrorText.text($0, strings) })
    standing = facts.compactMap(\.self).joined(separator: " · ")
  }

  /// Name of a favorite's market as in its row; nil for searches.
  private static func market(
    of item: FavoriteItem, _ model: FavoritesListModel, _ context: RenderContext
  ) -> SafeText? {
    if case .triggered(let triggered) = item {
      return model.market(of: triggered).name ?? context.strings[.marketLocal]
    }
    return item.market.map { name(of: $0, context) }
  }

  static func name(of market: FavoriteMarket, _ context: RenderContext) -> SafeText {
    market.name.map { SafeText($0) } ?? context.strings[.marketLocal]
  }
}

/// Preview of the selected favorite, as last seen: picture, price, facts, note and text.
struct FavoritePreview {
  let item: FavoriteItem
  /// Nil for favorites other than products.
  let row: FavoriteRow?
  let facts: FavoriteFacts
  let rect: CellRect
  let context: RenderContext

  /// Divisor of the height for the picture's maximum.
  private static let pictureShare = 2

  var picture: PictureBox {
    let rows = row?.listed.product.thumbnail == nil ? 0 : rect.rows / Self.pictureShare
    var box = PictureBox(
      row?.listed.product.thumbnail, in: rect.splitTop(rows).top, fit: .whole,
      style: context.pictures, rendition: .thumbnail)
    box.alignment = .topLeft
    return box
  }

  func draw(on canvas: inout Canvas, from gallery: PictureGallery) {
    let picture = picture
    if picture.want != nil { picture.draw(on: &canvas, from: gallery, context) }
    let taken = picture.rect.rows
    var lines = rect.inset(top: taken == 0 ? 0 : taken + 1)
    write(name, context.theme.strong, in: &lines, on: &canvas)
    if let row { drawPrice(of: row, in: &lines, on: &canvas) }
    if case .triggered(let triggered) = item {
      write(
        AlertText.price(of: triggered, context.strings), context.theme.strong, in: &lines,
        on: &canvas)
    }
    write(
      facts.standing, facts.isTrouble ? context.theme.warning : context.theme.secondary,
      in: &lines, on: &canvas)
    if let note = facts.note { write(note, context.theme.accent, in: &lines, on: &canvas) }
    guard let row, !lines.isEmpty else { return }
    canvas.horizontalRule(at: lines.origin, columns: lines.columns, style: context.theme.rule)
    lines = lines.inset(top: 1)
    for paragraph in row.paragraphs where !lines.isEmpty {
      write(paragraph, context.theme.text, in: &lines, on: &canvas)
    }
  }

  private var name: SafeText {
    switch item {
    case .product(let product): row?.listed.name ?? SafeText(product.product.name)
    case .seller(let seller): SafeText(seller.seller.name)
    case .search(let search): SafeText(search.name)
    case .triggered(let triggered): SafeText(triggered.name)
    }
  }

  private func drawPrice(of row: FavoriteRow, in lines: inout CellRect, on canvas: inout Canvas) {
    guard !lines.isEmpty else { return }
    PriceLine(row.listed.product, context).draw(
      on: &canvas, at: lines.origin, columns: lines.columns, withPercent: true, gap: 2, context)
    lines = lines.inset(top: 1)
    write(
      (AdditionalFields.facts(of: row.listed.product, context.strings) + [row.listed.seller])
        .filter { !$0.isEmpty }.joined(separator: " · "),
      context.theme.secondary, in: &lines, on: &canvas)
  }

  /// Writes a text in as many lines as it needs and as there are left.
  private func write(
    _ text: SafeText, _ style: Style, in lines: inout CellRect, on canvas: inout Canvas
  ) {
    guard !lines.isEmpty else { return }
    let wrapped = text.wrapped(toColumns: max(1, lines.columns))
    for line in wrapped.isEmpty ? [.empty] : wrapped {
      guard !lines.isEmpty else { return }
      canvas.write(line, at: lines.origin, style: style)
      lines = lines.inset(top: 1)
    }
  }
}
