import Expectations
import MarketAPI
import MarketModel
import MarketPages
import Testing

struct PageRouteTests {
  @Test(arguments: [
    PageRoute.home, .list(line: "자전거 <200000 \"a & b\" #%", after: nil),
    .list(line: "q=1&after=2", after: PageCursor(rawValue: "a/b?c&d")),
    .product(Product.ID(rawValue: 12)), .seller(Seller.ID(rawValue: -3), after: nil),
    .seller(Seller.ID(rawValue: 0), after: PageCursor(rawValue: "x")),
  ])
  func `what is written is read as the same`(route: PageRoute) {
    let text = route.target.text

    expect(PageRoute(RequestTarget(parsing: text)), route)
    #expect(PageRoute.mayBe(text))
  }

  @Test(arguments: [
    "/products", "/products/", "/products/x", "/products/0", "/products/-1", "/products/1/2",
    "/products/99999999999999999999", "/sellers", "/sellers/me", "/sellers/01", "/sellers/+1",
    "/api/products/1", "/items/1", "/pictures/x", "/item/1", "/live", "/metrics", "/Products/1",
  ])
  func `other paths are no pages`(path: String) {
    expect(PageRoute(RequestTarget(parsing: path)), nil)
  }

  @Test(arguments: [
    ("/feed.atom", PageRoute.home),
    ("/feed.atom?q=bike&after=c", .list(line: "bike", after: PageCursor(rawValue: "c"))),
  ])
  func `a feed is asked for as its list is`(target: String, route: PageRoute) {
    expect(PageRoute(RequestTarget(parsing: target)), route)
    #expect(PageRoute.mayBe(target))
    expect(PageRoute(RequestTarget(parsing: "/feed.atom/x")), nil)
  }

  @Test(arguments: ["/api/products", "/items/1", "/healthChecker", "/pictures/a", "/live", "*", ""])
  func `requests of the API are passed on by their first bytes`(target: String) {
    #expect(!PageRoute.mayBe(target))
  }

  @Test func `a search line that is too long is cut`() throws {
    let line = String(repeating: "가", count: 5_000)

    let route = try #require(
      PageRoute(PageRoute.list(line: line, after: nil).target))

    guard case .list(let read, _) = route else { throw NotAList() }
    #expect((1...200).contains(read.count) && line.hasPrefix(read))
  }

  private struct NotAList: Error {}
}
