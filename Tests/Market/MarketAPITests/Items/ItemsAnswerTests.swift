import Expectations
import MarketAPI
import MarketModel
import Testing

/// Responses of foreign v1 servers.
struct ItemsAnswerTests {
  private static let row = """
    {"id":8,"title":"Trail shoes","price":120,"currency":"USD","stock":0,"discounted_price":95,\
    "thumbnails":["http://h/8-1.jpg","http://h/8-2.jpg"],"registration_date":1622505700.5}
    """

  private func page(_ body: String) throws(RepositoryError) -> ProductPage {
    try ItemsDialect().page(from: Wire.answer(body), for: PageRequest(position: .number(2)))
  }

  private func product(replacing plain: String, by other: String) throws -> Product {
    let row = Self.row.split(separator: plain, omittingEmptySubsequences: false)
      .joined(separator: other)
    return try #require(try page("{\"page\":2,\"items\":[\(row)]}").products.first)
  }

  @Test func `a page is read`() throws {
    let page = try page("{\"page\":2,\"items\":[\(Self.row)]}")

    let product = try #require(page.products.first)
    expect(product.id.rawValue, 8)
    expect(product.name, "Trail shoes")
    expect(product.pricing.price?.full, Money(hundredths: 12_000, currency: .usd))
    expect(product.pricing.price?.toPay, Money(hundredths: 9_500, currency: .usd))
    #expect(product.isSoldOut)
    expect(product.created, Timestamp(seconds: 1_622_505_700))
    expect(product.seller, .guest)
    expect(product.thumbnail?.original, "http://h/8-1.jpg")
    expect(page.next, .number(3))
    expect(page.total, .unknown)
  }

  @Test func `an empty page is the end`() throws {
    try expect(page("{\"page\":2,\"items\":[]}").next, nil)
  }

  @Test func `a page of broken rows is not the end`() throws {
    let page = try page("{\"page\":2,\"items\":[{},null]}")

    expect(page.next, .number(3))
    expect(page.unreadableRows, 2)
  }

  @Test(
    arguments: [
      ("\"discounted_price\":95", "\"discounted_price\":null", 0),
      (",\"discounted_price\":95", "", 0), (":95", ":120", 0), (":95", ":0", 12_000),
      (":95", ":95.5", 2_450),
    ] as [(String, String, Int64)])
  func `the discount is what is missing to the price`(
    plain: String, other: String, off: Int64
  ) throws {
    try expect(product(replacing: plain, by: other).pricing.price?.discountHundredths, off)
  }

  @Test(arguments: [
    (":95", ":121"), (":95", ":-1"), (":95", ":\"x\""), (":120", ":1e400"), (":120", ":null"),
  ])
  func `a price that is none is shown as such`(plain: String, other: String) throws {
    try expect(product(replacing: plain, by: other).pricing, .unreadable)
  }

  @Test(arguments: [
    ("1622505700.5", "1622505700"), ("1622505700.5", "\"1622505700.5\""),
    ("1622505700.5", "\"2021-06-01T00:01:40Z\""), ("1622505700.5", "1.6225057005E9"),
  ])
  func `dates are read in every spelling`(plain: String, other: String) throws {
    try expect(product(replacing: plain, by: other).created, Timestamp(seconds: 1_622_505_700))
  }

  @Test func `any currency and a large stock are read`() throws {
    try expect(product(replacing: "USD", by: "BTC").pricing.price?.currency.rawValue, "BTC")
    try expect(
      product(replacing: "\"stock\":0", by: "\"stock\":1000000000000").stock, 1_000_000_000_000)
  }

  @Test(arguments: [
    (
      #""images":["http://h/1.jpg","http://h/2.jpg"],"thumbnails":["http://h/1t.jpg"]"#,
      ["http://h/1.jpg", "http://h/2.jpg"], ["http://h/1t.jpg", "http://h/2.jpg"]
    ),
    (#""thumbnails":["http://h/1t.jpg",null,5]"#, ["http://h/1t.jpg"], ["http://h/1t.jpg"]),
    (#""images":null"#, [], []), (#""thumbnails":"x""#, [], []),
  ])
  func `pictures are paired as far as there are any`(
    keys: String, originals: [String], thumbnails: [String]
  ) throws {
    let body =
      #"{"id":8,"title":"a","price":1,"currency":"USD","stock":0,"registration_date":1,"# + keys
      + "}"

    let detail = try ItemsDialect().detail(
      from: Wire.answer(body), for: .detail(Product.ID(rawValue: 8)))

    expect(detail.pictures.map(\.original), originals)
    expect(detail.pictures.map(\.thumbnail), thumbnails)
  }

  @Test(arguments: ["descriptions", "description"])
  func `the text is read under either name`(key: String) throws {
    let body = Self.row.dropLast() + ",\"\(key)\":\"Worn twice.\\nSize 270.\"}"

    let detail = try ItemsDialect().detail(
      from: Wire.answer(String(body)), for: .detail(Product.ID(rawValue: 8)))

    expect(detail.description, "Worn twice.\nSize 270.")
  }

  @Test(arguments: ["{}", "[]", "{\"items\":7}", "", "{\"page\":1}"])
  func `an answer that is no page is one error`(body: String) {
    #expect(throws: RepositoryError.badAnswer(.unreadable)) { try page(body) }
  }

  @Test func `what v1 has no words for is not asked`() {
    let dialect = ItemsDialect()
    let queries = [
      ProductQuery(text: "x"), ProductQuery(order: .cheapest), ProductQuery(filters: [.inStock]),
    ]

    for query in queries {
      #expect(throws: RepositoryError.unsupported) {
        try dialect.request(for: .page(PageRequest(query: query)))
      }
    }
    #expect(throws: RepositoryError.unsupported) { try dialect.request(for: .health) }
    #expect(throws: RepositoryError.unsupported) {
      try dialect.request(
        for: .page(PageRequest(position: .after(PageCursor(rawValue: "x")))))
    }
  }
}
