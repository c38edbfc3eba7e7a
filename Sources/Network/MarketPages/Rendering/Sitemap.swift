package import MarketAPI
package import MarketModel

/// Site map (sitemaps.org): an index, whose parts name the products of the market.
package enum Sitemap {
  /// Addresses of one part.
  package static let partSize = 50_000

  /// What a path asks for.
  package enum Page: Hashable, Sendable {
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

    private static let maxParts = 50_000
  }

  /// The index for so many products.
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

  /// A part with these products.
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

  /// Products of a part by what it says of them, in a few bytes each, so that the parts of millions can
  /// be remembered.
  package struct Entries: Sendable {
    package private(set) var count = 0
    /// For each the difference of its number and of its second to those before, as numbers of seven bits
    /// a byte, the sign last.
    private var bytes: [UInt8] = []
    private var last: (id: Int64, second: Int64) = (0, 0)

    package init() {}

    /// Bytes of memory that they take.
    package var byteCount: Int { bytes.count }

    package mutating func append(_ product: Product) {
      let (id, second) = (product.id.rawValue, product.changed.seconds)
      append(id &- last.id)
      append(second &- last.second)
      last = (id, second)
      count += 1
    }

    /// Goes through the number of each, and the instant of its last change.
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
    let map = publicAddress.map { "\nSitemap: \($0)\(Sitemap.Page.index.path)\n" } ?? ""
    return Array((rules + map).utf8)
  }
}
