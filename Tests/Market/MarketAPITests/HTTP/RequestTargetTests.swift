import Expectations
import MarketAPI
import Testing

struct RequestTargetTests {
  @Test(arguments: [
    ("/api/products", ["api", "products"]),
    ("/api/products/", ["api", "products"]),
    ("//api/products", ["api", "products"]),
    ("//healthChecker", ["healthChecker"]),
    ("/api/products/9?", ["api", "products", "9"]),
    ("/api/products?", ["api", "products"]),
    ("/", []),
    ("", []),
    ("?a=b", []),
    ("/a%2Fb/%ED%95%9C", ["a/b", "한"]),
  ])
  func `a path is read as its words`(text: String, segments: [String]) {
    expect(RequestTarget(parsing: text).segments, segments)
  }

  @Test func `a query is read with its escapes`() {
    let target: RequestTarget = "/api/products?search_value=%EC%9D%98%EC%9E%90+red&page_no=1&&x"

    expect(target.query["search_value"], "의자 red")
    expect(target.query["page_no"], "1")
    expect(target.query.items.map(\.name), ["search_value", "page_no", "x"])
  }

  @Test func `an empty value counts as absent`() {
    let target: RequestTarget = "/api/products?search_value=&page_no=2"

    expect(target.query["search_value"], nil)
  }

  @Test(arguments: ["a&b=c", "100% + 1?", "한글 #/", "\u{0}\u{1F600}"])
  func `what is written is read back`(text: String) {
    var query = QueryItems()
    query.add(text, for: text)
    let target = RequestTarget(segments: ["x", text], query: query)

    let read = RequestTarget(parsing: target.text)

    expect(read, target)
    expect(read.segments, ["x", text])
  }
}
