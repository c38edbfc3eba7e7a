import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

/// Answers of v2 as its clients demand them.
struct ProductsResponseTests {
  private let picture = Picture(number: 301, original: "a", thumbnail: "a")
  private static let id = Product.ID(rawValue: 52)
  private static let author = Author.seller(Wire.identifier)

  private var product: Product {
    var product = Product.sample(
      id: 52, seller: Seller(id: Seller.ID(rawValue: 7), name: "hana"), name: "Camping chair",
      price: 38_000, discount: 8_000, stock: 4, thumbnail: picture)
    product.created = Timestamp(seconds: 1_677_758_000)
    product.changed = Timestamp(seconds: 1_677_715_200 + 86_400)
    return product
  }

  private func page(
    _ page: ProductPage, _ request: PageRequest,
    _ variant: ProductsDialect.Variant = .y2023
  ) throws -> JSONValue {
    try ProductsDialect(variant: variant).response(
      with: .page(page), to: .page(request), pictures: Wire.pictures
    ).parsed()
  }

  private func detail(
    _ operation: MarketOperation = .detail(id), _ variant: ProductsDialect.Variant = .y2023
  ) -> HTTPResponse {
    let detail = ProductDetail.sample(
      of: product, description: "Folds flat.", version: ProductVersion(rawValue: "41"))
    return ProductsDialect(variant: variant).response(
      with: .detail(detail), to: operation, pictures: Wire.pictures)
  }

  @Test(arguments: [
    (1_387, 15, 93), (113, 20, 6), (1_340, 20, 67), (1_182, 3, 394), (10, 20, 1), (0, 20, 0),
    (20, 20, 1), (21, 20, 2),
  ])
  func `the last page is the number of pages`(total: Int, size: Int, last: Int64) throws {
    let page = try page(
      ProductPage(products: [], total: .exactly(total), next: nil), PageRequest(size: size))

    expect(page["last_page"]?.number?.integer, last)
    expect(page["lastPage"]?.number?.integer, last)
  }

  @Test(arguments: [
    (PagePosition.first, 20, 0, 20), (.number(3), 20, 40, 60), (.number(2), 15, 15, 30),
  ])
  func `the limit is the end of the page, clipped to nothing`(
    position: PagePosition, size: Int, offset: Int64, limit: Int64
  ) throws {
    let page = try page(
      ProductPage(products: [], total: .exactly(10), next: nil),
      PageRequest(position: position, size: size))

    expect(page["offset"]?.number?.integer, offset)
    expect(page["limit"]?.number?.integer, limit)
  }

  @Test func `a page has the keys of both years`() throws {
    let page = try page(
      ProductPage(products: [product], total: .exactly(45), next: .number(3)),
      PageRequest(position: .number(2)))

    for (key, value) in [("pageNo", 2), ("itemsPerPage", 20), ("totalCount", 45)]
      as [(StaticString, Int64)]
    {
      expect(page[key]?.number?.integer, value)
    }
    for (key, value) in [("page_no", 2), ("items_per_page", 20), ("total_count", 45)]
      as [(StaticString, Int64)]
    {
      expect(page[key]?.number?.integer, value)
    }
    for key in ["hasNext", "has_next", "hasPrev", "has_prev"] as [StaticString] {
      expect(page[key]?.bool, true)
    }
    #expect(page["nextCursor"] == nil)
  }

  @Test func `past the end a page is empty, and the numbers do not overflow`() throws {
    let page = try page(
      ProductPage(products: [], total: .exactly(45), next: nil),
      PageRequest(position: .number(.max), size: 1_000))

    expect(page["pages"]?.isArray, true)
    expect(page["hasNext"]?.bool, false)
    expect(page["limit"]?.number?.integer, .max)
  }

  @Test func `a cursor tells where to go on`() throws {
    let page = try page(
      ProductPage(
        products: [product], total: .exactly(45), next: .after(PageCursor(rawValue: "52"))),
      PageRequest())

    expect(page["nextCursor"]?.string, "52")
    expect(page["has_next"]?.bool, true)
  }

  @Test(arguments: [
    (ProductsDialect.Variant.y2022, "2023-03-02T00:00:00.00", "2023-03-03T00:00:00.00"),
    (.y2023, "2023-03-02T00:00:00", "2023-03-03T00:00:00"),
  ])
  func `a product of a list has all keys, and dates at midnight`(
    variant: ProductsDialect.Variant, created: String, issued: String
  ) throws {
    let page = try page(
      ProductPage(
        products: [product], descriptions: ["Folds flat."], total: .exactly(1), next: nil),
      PageRequest(), variant)

    let row = try #require(page["pages"]?.elements.first { _ in true })
    expect(row["id"]?.number?.integer, 52)
    expect(row["vendor_id"]?.number?.integer, 7)
    expect(row["vendorName"]?.string, "hana")
    expect(row["name"]?.string, "Camping chair")
    expect(row["description"]?.string, "Folds flat.")
    expect(row["thumbnail"]?.string, "http://127.0.0.1:8080/pictures/a/thumbnail")
    expect(row["currency"]?.string, "KRW")
    expect(row["price"]?.text, "38000")
    expect(row["bargain_price"]?.text, "30000")
    expect(row["discounted_price"]?.text, "8000")
    expect(row["stock"]?.number?.integer, 4)
    expect(row["created_at"]?.string, created)
    expect(row["issued_at"]?.string, issued)
  }

