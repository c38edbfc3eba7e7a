import Expectations
import MarketAPI
import MarketModel
import Testing

struct MarketRouterTests {
  private let router = MarketRouter([ProductsDialect(variant: .y2023), ItemsDialect()])

  private func read(_ request: HTTPRequest) throws(RequestProblem) -> String {
    try router.route(request).operation.comparable
  }

  private func problem(_ request: HTTPRequest) -> RequestProblem? {
    do throws(RequestProblem) {
      _ = try router.route(request)
      return nil
    } catch { return error }
  }

  @Test(
    arguments: [
      "/items/1", "/items/1/", "//items/1", "/Items/1", "/items/1?", "/items/01",
    ] as [RequestTarget])
  func `a page of v1 is found under every spelling`(target: RequestTarget) throws {
    try expect(read(HTTPRequest(.get, target)), MarketOperation.page(PageRequest()).comparable)
  }

  @Test(
    arguments: [
      "/api/products", "/api/products/", "//api/products", "/api//products//", "/api/products?",
      "/api/products?page_no=1&items_per_page=20", "/api/products/?page_no=1&items_per_page=20",
      "/api/products?page-no=1&items-per-page=20", "/api/products?page_no=&items_per_page=",
      "/api/products?page_no=1&items_per_page=20&search_value=",
    ] as [RequestTarget])
  func `a page of v2 is found under every spelling`(target: RequestTarget) throws {
    try expect(read(HTTPRequest(.get, target)), MarketOperation.page(PageRequest()).comparable)
  }

  @Test(
    arguments: [
      "/api/products/9", "/api/products/9/", "/api/products/9?", "//api/products/9", "/item/9",
      "/item/9/", "//item/9",
    ] as [RequestTarget])
  func `a detail is found under every spelling`(target: RequestTarget) throws {
    try expect(read(HTTPRequest(.get, target)), "detail 9")
    try expect(read(HTTPRequest(.head, target)), "detail 9")
  }

  @Test(arguments: ["/healthChecker", "//healthChecker", "/healthChecker/"] as [RequestTarget])
  func `the health check is found under every spelling`(target: RequestTarget) throws {
    try expect(read(HTTPRequest(.get, target)), "health")
  }

  @Test func `a GET may carry a form's content type and an identifier`() throws {
    let request = HTTPRequest(
      .get, "/api/products/9",
      headers: ["Content-Type": "multipart/form-data; boundary=x", "identifier": "someone"])

    try expect(read(request), "detail 9")
  }

  @Test(arguments: [
    ("?page_no=3&items_per_page=1", 3, 1), ("?page_no=1&items_per_page=800", 1, 800),
    ("?page_no=1&items_per_page=1000", 1, 1_000), ("?page_no=2&items_per_page=5000", 2, 1_000),
    ("?page-no=2&items-per-page=10", 2, 10),
    ("?page_no=99999999999999999999&items_per_page=20", Int.max, 20),
  ])
  func `pages of all sizes are asked for`(query: String, number: Int, size: Int) throws {
    let request = HTTPRequest(.get, RequestTarget(parsing: "/api/products" + query))

    let expected = PageRequest(position: number == 1 ? .first : .number(number), size: size)
    try expect(read(request), MarketOperation.page(expected).comparable)
  }

  @Test(arguments: [
    ("page_no=0", "page_no"), ("page_no=-1", "page_no"), ("page_no=one", "page_no"),
    ("page_no=1.5", "page_no"), ("items_per_page=0", "items_per_page"), ("sort=age", "sort"),
    ("in_stock=maybe", "in_stock"), ("vendor_id=me", "vendor_id"),
  ])
  func `a parameter that cannot be read is named`(query: String, part: String) {
    let request = HTTPRequest(.get, RequestTarget(parsing: "/api/products?" + query))

    guard case .malformed(let named, _) = problem(request) else {
      Issue.record("accepted")
      return
    }
    expect(named, part)
    expect(
      router.response(to: .malformed(part: named, reason: "x"), for: request).status, .badRequest)
  }

