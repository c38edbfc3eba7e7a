package import MarketAPI
package import MarketModel

/// Page of the market for people, written and read as a path by one definition.
package enum PageRoute: Hashable, Sendable {
  /// `/`, `/?q=LINE` and `/?q=LINE&after=CURSOR`
  case list(line: String, after: PageCursor?)
  /// `/products/ID`
  case product(Product.ID)
  /// `/sellers/ID` and `/sellers/ID?after=CURSOR`
  case seller(Seller.ID, after: PageCursor?)

  /// Where the feed of a list is: `/feed.atom`, with the list's query.
  package static let feedPath = "/feed.atom"
  package static let home = PageRoute.list(line: "", after: nil)

  /// The longest search line that a page takes; what is longer is cut.
  package static let maxLineLength = TextLimit(0...200)
  /// Bytes of a line, so that the links of a page stay short.
  private static let lineBytes = 600
  private static let cursorBytes = 512

  /// Where it is asked for.
  package var target: RequestTarget {
    var query = QueryItems()
    switch self {
    case .list(let line, let after):
      if !line.isEmpty { query.add(line, for: "q") }
      if let after { query.add(after.rawValue, for: "after") }
      return RequestTarget(path: "/", query: query)
    case .product(let id):
      return RequestTarget(segments: [ProductAddress.segment, String(id.rawValue)])
    case .seller(let id, let after):
      if let after { query.add(after.rawValue, for: "after") }
      return RequestTarget(segments: ["sellers", String(id.rawValue)], query: query)
    }
  }

  /// The search line of a feed of the same products; of all where the page is no list.
  var feedLine: String {
    switch self {
    case .list(let line, _): line
    case .product: ""
    case .seller(let id, _): "@#" + String(id.rawValue)
    }
  }

  /// Reads a target; nil where it is no page.
  package init?(_ target: RequestTarget) {
    let segments = target.path == Self.feedPath ? [] : target.segments
    switch (segments.first, segments.count) {
    case (nil, 0): self = .list(line: Self.line(target.query), after: Self.cursor(target.query))
    case (ProductAddress.segment, 2):
      guard let id = Product.ID(segment: segments[1]), id.rawValue > 0 else { return nil }
      self = .product(id)
    case ("sellers", 2):
      // Sellers of the sample market have numbers below 0.
      guard let number = Int64(segments[1]), segments[1] == String(number) else { return nil }
      self = .seller(Seller.ID(rawValue: number), after: Self.cursor(target.query))
    default: return nil
    }
  }

  private static func line(_ query: QueryItems) -> String {
    var left = lineBytes
    let scalars = maxLineLength.cut(query["q"] ?? "").unicodeScalars.prefix { scalar in
      left -= UTF8.width(scalar)
      return left >= 0
    }
    return String(scalars)
  }

  private static func cursor(_ query: QueryItems) -> PageCursor? {
    guard let word = query["after"], word.utf8.count <= cursorBytes else { return nil }
    return PageCursor(rawValue: word)
  }

  /// Whether a path may be a page's or belong to all pages; told by its first bytes, for each request of
  /// the API passes here.
  package static func mayBe(_ target: String) -> Bool {
    let bytes = target.utf8
    guard bytes.first == UInt8(ascii: "/") else { return false }
    guard let second = bytes.dropFirst().first, second != UInt8(ascii: "?") else { return true }
    return beginnings.contains { bytes.starts(with: $0) }
  }

  private static let beginnings: [[UInt8]] =
    (["/" + ProductAddress.segment + "/", "/sellers/", feedPath] + PageAsset.allCases.map(\.path))
    .map {
      Array($0.utf8)
    }
}
