import Expectations
import MarketAPI
import MarketModel
import Testing

/// Lists as they are asked for by query.
struct PageParametersTests {
  private func operation(_ request: HTTPRequest) throws(RequestProblem) -> MarketOperation? {
    try ProductsDialect(variant: .y2022).operation(from: request)
  }

  @Test(arguments: [
    ("search_value=camping%20chair", ProductQuery(text: "camping chair")),
    ("search_value=%EC%9D%98%EC%9E%90", ProductQuery(text: "의자")),
    ("sort=cheapest&in_stock=1", ProductQuery(order: .cheapest, filters: [.inStock])),
    ("sort=dearest&in_stock=0", ProductQuery(order: .priceDescending)),
    ("sort=reduced&reduced=true", ProductQuery(order: .biggestDiscount, filters: [.reduced])),
    ("sort=newest&vendor_id=7", ProductQuery(sellers: [Seller.ID(rawValue: 7)])),
    (
      "min_price=12.5&max_price=2000&currency=krw",
      ProductQuery(price: PriceRange(minimum: 1_250, maximum: 200_000), currency: .krw)
    ),
    ("max_price=0", ProductQuery(price: PriceRange(maximum: 0))),
    (
      "not=old&not=a+b&phrase=two%20%20words",
      ProductQuery(phrases: ["two  words"], without: ["old", "a b"])
    ),
    (
      "vendor_id=7&vendor_id=&vendor_id=3",
      ProductQuery(sellers: [Seller.ID(rawValue: 7), Seller.ID(rawValue: 3)])
    ),
    ("since=2026-11-22T09:00:00%2B09:00", ProductQuery(since: Timestamp(seconds: 1_795_305_600))),
    (
      "category=books&category=music&condition=like-new",
      .choosing([.category: ["books", "music"], .condition: ["like-new"]])
    ),
    ("place=%EC%84%9C%EC%9A%B8", .near("서울")), ("place=", ProductQuery()),
    ("reserved=1", ProductQuery(filters: [.reserved])),
    ("reserved=false", ProductQuery(filters: [.unreserved])),
    ("available=true&sold=0", ProductQuery(filters: [.available])),
    ("sold=1&available=0", ProductQuery(filters: [.sold])),
    ("since=2026-11-22", ProductQuery(since: Timestamp(seconds: 1_795_305_600))),
    ("id=9&id=3&id=9", ProductQuery(ids: [Product.ID(rawValue: 9), Product.ID(rawValue: 3)])),
    ("min_price=&currency=&not=&phrase=&since=&id=&count=", ProductQuery()),
  ])
  func `a list is asked for by query`(text: String, query: ProductQuery) throws {
    let request = HTTPRequest(.get, RequestTarget(parsing: "/api/products?" + text))

    guard case .page(let page) = try operation(request) else {
      Issue.record("no page")
      return
    }
    expect(page, PageRequest(query: query))
  }

  @Test func `a list goes on after a cursor`() throws {
    let request = HTTPRequest(
      .get, "/api/products?after=c%2F1&items_per_page=5&page_no=9")

    guard case .page(let page) = try operation(request) else {
      Issue.record("no page")
      return
    }
    expect(page.position, .after(PageCursor(rawValue: "c/1")))
    expect(page.size, 5)
  }

  @Test(arguments: [
    ("category=cars", "category"), ("category=books&category=cars", "category"),
    ("condition=used", "condition"), ("reserved=maybe", "reserved"), ("available=2", "available"),
    ("sold=yes", "sold"), ("place=" + String(repeating: "a", count: 41), "place"),
    ("place=%00", "place"), ("place=%20%09", "place"),
    ("min_price=cheap", "min_price"), ("max_price=1.005", "max_price"),
    ("max_price=1e99", "max_price"), ("currency=%E2%82%A9", "currency"),
    ("currency=" + String(repeating: "A", count: 17), "currency"), ("vendor_id=me", "vendor_id"),
    ("vendor_id=1&vendor_id=x", "vendor_id"), ("since=yesterday", "since"),
    ("since=2026-02-30T00:00:00Z", "since"), ("not=%20", "not"),
    ("phrase=" + String(repeating: "a", count: 201), "phrase"), ("id=-1", "id"), ("id=1.5", "id"),
    ("in_stock=maybe", "in_stock"), ("sort=random", "sort"), ("count=all", "count"),
    ("count=1", "count"),
    (String(repeating: "id=7&", count: 101), "id"), (String(repeating: "not=a&", count: 21), "not"),
    (String(repeating: "vendor_id=7&", count: 101), "vendor_id"),
    (String(repeating: "phrase=a&", count: 21), "phrase"),
  ])
  func `what cannot be read is refused by its name`(text: String, name: String) {
    let request = HTTPRequest(.get, RequestTarget(parsing: "/api/products?" + text))

    let problem = #expect(throws: RequestProblem.self) { try operation(request) }
    guard case .malformed(name, _)? = problem else {
      Issue.record("\(String(describing: problem)) does not name \(name)")
      return
    }
  }

  @Test func `each part of a query has parameters of its own`() throws {
    let queries: [ProductQuery] = [
      ProductQuery(text: "mug"), ProductQuery(phrases: ["a mug"]), ProductQuery(without: ["old"]),
      ProductQuery(price: PriceRange(minimum: 100)), ProductQuery(currency: .usd),
      .choosing([.category: ["sports"]]), .choosing([.condition: ["good"]]),
      .near("Seoul, Mapo"),
      ProductQuery(filters: [.inStock]), ProductQuery(filters: [.reduced]),
      ProductQuery(filters: [.available]), ProductQuery(filters: [.reserved]),
      ProductQuery(filters: [.unreserved]), ProductQuery(filters: [.sold]),
      ProductQuery(sellers: [Seller.ID(rawValue: 7)]), ProductQuery(since: Timestamp(seconds: 1)),
      ProductQuery(ids: [Product.ID(rawValue: 7)]),
    ]
    let targets = try queries.map {
      try ProductsDialect(variant: .y2023).request(for: .page(PageRequest(query: $0))).target.text
    }

    expect(queries.flatMap(\.parts), QueryPart.allCases)
    expect(
      targets.map { String($0.dropFirst("/api/products?page_no=1&items_per_page=20&".count)) },
      [
        "search_value=mug", "phrase=a%20mug", "not=old", "min_price=1", "currency=USD",
        "category=sports", "condition=good", "place=Seoul%2C%20Mapo",
        "in_stock=1", "reduced=1", "available=1", "reserved=1", "reserved=0", "sold=1",
        "vendor_id=7", "since=1970-01-01T00%3A00%3A01Z", "id=7",
      ])
  }
}

extension ProductQuery {
  fileprivate static func choosing(_ choices: [ProductField: Set<String>]) -> ProductQuery {
    var query = ProductQuery()
    query.choices = choices
    return query
  }

  fileprivate static func near(_ place: String) -> ProductQuery {
    var query = ProductQuery()
    query.place = place
    return query
  }
}
