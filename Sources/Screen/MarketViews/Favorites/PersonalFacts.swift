internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Texts about a line of the list of personal data.
struct PersonalFacts {
  let name: SafeText
  /// Price, condition or words of the search; nil for favorites, which draw their own.
  var content: SafeText?
  /// Market, availability, dates, and why the market does not respond; nil for a search.
  var standing: SafeText?
  /// Whether the market does not respond.
  var isTrouble = false
  /// User's note on a favorite, or since when an alert's market has not responded; nil for none.
  var note: SafeText?
  let facts: [ListFact]

  /// Returns nil until the line is read.
  init?(_ line: PersonalLine, _ model: PersonalListModel, _ context: RenderContext) {
    let (strings, theme) = (context.strings, context.theme)
    let day = { (time: Timestamp) in DateText.day(time, now: context.now, strings) }
    let market = model.market(of: line)?.name ?? strings[.marketLocal]
    var trouble: SafeText?
    switch line {
    case .product(let id):
      guard let row = model.product(id) else { return nil }
      let product = row.favorite
      name = row.listed.name
      trouble = model.silent[product.market.key].map { ErrorText.text($0, strings) }
      let seen = DateText.recent(product.seen, now: context.now, strings)
      standing = [
        Self.name(of: product.market, context),
        product.gone.map { strings(.rowGoneSince, day($0)) },
        strings(.favoriteSince, day(product.added)), strings(.favoriteSeen, seen), trouble,
      ].compactMap(\.self).joined(separator: " · ")
      note = product.note.isEmpty ? nil : strings(.favoriteNote, SafeText(product.note))
    case .seller(let id):
      guard let seller = model.seller(id) else { return nil }
      name = SafeText(seller.seller.name)
      trouble = model.silent[seller.market.key].map { ErrorText.text($0, strings) }
      standing = [
        Self.name(of: seller.market, context), strings(.favoriteSince, day(seller.added)), trouble,
      ].compactMap(\.self).joined(separator: " · ")
      note = seller.note.isEmpty ? nil : strings(.favoriteNote, SafeText(seller.note))
    case .search(let search): (name, content) = (SafeText(search.name), SafeText(search.text))
    case .triggered(let triggered):
      name = AlertText.more(SafeText(triggered.name), triggered.count, strings)
      (content, standing) = (AlertText.sentence(triggered, strings), market)
    case .alert(let alert):
      name = SafeText(alert.name)
      (content, standing) = (AlertText.condition(alert.condition, strings), market)
      note = Self.silence(of: alert, model, context)
    case .viewed(let product):
      name = SafeText(product.name)
      content = Self.price(of: product, model, context)
      let viewed = DateText.text(product.viewed, now: context.now, strings)
      standing = Self.name(of: product.market, context) + " · " + strings(.historyViewed, viewed)
    }
    isTrouble = trouble != nil
    let noteStyle = if case .alert = line { theme.warning } else { theme.text }
    let others: [(SafeText?, Style)] = [
      (content, theme.text), (standing, isTrouble ? theme.warning : theme.secondary),
      (note, noteStyle),
    ]
    facts =
      [ListFact(text: name, style: theme.strong)]
      + others.compactMap { text, style in text.map { ListFact(text: $0, style: style) } }
  }

  static func name(of market: FavoriteMarket, _ context: RenderContext) -> SafeText {
    market.name.map { SafeText($0) } ?? context.strings[.marketLocal]
  }

  /// Price as it was viewed, and the present one if that differs.
  static func price(
    of product: ViewedProduct, _ model: PersonalListModel, _ context: RenderContext
  ) -> SafeText {
    let then = product.price.map(MoneyText.text) ?? context.strings[.priceUnreadable]
    return model.priceNow(of: product).map {
      context.strings(.priceThenNow, then, MoneyText.text($0))
    } ?? then
  }

  /// Text that the market of an alert has not responded, with the time; nil where it responds.
  static func silence(
    of alert: Alert, _ model: PersonalListModel, _ context: RenderContext
  ) -> SafeText? {
    model.silence(of: alert).map { since in
      context.strings(
        .alertNoResponse, DateText.recent(since, now: context.now, context.strings))
    }
  }
}
