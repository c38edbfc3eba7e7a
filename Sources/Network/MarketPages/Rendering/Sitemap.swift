package import MarketAPI
package import MarketModel

/// Site map (sitemaps.org): an index and parts with the market's products.
package enum Sitemap {
  /// Maximum number of addresses in a part.
  package static let partSize = 50_000

  /// Index or part of the site map.
  package enum Page: Hashable, Sendable {
    case index
    /// Part with a number, from 1.
    case part(Int)

    /// Parses `/sitemap.xml` and `/sitemap-NUMBER.xml`; nil for other paths.
    package init?(_ target: RequestTarget) {
      if target.path == "/sitemap.xml" {
        self = .index
        return
      }
      let (start, end) = ("/sitemap-", ".xml")
      let path = target.path
      guard path.hasPrefix(start), path.hasSuffix(end), path.count > start.count + end.count,
        let number = Int(path.dropFirst(start.count).dropLast(end.count)), number > 0,
        number <= Self.maxParts, path == Page.part(number).path
      else { return nil }
      self = .part(number)
    }

    package var path: String {
      switch self {
      case .index: "/sitemap.xml"
      case .part(let number): "/sitemap-\(number).xml"
      }
    }

    /// Maximum number of parts, the limit of an index (sitemaps.org).
    private static let maxParts = 50_000
  }

  /// Returns the index for `count` products; `start` precedes each path.
  package static func index(of count: Int, below start: String) -> [UInt8] {
    var bytes = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">

      """.utf8)
    for number in 0..<max(1, (count + partSize - 1) / partSize) {
      let address = escaped(start + Page.part(number + 1).path)
      bytes += "<sitemap><loc>\(address)</loc></sitemap>\n".utf8
    }
    return bytes + Array("</sitemapindex>\n".utf8)
  }

  /// Returns a part with these products; `start` precedes each path.
  package static func part(_ entries: Entries, below start: String) -> [UInt8] {
    var bytes = partStart
    bytes.reserveCapacity(entries.count * (start.utf8.count + 90))
    let start = escaped(start)
    entries.visitAll { append($0, changedAt: $1, below: start, to: &bytes) }
    return bytes + partEnd
  }

  private static let partStart = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">

    """.utf8)

  private static let partEnd = Array("</urlset>\n".utf8)

  private static func append(
    _ id: Product.ID, changedAt changed: Timestamp, below start: String, to bytes: inout [UInt8]
  ) {
    let target = PageRoute.product(id).target.text
    let instant = WireDate.instant(changed)
    bytes += "<url><loc>\(start)\(target)</loc><lastmod>\(instant)</lastmod></url>\n".utf8
  }

  /// Entries of a part, a few bytes each, so that the parts of millions of products can be cached.
  package struct Entries: Sendable {
    package private(set) var count = 0
    /// Differences of product number and second to those of the entry before, as zigzag varints (seven
    /// bits a byte).
    private var bytes: [UInt8] = []
    private var last: (id: Int64, second: Int64) = (0, 0)

    package init() {}

    /// Size of the entries in memory, in bytes.
    package var byteCount: Int { bytes.count }

    package mutating func append(_ product: Product) {
      let (id, second) = (product.id.rawValue, product.changed.seconds)
      append(id &- last.id)
      append(second &- last.second)
      last = (id, second)
      count += 1
    }

    /// Calls `body` with the number of each product and the time of its last change.
    func visitAll(_ body: (Product.ID, Timestamp) -> Void) {
      var rest = bytes[...]
      var (id, second): (Int64, Int64) = (0, 0)
      for _ in 0..<count {
        id &+= Self.number(from: &rest)
        second &+= Self.number(from: &rest)
        body(Product.ID(rawValue: id), Timestamp(seconds: second))
      }
    }

    private mutating func append(_ number: Int64) {
      var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }

    private static func number(from bytes: inout ArraySlice<UInt8>) -> Int64 {
      var (number, shift): (UInt64, UInt64) = (0, 0)
      while let byte = bytes.popFirst() {
        number |= UInt64(byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 { break }
      }
      return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
  }

  /// The operator's address may contain characters that are special in XML.
  private static func escaped(_ address: String) -> String {
    address.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing("'", with: "&#39;")
  }
}

/// `robots.txt`: crawlers must not follow searches, which are endless.
package enum Robots {
  package static let path = "/robots.txt"

  /// Returns the file; nil `publicAddress` names no site map.
  package static func bytes(publicAddress: String?) -> [UInt8] {
    let rules = """
      User-agent: *
      Disallow: /?q=
      Disallow: /*?q=
      Disallow: /api/

      """
    let map = publicAddress.map { "\nSitemap: \($0)\(Sitemap.Page.index.path)\n" } ?? ""
    return Array((rules + map).utf8)
  }
}