  @Test func `a product is never without its keys`() throws {
    var bare = product
    bare.thumbnail = nil
    bare.pricing = .unreadable

    let page = try page(
      ProductPage(products: [bare], total: .unknown, next: nil), PageRequest())

    let row = try #require(page["pages"]?.elements.first { _ in true })
    expect(row["description"]?.string, "")
    expect(row["thumbnail"]?.string, "http://127.0.0.1:8080/pictures/none/thumbnail")
    expect(row["price"]?.text, "0")
  }

  @Test func `a fraction stays a fraction`() throws {
    var fractional = product
    fractional.pricing = .readable(
      try #require(Price(full: Money(hundredths: 236, currency: .krw), discountHundredths: 50)))

    let page = try page(
      ProductPage(products: [fractional], total: .exactly(1), next: nil), PageRequest())

    let row = try #require(page["pages"]?.elements.first { _ in true })
    expect(row["price"]?.text, "2.36")
    expect(row["bargain_price"]?.text, "1.86")
    expect(row["discounted_price"]?.text, "0.5")
  }

  @Test func `a detail has its pictures and its seller`() throws {
    let body = try detail(.detail(Self.id), .y2022).parsed()

    let image = try #require(body["images"]?.elements.first { _ in true })
    expect(image["id"]?.number?.integer, 301)
    expect(image["url"]?.string, "http://127.0.0.1:8080/pictures/a")
    expect(image["thumbnail_url"]?.string, "http://127.0.0.1:8080/pictures/a/thumbnail")
    expect(image["succeed"]?.bool, true)
    expect(image["issued_at"]?.string, "2023-03-02T00:00:00.00")
    let vendor = try #require(body["vendors"])
    expect(vendor["id"]?.number?.integer, 7)
    expect(vendor["name"]?.string, "hana")
    expect(vendor["created_at"]?.string, "2023-03-02T00:00:00.00")
    expect(vendor["issued_at"]?.string, "2023-03-02T00:00:00.00")
    expect(body["description"]?.string, "Folds flat.")
  }

  @Test(
    arguments: [
      (.detail(id), 200), (.register(.sample(), author, nil), 201),
      (.verify(id, Password("p"), author), 202),
      (
        .update(
          ProductUpdate(id: id, patch: ProductPatch(), password: Password("p"), author: author)),
        202
      ),
      (.confirmDeletion(token: "t", of: nil, author), 200),
    ] as [(MarketOperation, Int)])
  func `statuses are those that clients insist on`(operation: MarketOperation, status: Int) {
    let response = detail(operation)

    expect(response.status.rawValue, status)
    expect(response.headers["Content-Type"], "application/json")
    #expect(response.headers.announcesAdditions)
  }

  @Test func `a product that still is has an entity tag`() {
    expect(detail().headers["ETag"], "\"41\"")
    expect(detail(.confirmDeletion(token: "x", of: nil, Self.author)).headers["ETag"], nil)
  }

  @Test(arguments: [
    ("secret", "tok-en_1.2"), ("archived", "/api/products/tok-en_1.2"),
  ])
  func `a key is answered bare`(route: String, body: String) {
    let response = ProductsDialect(variant: .y2023).response(
      with: .deletionToken("tok-en_1.2"),
      to: .requestDeletion(Self.id, Password("p"), Self.author),
      in: HTTPRequest(.post, RequestTarget(parsing: "/api/products/52/\(route)")),
      pictures: Wire.pictures)

    expect(response.status, .ok)
    expect(response.text, body)
    expect(response.headers["Content-Type"], "text/plain; charset=utf-8")
  }

  /// The four ways in which clients make the second request of the answer to `/archived`.
  @Test func `the path works in all ways in which clients use it`() throws {
    let answer = "/api/products/tok"
    let base = "http://h"
    let uses = [
      base + answer, base + "/" + answer.dropFirst(),
      base + "/api/products/" + (answer.split(separator: "/").last ?? ""), base + "/" + answer,
    ]

    for use in uses {
      let request = HTTPRequest(
        .delete, RequestTarget(parsing: String(use.dropFirst(base.count))),
        headers: ["identifier": Wire.identifier.secret])
      guard
        case .confirmDeletion(let token, nil, _) =
          try ProductsDialect(variant: .y2023).operation(from: request)
      else {
        Issue.record("not read: \(use)")
        continue
      }
      expect(token, "tok")
    }
  }
}
