import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

/// Answers of v1 as its clients demand them.
struct ItemsResponseTests {
  private let picture = Picture(number: 1, original: "a", thumbnail: "a")

  private func product(_ full: Int64, off: Int64 = 0, thumbnail: Bool = true) throws -> Product {
    var product = Product.sample(id: 8, currency: .usd, thumbnail: thumbnail ? picture : nil)
    product.pricing = .readable(
      try #require(
        Price(full: Money(hundredths: full, currency: .usd), discountHundredths: off)))
    return product
  }

  private func page(_ products: [Product], number: Int = 1) throws -> JSONValue {
    let response = ItemsDialect().response(
      with: .page(ProductPage(products: products, total: .exactly(0), next: nil)),
      to: .page(PageRequest(position: .number(number))), pictures: Wire.pictures)
    expect(response.status, .ok)
    expect(response.headers["Content-Type"], "application/json")
    return try response.parsed()
  }

  private func item(_ product: Product) throws -> JSONValue {
    try #require(try page([product])["items"]?.elements.first { _ in true })
  }

  @Test func `the page is echoed and empty past the end`() throws {
    let page = try page([], number: 7)

    expect(page["page"]?.number?.integer, 7)
    expect(page["items"]?.isArray, true)
    expect(page["items"].map { Array($0.elements).isEmpty }, true)
  }

  @Test func `an item of a list has no text and no images`() throws {
    let item = try item(try product(10_000))

    expect(item["id"]?.number?.integer, 8)
    expect(item["title"]?.string, "Product 8")
    expect(item["stock"]?.number?.integer, 3)
    expect(item["currency"]?.string, "USD")
    #expect(item["descriptions"] == nil)
    #expect(item["images"] == nil)
    expect(item["registration_date"]?.text, "1700000480.0")
  }

  @Test(
    arguments: [
      (10_000, 0, "100", nil), (16_500, 500, "165", "160"), (10_050, 0, "101", nil),
      (101, 0, "2", nil), (236, 100, "3", "2"), (10_000, 1, "100", nil),
      (10_000, 10_000, "100", "0"),
      (0, 0, "0", nil), (Int64.max, 0, "92233720368547759", nil),
    ] as [(Int64, Int64, String, String?)])
  func `prices are whole, rounded up, and the discounted one is what is paid`(
    full: Int64, off: Int64, price: String, discounted: String?
  ) throws {
    let item = try item(try product(full, off: off))

    expect(item["price"]?.text, price)
    expect(item["discounted_price"]?.text, discounted)
  }

  @Test func `thumbnails are never empty`() throws {
    let thumbnails = try #require(try item(try product(100, thumbnail: false))["thumbnails"])

    expect(thumbnails.elements.map(\.string), ["http://127.0.0.1:8080/pictures/none/thumbnail"])
  }

  @Test(arguments: [
    MarketOperation.detail(Product.ID(rawValue: 8)),
    .verify(Product.ID(rawValue: 8), Password("p"), .guest),
    .delete(Product.ID(rawValue: 8), Password("p"), .guest),
    .register(.sample(), .guest, nil),
  ])
  func `whatever is asked, a product is answered whole and with 200`(
    operation: MarketOperation
  ) throws {
    let detail = ProductDetail.sample(of: try product(100), description: "Text.\n")

    let response = ItemsDialect().response(
      with: .detail(detail), to: operation, pictures: Wire.pictures)

    let item = try response.parsed()
    expect(response.status, .ok)
    expect(item["descriptions"]?.string, "Text.\n")
    expect(item["images"]?.elements.map(\.string), ["http://127.0.0.1:8080/pictures/a"])
    expect(item["thumbnails"].map { Array($0.elements).count }, 1)
  }
}
