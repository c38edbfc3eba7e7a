package import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// HTML page: header, content, metadata and footer.
package struct HTMLPage {
  private static let product: SafeText = "OpenMarket"

  private let content: PageContent
  private let context: PageContext
  private var strings: Strings { context.strings }
  private var site: PageSite { context.site }

  package init(_ content: PageContent, _ context: PageContext) {
    self.content = content
    self.context = context
  }

  /// HTML document in UTF-8.
  package var bytes: [UInt8] { document.bytes }

  /// Content security policy: pictures and style of this market, and its search form; pictures from
  /// `storage` as well, if they are redirected there.
  package static func policy(allowing storage: WebAddress.Origin? = nil) -> String {
    let places = (["'self'"] + (storage.map { [$0.text] } ?? [])).joined(separator: " ")
    return "default-src 'none'; img-src \(places); style-src 'self'; form-action 'self'; "
      + "base-uri 'none'; frame-ancestors 'none'"
  }

  private var document: HTML {
    """
    <!doctype html>
    <html lang="\(context.language)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <title>\(title)</title>
    <link rel="stylesheet" href="\(PageAddress(.style, below: site.root))">
    <link rel="icon" type="image/svg+xml" href="\(PageAddress(.icon, below: site.root))">
    <link rel="alternate" type="application/atom+xml" title="\(position)" href="\(PageAddress(feedOf: content.route?.feedLine ?? "", below: site.root))">
    \(isHidden ? "<meta name=\"robots\" content=\"noindex\">\n" : HTML.empty)\(PageMetadata(content, title, context).html)</head>
    <body>
    <a class="skip" href="#content">\(strings[.pageSkip])</a>
    \(bar)
    <main id="content">
    \(main)
    </main>
    \(TerminalCommandHints(content, context).html)
    </body>
    </html>

    """
  }

  /// Whether the page is `noindex`: searches are endless, and notices have no content.
  private var isHidden: Bool {
    switch content.route {
    case .list(let line, _): !line.isEmpty
    case .product, .seller: false
    case nil: true
    }
  }

  private var position: SafeText { Self.product + " · " + site.title }

  private var title: SafeText {
    switch content.body {
    case .list(let list):
      if let seller = list.seller {
        seller.name.truncated(toColumns: 60) + " · " + position
      } else {
        list.line.isEmpty ? position : list.line.truncated(toColumns: 60) + " · " + position
      }
    case .product(let product): product.name.truncated(toColumns: 80) + " · " + position
    case .notice: position
    }
  }

  private var bar: HTML {
    let home = PageAddress(.home, below: site.root)
    return """
      <header class="bar"><a class="brand" href="\(home)">\(Self.product)</a> \
      <span class="place"><span dir="auto">\(site.title)</span>\(trail)</span>\(number)</header>
      """
  }

  /// Number of products or name of the product, after the market's name.
  private var trail: HTML {
    switch content.body {
    case .list(let list): list.count.map { "<span class=\"count\"> · \($0)</span>" } ?? .empty
    case .product(let product):
      "<span> › \(HTML.isolated(product.name.truncated(toColumns: 60)))</span>"
    case .notice: .empty
    }
  }

  private var number: HTML {
    guard case .product(let product) = content.body else { return .empty }
    return "<span class=\"number\">#\(product.id.rawValue)</span>"
  }

  private var main: HTML {
    switch content.body {
    case .list(let list): ListMarkup(list, context).html
    case .product(let product): ProductMarkup(product, context).html
    case .notice(let sentence):
      """
      <div class="notice"><h1 dir="auto">\(sentence)</h1>
      <p><a href="\(PageAddress(.home, below: site.root))">\(strings[.pageToMarket])</a></p></div>
      """
    }
  }
}