  @Test(arguments: ["/items/0", "/items/-1", "/items/first", "/items/99999999999999999999"])
  func `a page of v1 that is no number is named`(path: String) {
    expect(
      problem(HTTPRequest(.get, RequestTarget(parsing: path))),
      .malformed(part: "page", reason: "must be 1 or more"))
  }

  @Test(
    arguments: [
      "/", "/api", "/items", "/item/x", "/item/1/2", "/api/products/x", "/api/products/1/2/3",
      "/api/sellers", "/api/sellers/7", "/item/99999999999999999999", "/item/-1", "/favicon.ico",
      "/pictures", "/pictures/a/b",
    ] as [RequestTarget])
  func `other paths are unknown`(target: RequestTarget) {
    expect(problem(HTTPRequest(.get, target)), .unknownRoute)
  }

  @Test(
    arguments: [
      ("/items/1", [.get, .head]), ("/item", [.post]), ("/item/1", [.get, .head, .patch, .delete]),
      ("/api/products", [.get, .head, .post]),
      ("/api/products/1", [.get, .head, .patch, .delete]), ("/api/products/1/secret", [.post]),
      ("/api/products/1/archived", [.post]), ("/healthChecker", [.get, .head]),
      ("/api/sellers/me", [.get, .head, .patch]), ("/pictures/a", [.get, .head]),
    ] as [(String, [HTTPMethod])])
  func `other methods are refused with those that work`(path: String, methods: [HTTPMethod]) {
    let request = HTTPRequest(HTTPMethod(rawValue: "BREW"), RequestTarget(parsing: path))

    expect(problem(request), .methodNotAllowed(methods))
    let answer = router.response(to: .methodNotAllowed(methods), for: request)
    expect(answer.status, .methodNotAllowed)
    expect(answer.headers["Allow"], methods.map(\.rawValue).joined(separator: ", "))
  }

  @Test(arguments: [
    ("/api/products/9/abc", "confirmDeletion abc of 9"),
    ("/api/products/abc", "confirmDeletion abc of -1"),
    ("//api/products/abc", "confirmDeletion abc of -1"),
    ("/api/products/abc/", "confirmDeletion abc of -1"),
  ])
  func `deletion keys of both years are accepted`(path: String, operation: String) throws {
    let request = HTTPRequest(
      .delete, RequestTarget(parsing: path), headers: ["Identifier": Wire.identifier.secret])

    try expect(read(request), operation + " by " + Wire.identifier.secret)
  }

  @Test(arguments: [
    (HTTPMethod.post, "/api/products"), (.patch, "/api/products/1"),
    (.post, "/api/products/1/secret"), (.post, "/api/products/1/archived"),
    (.delete, "/api/products/abc"), (.get, "/api/sellers/me"),
  ])
  func `what changes something needs an identifier`(method: HTTPMethod, path: String) {
    let bodies = [#"{"secret":"p"}"#]
    for body in bodies {
      let request = Wire.request(method, RequestTarget(parsing: path), json: body)

      expect(problem(request), .malformed(part: "identifier", reason: "this header is missing"))
    }
  }

  @Test(arguments: ["has space", "한", String(repeating: "x", count: 129)])
  func `an identifier that cannot be one is refused`(identifier: String) {
    let request = HTTPRequest(.get, "/api/sellers/me", headers: ["identifier": identifier])

    expect(problem(request), .malformed(part: "identifier", reason: "this header cannot be read"))
  }

  @Test func `problems are answered in the words of the dialect`() {
    let missing = RequestProblem.invalid([FieldError(.name, .missing)])

    let items = router.response(to: missing, for: HTTPRequest(.post, "/item"))
    let products = router.response(to: missing, for: HTTPRequest(.post, "/api/products"))

    #expect(items.text.contains("title: is missing"))
    #expect(products.text.contains("name: is missing"))
    expect(items.status, .badRequest)
  }
}
