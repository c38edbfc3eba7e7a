internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// What there is to say of something that is kept, beside how its market shows it.
struct FavoriteFacts {
  /// Where it is, what became of it, since when it is kept, and why its market says nothing.
  let standing: SafeText
  /// Whether its market does not answer.
  let isTrouble: Bool
  /// Nil where none was written.
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

  /// The market of an item as its row calls it; nil for searches.
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

/// The selected one of what is kept, as it was seen last: picture, price, facts, note and text.
struct FavoritePreview {
  let item: FavoriteItem
  /// Nil for what is no product.
  let row: FavoriteRow?
  let facts: FavoriteFacts
  let rect: CellRect
  let context: RenderContext

  /// The picture takes no more than this part of the height.
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

  /// Writes a text in as many lines as it needs, as far as these are there.
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
