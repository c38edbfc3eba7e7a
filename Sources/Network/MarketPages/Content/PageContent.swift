package import MarketModel
package import MarketStrings
package import SafeTextKit

/// What a page shows, before it becomes HTML or text for a terminal.
package struct PageContent: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
    case list(ListContent)
    case product(ProductContent)
    /// Why there is nothing, in one sentence.
    case notice(SafeText)
  }

  package let body: Body
  /// The page's own address; nil for one that nobody is to come back to.
  let route: PageRoute?

  package init(_ body: Body, at route: PageRoute?) {
    self.body = body
    self.route = route
  }
}

/// What all pages of a market have in common: its place, the language, the time and its zone.
package struct PageContext: Sendable {
  let site: PageSite
  package let strings: Strings
  package let now: Timestamp
  let timeZone: TimeZone
  var language: SafeText { SafeText(strings.language.rawValue) }

  package init(
    _ site: PageSite, _ strings: Strings, now: Timestamp, in timeZone: TimeZone = .utc
  ) {
    self.site = site
    self.strings = strings
    self.now = now
    self.timeZone = timeZone
  }
}

/// Product among others, as a card or a row shows it.
struct PageCard: Hashable, Sendable {
  /// A card cuts a name in its own way; this bounds the page.
  private static let nameColumns = 60

  let id: Product.ID
  let name: SafeText
  let price: PagePrice
  /// Empty where it is one, or none.
  let stock: SafeText
  let product: Product
  let age: SafeText
  let created: Timestamp
  let thumbnail: Picture?

  init(_ product: Product, _ setting: PageContext) {
    let strings = setting.strings
    id = product.id
    name = SafeText(product.name).truncated(toColumns: Self.nameColumns)
    price = PagePrice(product, strings)
    stock = StockText.fact(product, strings) ?? .empty
    self.product = product
    age = AgeText.text(product.created, now: setting.now, strings)
    created = product.created
    thumbnail = product.thumbnail
  }

  /// Stock, condition and place, as far as so many columns hold them.
  func facts(columns: Int = .max, _ strings: Strings) -> SafeText {
    let room = columns - (stock.isEmpty ? 0 : stock.columns + 3)
    let facts = AdditionalFields.short(of: product, columns: room, strings)
    return [stock, facts].filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

/// Price as a page shows it: the one to pay, and where it is reduced the old one and by how much; or that
/// the product is reserved or sold.
struct PagePrice: Hashable, Sendable {
  let toPay: SafeText
  let old: SafeText?
  let percent: SafeText?
  /// That it is reserved; nil where it is not.
  var reserved: SafeText?
  let isSold: Bool

  init(_ product: Product, _ strings: Strings) {
    isSold = product.isSoldOut
    reserved = product.isReserved ? strings[ProductFilter.reserved.phrase] : nil
    guard !isSold, let price = product.pricing.price else {
      (toPay, old, percent) = (strings[isSold ? .soldOut : .priceUnreadable], nil, nil)
      return
    }
    toPay = MoneyText.text(price.toPay)
    old = price.isReduced ? MoneyText.text(price.full) : nil
    percent = price.isReduced ? strings.counted(.discountPercent, price.discountPercent) : nil
  }
}
