import MarketModel

/// Query parameters of a v2 list, written and read by one definition: those of all servers, and our
/// additions.
///
/// `QueryParameter` has the parameters of all parts of a query.
enum PageParameters {
  /// Writes a request; `asksCount` asks how exact the count of a narrowed list is, which only servers with
  /// our additions tell.
  static func write(_ request: PageRequest, asksCount: Bool = false) -> QueryItems {
    var items = QueryItems()
    items.add(String(request.position.pageNumber), for: "page_no")
    items.add(String(request.size), for: "items_per_page")
    for part in QueryPart.allCases {
      for parameter in part.parameters {
        for value in parameter.write(request.query) { items.add(value, for: parameter.name) }
      }
    }
    if request.query.order != .newest { items.add(word(for: request.query.order), for: "sort") }
    if case .after(let cursor) = request.position { items.add(cursor.rawValue, for: "after") }
    if asksCount, request.query.isNarrowed {
      items.add(request.countsExactly && request.query.isSearch ? exactly : some, for: count)
    }
    return items
  }

  /// The parameters of all parts, in their order.
  private static let all = QueryPart.allCases.flatMap(\.parameters)

  /// Reads a query; a parameter that is absent or empty has its default.
  ///
  /// - Throws: `.malformed` with the name of an invalid parameter.
  static func read(_ items: QueryItems) throws(RequestProblem) -> PageRequest {
    var query = ProductQuery()
    for parameter in all {
      try parameter.read(from: items, into: &query)
    }
    if let sort = items["sort"] { query.order = try order(of: sort) }
    let number = try positive("page_no", "page-no", in: items) ?? 1
    let size =
      try positive("items_per_page", "items-per-page", in: items)
      ?? ProductsDialect.defaultPageSize
    let position =
      items["after"].map { PagePosition.after(PageCursor(rawValue: $0)) } ?? .page(number)
    guard [nil, some, exactly].contains(items[count]) else {
      throw .malformed(part: count, reason: "must be \(some) or \(exactly)")
    }
    return PageRequest(
      query: query, position: position, size: min(size, PageRequest.sizes.upperBound),
      countsExactly: items[count] == exactly)
  }

  // MARK: Count

  /// Asks for `totalIsExact` in the response; `exact` also counts the matches of words to 10,000 instead
  /// of 1,000.
  ///
  /// A parameter instead of a header, so that a URL has one response in caches.
  private static let (count, some, exactly) = ("count", "some", "exact")

  /// Whether a request asks how exact the count is.
  static func asksCount(_ items: QueryItems) -> Bool { items[count] != nil }

  // MARK: Values

  /// A number under either of two names; too many digits yield the largest number.
  private static func positive(
    _ name: String, _ alias: String, in items: QueryItems
  ) throws(RequestProblem) -> Int? {
    guard let text = items[name] ?? items[alias] else { return nil }
    let isNumber = text.utf8.allSatisfy { $0.decimalDigit != nil }
    guard isNumber, text.contains(where: { $0 != "0" }) else {
      throw .malformed(part: name, reason: "must be 1 or more")
    }
    return Int(text) ?? .max
  }

  private static func word(for order: ProductOrder) -> String {
    switch order {
    case .newest: "newest"
    case .cheapest: "cheapest"
    case .priceDescending: "dearest"
    case .biggestDiscount: "reduced"
    }
  }

  private static func order(of word: String) throws(RequestProblem) -> ProductOrder {
    guard let order = ProductOrder.allCases.first(where: { self.word(for: $0) == word }) else {
      throw .malformed(part: "sort", reason: "must be newest, cheapest, dearest or reduced")
    }
    return order
  }
}
