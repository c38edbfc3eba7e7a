internal import MarketAPI
internal import MarketModel
internal import SafeTextKit

/// Metadata in the head of a page: canonical address and Open Graph; empty if the operator configured no
/// address.
struct PageMetadata {
  private let content: PageContent
  private let title: SafeText
  private let context: PageContext
  private let start: String?

  private static let summaryColumns = 160

  init(_ content: PageContent, _ title: SafeText, _ context: PageContext) {
    self.content = content
    self.title = title
    self.context = context
    start = context.site.publicAddress
  }

  var html: HTML {
    guard let start, let route = content.route else { return .empty }
    let address = PageAddress(route, below: start)
    return """
      <link rel="canonical" href="\(address)">
      <meta property="og:url" content="\(address)">
      <meta property="og:site_name" content="\(context.site.name ?? "OpenMarket")">
      <meta property="og:title" content="\(title)">
      \(details(below: start))
      """
  }

  private func details(below start: String) -> HTML {
    let (kind, facts, price): (HTML, [SafeText?], HTML)
    switch content.body {
    case .product(let product):
      let text = product.lines.prefix(8).joined(separator: " ")
      (kind, facts) = ("product", [product.price.toPay, text])
      price = self.price(of: product)
    case .list(let list) where !list.cards.isEmpty:
      let names = list.cards.prefix(5).map(\.name).joined(separator: ", ")
      (kind, facts) = ("website", [list.count, names])
      price = .empty
    case .list, .notice: return "<meta property=\"og:type\" content=\"website\">\n"
    }
    let summary = facts.compactMap(\.self).joined(separator: " · ")
      .truncated(toColumns: Self.summaryColumns)
    return """
      <meta property="og:type" content="\(kind)">
      <meta name="description" content="\(summary)">
      <meta property="og:description" content="\(summary)">
      \(image(below: start))\(price)
      """
  }

  private func image(below start: String) -> HTML {
    guard let picture = content.preview else { return .empty }
    let address = PageAddress(picture, .original, below: start)
    let size: HTML =
      content.previewSize.map { size in
        """
        <meta property="og:image:width" content="\(size.width)">
        <meta property="og:image:height" content="\(size.height)">

        """
      } ?? .empty
    return "<meta property=\"og:image\" content=\"\(address)\">\n\(size)"
  }

  private func price(of product: ProductContent) -> HTML {
    guard let price = product.pricing.price?.toPay else { return .empty }
    return """
      <meta property="product:price:amount" content="\(price.plainAmount)">
      <meta property="product:price:currency" content="\(SafeText(price.currency.rawValue))">

      """
  }
}

/// Product for search engines (schema.org microdata, which needs no script).
struct ProductItem {
  private let product: ProductContent
  private let start: String?

  init(_ product: ProductContent, _ context: PageContext) {
    self.product = product
    start = context.site.publicAddress
  }

  /// Attributes that mark an element as a product; empty if the operator configured no address.
  static func scope(in context: PageContext) -> HTML {
    context.site.publicAddress == nil
      ? .empty : " itemscope itemtype=\"https://schema.org/Product\""
  }

  var html: HTML {
    guard let start else { return .empty }
    let pictures: [HTML] = product.pictures.map {
      "<link itemprop=\"image\" href=\"\(PageAddress($0, .original, below: start))\">\n"
    }
    return """
      <link itemprop="url" href="\(PageAddress(.product(product.id), below: start))">
      <meta itemprop="name" content="\(product.name)">
      <meta itemprop="description" content="\(summary)">
      <meta itemprop="sku" content="\(product.id.rawValue)">
      \(pictures)\(offer)
      """
  }

  private var summary: SafeText {
    product.lines.prefix(20).joined(separator: " ").truncated(toColumns: 300)
  }

  private var offer: HTML {
    guard let price = product.pricing.price?.toPay else { return .empty }
    let availability: HTML =
      product.price.isSold ? "https://schema.org/SoldOut" : "https://schema.org/InStock"
    return """
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer" hidden>
      <meta itemprop="price" content="\(price.plainAmount)">
      <meta itemprop="priceCurrency" content="\(SafeText(price.currency.rawValue))">
      <link itemprop="availability" href="\(availability)">
      <span itemprop="seller" itemscope itemtype="https://schema.org/Person">\
      <meta itemprop="name" content="\(product.seller)"></span>
      </div>

      """
  }
}

extension Money {
  /// Amount as digits with a decimal point, for machines.
  fileprivate var plainAmount: SafeText {
    SafeText(String(hundredths: hundredths, decimals: .twoOrNone))
  }
}
