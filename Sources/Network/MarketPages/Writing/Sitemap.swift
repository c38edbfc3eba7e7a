package import MarketAPI
package import MarketModel

/// Site map (sitemaps.org): an index, whose parts name the products of the market.
package enum Sitemap {
  /// Addresses of one part.
  package static let partSize = 50_000

  /// What a path asks for.
  package enum Place: Hashable, Sendable {
    case index
    /// From 1.
    case part(Int)

    /// Reads `/sitemap.xml` and `/sitemap-NUMBER.xml`.
    package init?(_ target: RequestTarget) {
      if target.path == "/sitemap.xml" {
        self = .index
        return
      }
      let (start, end) = ("/sitemap-", ".xml")
      let path = target.path
      guard path.hasPrefix(start), path.hasSuffix(end), path.count > start.count + end.count,
        let number = Int(path.dropFirst(start.count).dropLast(end.count)), number > 0,
        number <= Self.mostParts, path == Place.part(number).path
      else { return nil }
      self = .part(number)
    }

    package var path: String {
      switch self {
      case .index: "/sitemap.xml"
      case .part(let number): "/sitemap-\(number).xml"
      }
    }

    private static let mostParts = 50_000
  }

  /// The index for so many products.
  package static func index(of count: Int, below start: String) -> [UInt8] {
    var bytes = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">

      """.utf8)
    for number in 0..<max(1, (count + partSize - 1) / partSize) {
      let address = escaped(start + Place.part(number + 1).path)
      bytes += "<sitemap><loc>\(address)</loc></sitemap>\n".utf8
    }
    return bytes + Array("</sitemapindex>\n".utf8)
  }

  /// The beginning of a part, its products one by one, and its end.
  package static let partStart = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">

    """.utf8)

  package static let partEnd = Array("</urlset>\n".utf8)

  package static func append(_ product: Product, below start: String, to bytes: inout [UInt8]) {
    let address = escaped(start + PageRoute.product(product.id).target.text)
    let changed = WireDate.instant(product.changed)
    bytes += "<url><loc>\(address)</loc><lastmod>\(changed)</lastmod></url>\n".utf8
  }

  /// An address of the operator's may hold what XML has a meaning for.
  private static func escaped(_ address: String) -> String {
    address.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing("'", with: "&#39;")
  }
}

/// What crawlers are told: searches are endless, so that nobody is to follow them.
package enum Robots {
  package static let path = "/robots.txt"

  /// Takes the market's address as its operator has said it, for without one there is no site map.
  package static func bytes(publicAddress: String?) -> [UInt8] {
    let rules = """
      User-agent: *
      Disallow: /?q=
      Disallow: /*?q=
      Disallow: /api/

      """
    let map = publicAddress.map { "\nSitemap: \($0)\(Sitemap.Place.index.path)\n" } ?? ""
    return Array((rules + map).utf8)
  }
}
