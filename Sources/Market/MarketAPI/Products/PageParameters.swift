import MarketModel

/// The query of a v2 list, written and read by one definition: what all servers know, and our
/// additions (`sort`, `in_stock`, `reduced`, `vendor_id`, `after`).
enum PageParameters {
  static func write(_ request: PageRequest) -> QueryItems {
    var items = QueryItems()
    items.add(String(request.position.pageNumber), for: "page_no")
    items.add(String(request.size), for: "items_per_page")
    let text = TextLimit.search.cut(request.query.text)
    if !text.isEmpty { items.add(text, for: "search_value") }
    if request.query.order != .newest { items.add(word(for: request.query.order), for: "sort") }
    if request.query.filters.contains(.inStock) { items.add("1", for: "in_stock") }
    if request.query.filters.contains(.reduced) { items.add("1", for: "reduced") }
    for seller in request.query.sellers { items.add(String(seller.rawValue), for: "vendor_id") }
    if case .after(let cursor) = request.position { items.add(cursor.rawValue, for: "after") }
    return items
  }

  /// Reads a query; a parameter that is absent or empty has its default.
  ///
  /// Throws `.malformed` with the name of one that cannot be read.
  static func read(_ items: QueryItems) throws(RequestProblem) -> PageRequest {
    var query = ProductQuery(text: items["search_value"] ?? "")
    guard TextLimit.search.allows(query.text) else { throw problem("search_value", "is too long") }
    if let sort = items["sort"] { query.order = try order(of: sort) }
    if try isSet("in_stock", in: items) { query.filters.insert(.inStock) }
    if try isSet("reduced", in: items) { query.filters.insert(.reduced) }
    if let seller = items["vendor_id"] {
      guard let number = Int64(seller) else { throw problem("vendor_id", "must be a number") }
      query.sellers = [Seller.ID(rawValue: number)]
    }
    let number = try positive("page_no", "page-no", in: items) ?? 1
    let size =
      try positive("items_per_page", "items-per-page", in: items)
      ?? ProductsDialect.defaultPageSize
    let position =
      items["after"].map { PagePosition.after(PageCursor(rawValue: $0)) } ?? .page(number)
    return PageRequest(
      query: query, position: position, size: min(size, PageRequest.sizes.upperBound))
  }

  /// A number under either of two names; digits that do not fit are the largest number.
  private static func positive(
    _ name: String, _ alias: String, in items: QueryItems
  ) throws(RequestProblem) -> Int? {
    guard let text = items[name] ?? items[alias] else { return nil }
    let isNumber = text.utf8.allSatisfy { $0.decimalDigit != nil }
    guard isNumber, text.contains(where: { $0 != "0" }) else {
      throw problem(name, "must be 1 or more")
    }
    return Int(text) ?? .max
  }

  private static func isSet(
    _ name: String, in items: QueryItems
  ) throws(RequestProblem) -> Bool {
    switch items[name]?.lowercased() {
    case nil, "0", "false": return false
    case "1", "true": return true
    default: throw problem(name, "must be 1 or 0")
    }
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
      throw problem("sort", "must be newest, cheapest, dearest or reduced")
    }
    return order
  }

  private static func problem(_ part: String, _ reason: String) -> RequestProblem {
    .malformed(part: part, reason: reason)
  }
}
