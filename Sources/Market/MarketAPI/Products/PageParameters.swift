import MarketModel

/// Query parameters of a v2 list, written and read by one definition: those of all servers, and our
/// additions.
///
/// `sort`, `in_stock`, `reduced`, one `vendor_id` and `after` are of the first level; `QueryParameter`
/// has the parameters of all parts of a query.
enum PageParameters {
  static func write(_ request: PageRequest) -> QueryItems {
    var items = QueryItems()
    items.add(String(request.position.pageNumber), for: "page_no")
    items.add(String(request.size), for: "items_per_page")
    for part in QueryPart.allCases {
      for parameter in part.parameters {
        for value in parameter.write(request.query) { items.add(value, for: parameter.name) }
      }
      // Where old servers and logs have always had it.
      if part == .words, request.query.order != .newest {
        items.add(word(for: request.query.order), for: "sort")
      }
    }
    if case .after(let cursor) = request.position { items.add(cursor.rawValue, for: "after") }
    if request.countsExactly, request.query.isSearch { items.add(exactly, for: count) }
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
    _ = try positive(level, level, in: items)
    let number = try positive("page_no", "page-no", in: items) ?? 1
    let size =
      try positive("items_per_page", "items-per-page", in: items)
      ?? ProductsDialect.defaultPageSize
    let position =
      items["after"].map { PagePosition.after(PageCursor(rawValue: $0)) } ?? .page(number)
    guard items[count] ?? exactly == exactly else {
      throw .malformed(part: count, reason: "must be \(exactly)")
    }
    return PageRequest(
      query: query, position: position, size: min(size, PageRequest.sizes.upperBound),
      countsExactly: items[count] != nil)
  }

  // MARK: The second part

  /// Parameter that announces a client of the second level, in a request with parameters of the first
  /// level only.
  private static let level = "level"
  /// Asks for a count of the matches of words to 10,000.
  private static let (count, exactly) = ("count", "exact")

  /// A parameter instead of a header, so that a URL has one response in caches.
  static func addLevel(to items: inout QueryItems) {
    guard !speaksSecondPart(items) else { return }
    items.add(String(ExtensionLevel.second.rawValue), for: level)
  }

  /// Whether a request has parameters of the second level.
  static func speaksSecondPart(_ items: QueryItems) -> Bool {
    if let level = items[level].flatMap({ Int($0) }), level >= ExtensionLevel.second.rawValue {
      return true
    }
    let later = Set(QueryPart.allCases).subtracting(ExtensionLevel.first.parts)
    return later.contains { part in part.parameters.contains { items[$0.name] != nil } }
      || items.values(of: "vendor_id").count > 1
  }

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
