internal import MarketAPI
package import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// Atom feed of a list, newest products first (RFC 4287).
package struct AtomFeed {
  /// Maximum number of characters of a description in an entry.
  package static let summaryCharacters = 300
  private static let summaryColumns = 300

  /// Time of the latest change of a product in the feed; nil if it is empty.
  package let changed: Timestamp?
  /// XML document in UTF-8.
  package let bytes: [UInt8]

  /// Creates the feed of a page of a search; `descriptions` are those of its products, in order.
  package init(
    of page: ProductPage, describedBy descriptions: [String], line: String, after: PageCursor?,
    _ context: PageContext
  ) {
    let site = context.site
    let changed = page.products.map(\.changed).max { $0.seconds < $1.seconds }
    let start = line.isEmpty ? .empty : SafeText(line).truncated(toColumns: 60) + " · "
    let links: [HTML] = [("self" as HTML, after), ("next", page.next?.cursor)].map { name, cursor in
      guard cursor != nil || name == "self" else { return .empty }
      let address = PageAddress(feedOf: line, after: cursor, below: site.address)
      return "<link rel=\"\(name)\" type=\"application/atom+xml\" href=\"\(address)\"/>\n"
    }
    let list = PageAddress(.list(line: line, after: nil), below: site.address)
    let entries = zip(page.products, descriptions).map { Self.entry($0, $1, context) }
    let document: HTML = """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="\(context.language)">
      <id>\(PageAddress(feedOf: line, below: site.address))</id>
      <title type="text">\(start + site.title)</title>
      <updated>\(Self.instant(changed ?? Timestamp(seconds: 0)))</updated>
      <author><name>\(site.name ?? "OpenMarket")</name></author>
      \(links)<link rel="alternate" type="text/html" href="\(list)"/>
      \(entries)</feed>

      """
    (self.changed, bytes) = (changed, document.bytes)
  }

  /// Entry of a product, identified by its address: product numbers are never reused.
  private static func entry(
    _ product: Product, _ description: String, _ context: PageContext
  ) -> HTML {
    let card = PageCard(product, context)
    let address = PageAddress(.product(product.id), below: context.site.address)
    let facts = [card.price.reserved, card.price.toPay, card.facts(context.strings)]
      .compactMap(\.self).filter { !$0.isEmpty }
    let text = SafeText(description).truncated(toColumns: summaryColumns)
    let summary: [HTML] = (facts + [text]).filter { !$0.isEmpty }.enumerated().map {
      "\($0 == 0 ? HTML.empty : " · ")\(isolated($1))"
    }
    let seller = SafeText(product.seller.name)
    return """
      <entry>
      <id>\(address)</id>
      <title type="text">\(isolated(card.name))</title>
      <published>\(instant(product.created))</published>
      <updated>\(instant(product.changed))</updated>
      <author><name>\(seller.isEmpty ? context.site.title : seller)</name></author>
      <link rel="alternate" type="text/html" href="\(address)"/>
      <summary type="text">\(summary)</summary>
      </entry>

      """
  }

  /// Plain text in a direction of its own where it has letters that are written from the right, between
  /// FSI and PDI (Unicode Standard Annex 9, section 2.4.1).
  private static func isolated(_ text: SafeText) -> HTML {
    let isFromRight = text.string.unicodeScalars.contains { scalar in
      rightToLeft.contains { $0.contains(scalar.value) }
    }
    return isFromRight ? "\u{2068}\(text)\u{2069}" : "\(text)"
  }

  /// Blocks of scripts that are written from the right.
  private static let rightToLeft: [ClosedRange<UInt32>] = [
    0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
  ]

  private static func instant(_ time: Timestamp) -> SafeText { SafeText(WireDate.instant(time)) }
}
