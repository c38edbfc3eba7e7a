package import MarketModel
package import MarketStrings
package import SafeTextKit

/// Content of a page, to be rendered as HTML or terminal text.
package struct PageContent: Hashable, Sendable {
  /// Content by the kind of page.
  package enum Body: Hashable, Sendable {
    case list(ListContent)
    case product(ProductContent)
    /// One sentence for a page without content.
    case notice(SafeText)
  }

  package let body: Body
  /// Route of the page; nil for a notice, which has no address.
  let route: PageRoute?
  /// Size of `preview`; nil if unknown.
  package var previewSize: PixelSize?

  /// Picture that stands for the page in previews of its link; nil if there is none.
  package var preview: Picture? {
    switch body {
    case .product(let product): product.pictures.first
    case .list(let list): list.cards.lazy.compactMap(\.thumbnail).first
    case .notice: nil
    }
  }

  package init(_ body: Body, at route: PageRoute?) {
    self.body = body
    self.route = route
  }
}

/// Context of all pages of a market: its site, language, time and time zone.
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

/// Product as a card or row.
struct PageCard: Hashable, Sendable {
  /// Maximum width of a name; cards cut it further themselves.
  private static let nameColumns = 60

  let id: Product.ID
  let name: SafeText
  let price: PagePrice
  /// Stock as text; empty if it is one or none.
  let stock: SafeText
  let product: Product
  let age: SafeText
  let created: Timestamp
  let thumbnail: Picture?

  init(_ product: Product, _ context: PageContext) {
    let strings = context.strings
    id = product.id
    name = SafeText(product.name).truncated(toColumns: Self.nameColumns)
    price = PagePrice(product, strings)
    stock = StockText.fact(product, strings) ?? .empty
    self.product = product
    age = AgeText.text(product.created, now: context.now, strings)
    created = product.created
    thumbnail = product.thumbnail
  }

  /// Stock, condition and location, as far as they fit `columns`.
  func facts(columns: Int = .max, _ strings: Strings) -> SafeText {
    let room = columns - (stock.isEmpty ? 0 : stock.columns + 3)
    let facts = AdditionalFields.short(of: product, columns: room, strings)
    return [stock, facts].filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

/// Price on a page: the price to pay, and for a discount the old one and the percentage; or that the
/// product is sold.
struct PagePrice: Hashable, Sendable {
  let toPay: SafeText
  let old: SafeText?
  let percent: SafeText?
  /// Word for a reserved product; nil if it is not reserved.
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
