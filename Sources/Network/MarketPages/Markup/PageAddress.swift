internal import MarketAPI
internal import MarketModel

/// Address that a page links to: always one of this market, made of its own path and of encoded words,
/// so that no stranger's text chooses where a link leads.
package struct PageAddress: Hashable, Sendable {
  package let text: String

  private init(_ text: String) {
    self.text = text
  }

  /// A page, below what the market's addresses begin with: a path, or scheme and host before it.
  init(_ page: PageRoute, below start: String) {
    self.init(start + page.target.text)
  }

  /// The feed of what a search line finds.
  init(feedOf line: String, after: PageCursor? = nil, below start: String) {
    let query = PageRoute.list(line: line, after: after).target.query
    self.init(start + RequestTarget(path: PageRoute.feedPath, query: query).text)
  }

  /// A picture of the store.
  init(_ picture: Picture, _ rendition: PictureRendition, below start: String) {
    self.init(PictureAddresses(base: start).address(of: picture, rendition))
  }

  /// A file that belongs to all pages.
  init(_ asset: PageAsset, below start: String) {
    self.init(start + asset.path + "?" + asset.mark)
  }

  /// What the API answers for a product.
  init(dataOf product: Product.ID, below start: String) {
    self.init(start + "/api/products/" + String(product.rawValue))
  }

  /// A place on the page itself.
  static func picture(_ number: Int) -> PageAddress { PageAddress("#picture-\(number)") }
}
