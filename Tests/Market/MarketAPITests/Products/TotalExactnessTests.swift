import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

/// What answers say of a count that was given up.
struct TotalExactnessTests {
  private let dialect = ProductsDialect(variant: .y2023)

  private func answer(_ target: String, _ page: ProductPage) throws -> HTTPResponse {
    let request = HTTPRequest(.get, RequestTarget(parsing: target))
    let operation = try #require(try dialect.operation(from: request))
    return dialect.response(
      with: .page(page), to: operation, in: request, pictures: Wire.pictures)
  }

  private func many(_ total: ProductTotal) -> ProductPage {
    ProductPage(products: [], total: total, next: .after(PageCursor(rawValue: "c")))
  }

  @Test(arguments: [
    "/api/products", "/api/products?search_value=a", "/api/products?search_value=a&after=c",
    "/api/products?in_stock=1&vendor_id=7", "/api/products?max_price=5&phrase=a",
    "/api/products?search_value=a&count=",
  ])
  func `the answers to what clients have always asked have no new word`(target: String) throws {
    #expect(!(try answer(target, many(.exactly(3))).text.contains("totalIsExact")))
  }

  @Test(arguments: [
    "search_value=a&count=some", "search_value=a&count=exact", "in_stock=1&count=some",
    "not=a&after=c&count=some",
  ])
  func `the answer to who asks for it says if its count is exact`(query: String) throws {
    let target = "/api/products?" + query

    #expect(try answer(target, many(.exactly(3))).text.contains("\"totalIsExact\":true"))
    #expect(try answer(target, many(.atLeast(3))).text.contains("\"totalIsExact\":false"))
  }

  @Test(arguments: [(1, 1_001), (50, 1_001), (51, 1_021), (9_000, 180_001)])
  func `a count that was given up is one more than is known of`(page: Int, total: Int) throws {
    let products = (0..<20).map { Product.sample(id: Int64($0)) }
    let answer = try answer(
      "/api/products?search_value=a&page_no=\(page)",
      ProductPage(products: products, total: .atLeast(1_000), next: .number(page + 1)))

    #expect(answer.text.contains("\"totalCount\":\(total),\"total_count\":\(total),"))
  }

  @Test(arguments: [
    ("page_no=60", 15, 1_195, true), ("page_no=61", 0, 1_001, false), ("after=c", 15, 1_001, false),
  ])
  func `the last page by number tells the count itself, and one behind it nothing`(
    place: String, count: Int, total: Int, isExact: Bool
  ) throws {
    let answer = try answer(
      "/api/products?search_value=a&count=some&" + place,
      ProductPage(
        products: (0..<count).map { .sample(id: Int64($0)) }, total: .atLeast(1_000), next: nil))

    #expect(answer.text.contains("\"totalCount\":\(total),\"total_count\":\(total),"))
    #expect(answer.text.contains("\"totalIsExact\":\(isExact)"))
  }

  @Test(arguments: [("count=exact", true), ("count=some", false), ("count=", false), ("", false)])
  func `a search may ask for its exact count`(parameter: String, countsExactly: Bool) throws {
    let target = RequestTarget(parsing: "/api/products?search_value=a&" + parameter)
    let request = PageRequest(query: ProductQuery(text: "a"), countsExactly: countsExactly)

    guard case .page(request) = try dialect.operation(from: HTTPRequest(.get, target)) else {
      Issue.record("another request")
      return
    }
  }

  @Test func `a client takes it for what it is`() throws {
    let request = PageRequest(query: ProductQuery(text: "a"))
    let read = { (total: ProductTotal) in
      try dialect.page(
        from: try answer("/api/products?search_value=a&count=some", many(total)), for: request
      ).total
    }

    try expect(read(.atLeast(10_000)), .atLeast(10_000))
    try expect(read(.exactly(10_000)), .exactly(10_000))
  }

  @Test(arguments: [("-5", ProductTotal.atLeast(0)), ("0", .atLeast(0)), ("7", .atLeast(6))])
  func `a lying count does no harm`(total: String, expected: ProductTotal) throws {
    let body = "{\"totalCount\":\(total),\"totalIsExact\":false,\"pages\":[]}"

    try expect(dialect.page(from: Wire.answer(body), for: PageRequest()).total, expected)
  }
}
