internal import MarketAPI
package import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// Feed of a list, newest products first (Atom, RFC 4287).
package struct AtomFeed {
  /// Characters of a description that its entry begins with.
  package static let summaryCharacters = 300
  private static let summaryColumns = 300

  private let page: ProductPage
  /// The beginnings of the products' descriptions, in their order.
  private let descriptions: [String]
  private let line: String
  private let after: PageCursor?
  private let setting: PageContext
  private var site: PageSite { setting.site }

  package init(
    of page: ProductPage, describedBy descriptions: [String], line: String, after: PageCursor?,
    _ setting: PageContext
  ) {
    self.page = page
    self.descriptions = descriptions
    self.line = line
    self.after = after
    self.setting = setting
  }

  /// When what it shows was changed last; nil where it shows nothing.
  package var changed: Timestamp? { page.products.map(\.changed).max { $0.seconds < $1.seconds } }

  /// The document, in UTF-8.
  package var bytes: [UInt8] { document.bytes }

  private var document: HTML {
    let list = PageRoute.list(line: line, after: nil)
    let next: HTML =
      page.next?.cursor.map { cursor in
        let address = PageAddress(feedOf: .list(line: line, after: cursor), below: site.address)
        return "<link rel=\"next\" type=\"application/atom+xml\" href=\"\(address)\"/>\n"
      } ?? .empty
    let place = (site.name.map { $0 + " · " } ?? .empty) + "OpenMarket"
    let title =
      line.isEmpty ? site.title : SafeText(line).truncated(toColumns: 60) + " · " + site.title
    let entries = zip(page.products, descriptions).map(entry)
    return """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="\(SafeText(setting.strings.language.rawValue))">
      <id>\(PageAddress(feedOf: list, below: site.address))</id>
      <title type="text">\(title)</title>
      <updated>\(instant(changed ?? Timestamp(seconds: 0)))</updated>
      <author><name>\(place)</name></author>
      <link rel="self" type="application/atom+xml" \
      href="\(PageAddress(feedOf: .list(line: line, after: after), below: site.address))"/>
      <link rel="alternate" type="text/html" href="\(PageAddress(list, below: site.address))"/>
      \(next)\(entries)</feed>

      """
  }

  /// A product under its address, which stays its own for ever: numbers are never given again.
  private func entry(_ product: Product, _ description: String) -> HTML {
    let card = PageCard(product, setting)
    let address = PageAddress(.product(product.id), below: site.address)
    let facts = [card.price.reserved, card.price.toPay, card.facts(setting.strings)]
      .compactMap(\.self).filter { !$0.isEmpty }
    let text = SafeText(description).truncated(toColumns: Self.summaryColumns)
    let summary = (facts + [text]).filter { !$0.isEmpty }.joined(separator: " · ")
    let seller = SafeText(product.seller.name)
    return """
      <entry>
      <id>\(address)</id>
      <title type="text">\(card.name)</title>
      <published>\(instant(product.created))</published>
      <updated>\(instant(product.changed))</updated>
      <author><name>\(seller.isEmpty ? site.title : seller)</name></author>
      <link rel="alternate" type="text/html" href="\(address)"/>
      <summary type="text">\(summary)</summary>
      </entry>

      """
  }

  private func instant(_ time: Timestamp) -> SafeText { SafeText(WireDate.instant(time)) }
}
