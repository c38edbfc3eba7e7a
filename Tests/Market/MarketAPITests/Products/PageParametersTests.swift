import MarketAPI
import MarketModel
import Testing

/// Lists as they are asked for by query.
@Suite struct PageParametersTests {
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
  ])
  func `a list is asked for by query`(text: String, query: ProductQuery) throws {
    let request = HTTPRequest(.get, RequestTarget(parsing: "/api/products?" + text))

    guard case .page(let page) = try operation(request) else {
      Issue.record("no page")
      return
    }
    #expect(page == PageRequest(query: query))
  }

  @Test func `a list goes on after a cursor`() throws {
    let request = HTTPRequest(
      .get, "/api/products?after=c%2F1&items_per_page=5&page_no=9")

    guard case .page(let page) = try operation(request) else {
      Issue.record("no page")
      return
    }
    #expect(page.position == .after(PageCursor(rawValue: "c/1")))
    #expect(page.size == 5)
  }
}
