internal import MarketAPI
internal import MarketModel

/// Address in a link of a page: always one of this market, made of its own path and encoded words, so
/// that untrusted text cannot choose the target.
package struct PageAddress: Hashable, Sendable {
  package let text: String

  private init(_ text: String) { self.text = text }

  /// Address of a page below `start`, a path or an absolute address.
  init(_ page: PageRoute, below start: String) { self.init(start + page.target.text) }

  /// Address of the feed of a search line.
  init(feedOf line: String, after: PageCursor? = nil, below start: String) {
    let query = PageRoute.list(line: line, after: after).target.query
    self.init(start + RequestTarget(path: PageRoute.feedPath, query: query).text)
  }

  /// Address of a stored picture.
  init(_ picture: Picture, _ rendition: PictureRendition, below start: String) {
    self.init(PictureAddresses(base: start).address(of: picture, rendition))
  }

  /// Address of a file used by all pages.
  init(_ asset: PageAsset, below start: String) { self.init(start + asset.path + "?" + asset.hash) }

  /// Address of a product in the API.
  init(dataOf product: Product.ID, below start: String) {
    self.init(start + "/api/products/" + String(product.rawValue))
  }

  /// Fragment of a picture on the same page.
  static func picture(_ number: Int) -> PageAddress { PageAddress("#picture-\(number)") }
}
