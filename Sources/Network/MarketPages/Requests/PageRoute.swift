package import MarketAPI
package import MarketModel

/// Route of a page, written and parsed by one definition.
package enum PageRoute: Hashable, Sendable {
  /// `/`, `/?q=LINE` and `/?q=LINE&after=CURSOR`
  case list(line: String, after: PageCursor?)
  /// `/products/ID`
  case product(Product.ID)
  /// `/sellers/ID` and `/sellers/ID?after=CURSOR`
  case seller(Seller.ID, after: PageCursor?)

  /// Path of the feed of a list, used with the list's query.
  package static let feedPath = "/feed.atom"
  package static let home = PageRoute.list(line: "", after: nil)

  /// Maximum length of a search line in characters; longer ones are cut.
  package static let maxLineLength = TextLimit(0...200)
  /// Maximum bytes of a search line, so that links stay short; longer ones are cut.
  private static let lineBytes = 600

  /// Request target of the page.
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

  /// Search line of the feed with the same products; that of all products if the page is no list.
  var feedLine: String {
    switch self {
    case .list(let line, _): line
    case .product: ""
    case .seller(let id, _): "@#" + String(id.rawValue)
    }
  }

  /// Parses a target; nil if it is no page.
  package init?(_ target: RequestTarget) {
    let segments = target.path == Self.feedPath ? [] : target.segments
    switch (segments.first, segments.count) {
    case (nil, 0): self = .list(line: Self.line(target.query), after: Self.cursor(target.query))
    case (ProductAddress.segment, 2):
      guard let id = Product.ID(segment: segments[1]), id.rawValue > 0 else { return nil }
      self = .product(id)
    case ("sellers", 2):
      // Sellers of the sample market have negative numbers.
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
    guard let word = query["after"], word.utf8.count <= PageCursor.maxBytes else { return nil }
    return PageCursor(rawValue: word)
  }

  /// Whether a path may be that of a page or asset, judged by its first bytes, since each request of
  /// the API is checked.
  package static func mayBe(_ target: String) -> Bool {
    let bytes = target.utf8
    guard bytes.first == UInt8(ascii: "/") else { return false }
    guard let second = bytes.dropFirst().first, second != UInt8(ascii: "?") else { return true }
    return beginnings.contains { $0[1] == second && bytes.starts(with: $0) }
  }

  private static let beginnings: [[UInt8]] =
    (["/" + ProductAddress.segment + "/", "/sellers/", feedPath] + PageAsset.allCases.map(\.path))
    .map {
      Array($0.utf8)
    }
}
