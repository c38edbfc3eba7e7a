import Expectations
import MarketAPI
import MarketModel
import Testing

/// Responses of foreign v2 servers.
struct ProductsAnswerTests {
  private static let row2023 = """
    {"id":52,"vendor_id":7,"vendorName":"hana","name":"Camping chair","description":"Folds flat.",\
    "thumbnail":"http://h/52_thumb.jpg","currency":"KRW","price":38000.0,"bargain_price":30000.0,\
    "discounted_price":8000.0,"stock":4,"created_at":"2023-03-02T00:00:00",\
    "issued_at":"2023-03-02T00:00:00"}
    """
  private static let row2022 = """
    {"id":52,"vendor_id":7,"name":"Camping chair","thumbnail":"http://h/52_thumb.jpg",\
    "currency":"KRW","price":38000.0,"bargain_price":30000.0,"discounted_price":8000.0,"stock":4,\
    "created_at":"2022-05-02T00:00:00.00","issued_at":"2022-05-03T00:00:00.00"}
    """

  private func page(
    _ body: String, _ request: PageRequest = PageRequest()
  ) throws(RepositoryError) -> ProductPage {
    try ProductsDialect(variant: .y2023).page(from: Wire.answer(body), for: request)
  }

  private func product(_ row: String) throws -> Product {
    try #require(try page("{\"pages\":[\(row)]}").products.first)
  }

  private func replacing(_ plain: String, by other: String) -> String {
    Self.row2023.split(separator: plain, omittingEmptySubsequences: false).joined(separator: other)
  }

  @Test func `a page of 2023 is read`() throws {
    let page = try page(
      """
      {"pageNo":1,"itemsPerPage":2,"totalCount":3,"offset":0,"limit":2,"lastPage":2,"hasNext":true,
       "hasPrev":false,"pages":[\(Self.row2023)]}
      """)

    expect(page.total, .exactly(3))
    expect(page.next, .number(2))
    let product = try #require(page.products.first)
    expect(product.seller, Seller(id: Seller.ID(rawValue: 7), name: "hana"))
    expect(product.pricing.price?.toPay, Money(hundredths: 3_000_000, currency: .krw))
    expect(product.created, Timestamp(seconds: 1_677_715_200, precision: .day))
    expect(product.thumbnail?.thumbnail, "http://h/52_thumb.jpg")
  }

  @Test func `a page of 2022 is read`() throws {
    let page = try page(
      """
      {"page_no":1,"items_per_page":2,"total_count":3,"offset":0,"limit":2,"pages":[\(Self.row2022)],
       "last_page":2,"has_next":true,"has_prev":false}
      """)

    expect(page.total, .exactly(3))
    expect(page.next, .number(2))
    expect(page.products.first?.seller, Seller(id: Seller.ID(rawValue: 7), name: ""))
    expect(page.products.first?.changed, Timestamp(seconds: 1_651_536_000, precision: .day))
  }

  @Test(
    arguments: [
      (#""has_next":true"#, PagePosition.first, PagePosition.number(2)),
      (#""has_next":false"#, .first, nil), (#""last_page":3"#, .number(2), .number(3)),
      (#""last_page":3"#, .number(3), nil), (#""x":1"#, .first, nil),
      (#""hasNext":true"#, .after(PageCursor(rawValue: "a")), nil),
      (#""nextCursor":"b","hasNext":true"#, .first, .after(PageCursor(rawValue: "b"))),
      (#""hasNext":"yes","lastPage":9"#, .first, .number(2)),
      (#""hasNext":true"#, .number(.max), nil),
    ] as [(String, PagePosition, PagePosition?)])
  func `the next page is found by what there is`(
    keys: String, position: PagePosition, next: PagePosition?
  ) throws {
    let body = "{\(keys),\"pages\":[\(Self.row2023)]}"

    try expect(page(body, PageRequest(position: position)).next, next)
  }

  @Test func `nothing follows an empty page, whatever it says`() throws {
    let page = try page(#"{"hasNext":true,"nextCursor":"x","pages":[]}"#)

    expect(page.next, nil)
    expect(page.total, .unknown)
  }

  @Test(
    arguments: [
      ("38000.0", "6.6666666E7", 6_666_666_600, 800_000),
      ("38000.0", "\"38000\"", 3_800_000, 800_000), ("38000.0", "8000", 800_000, 800_000),
      (",\"discounted_price\":8000.0", "", 3_800_000, 800_000),
      (",\"bargain_price\":30000.0,\"discounted_price\":8000.0", "", 3_800_000, 0),
      ("8000.0,\"stock", "null,\"stock", 3_800_000, 800_000),
      ("8000.0,\"stock", "0.0,\"stock", 3_800_000, 0),
    ] as [(String, String, Int64, Int64)])
  func `prices are read in every spelling`(
    plain: String, other: String, full: Int64, off: Int64
  ) throws {
    let price = try #require(try product(replacing(plain, by: other)).pricing.price)

    expect(price.full.hundredths, full)
    expect(price.discountHundredths, off)
  }

  @Test(arguments: [
    ("38000.0", "1e400"), ("38000.0", "-1"), ("38000.0", "null"), ("38000.0", "\"free\""),
    ("38000.0", "{}"), ("8000.0,\"stock", "99999.0,\"stock"), ("8000.0,\"stock", "-1,\"stock"),
    ("\"KRW\"", "null"), ("\"KRW\"", "\"\""), ("\"KRW\"", "5"), ("38000.0", "0.001"),
    ("38000.0", "99999999999999999999"),
  ])
  func `a price that is none is shown as such, in a row that is there`(
    plain: String, other: String
  ) throws {
    let product = try product(replacing(plain, by: other))

    expect(product.pricing, .unreadable)
    expect(product.name, "Camping chair")
  }

  @Test func `an unknown currency is kept`() throws {
    try expect(product(replacing("KRW", by: "XTS")).pricing.price?.currency.rawValue, "XTS")
  }

  @Test(arguments: [
    ("\"id\":52", "\"id\":null"), ("\"id\":52", "\"x\":52"), ("\"id\":52", "\"id\":1.5"),
    ("\"id\":52", "\"id\":99999999999999999999"), ("\"id\":52", "\"id\":\"abc\""),
    ("\"Camping chair\"", "null"), ("\"Camping chair\"", "[]"), ("\"stock\":4", "\"stock\":-1"),
    ("\"stock\":4", "\"stock\":1e17"), ("\"stock\":4", "\"stock\":null"),
    ("\"stock\":4", "\"stock\":{}"), ("2023-03-02T00:00:00", "yesterday"),
    ("\"2023-03-02T00:00:00\"", "null"), ("\"2023-03-02T00:00:00\"", "1e400"),
    ("2023-03-02", "2023-02-30"),
  ])
  func `one broken row costs itself and no other`(plain: String, other: String) throws {
    let broken = replacing(plain, by: other)

    let page = try page(
      "{\"totalCount\":4,\"pages\":[\(Self.row2023),\(broken),null,7,[],\(Self.row2022)]}")

    expect(page.products.count, 2)
    expect(page.unreadableRows, 4)
    expect(page.total, .exactly(4))
  }

  @Test(arguments: [
    (",\"thumbnail\":\"http://h/52_thumb.jpg\"", ""), ("\"http://h/52_thumb.jpg\"", "null"),
    ("\"http://h/52_thumb.jpg\"", "5"), ("\"http://h/52_thumb.jpg\"", "\"\""),
  ])
  func `a row without a thumbnail is a row`(plain: String, other: String) throws {
    try expect(product(replacing(plain, by: other)).thumbnail, nil)
  }

  @Test func `more rows than were asked for are taken, up to a thousand`() throws {
    let rows = Array(repeating: Self.row2023, count: 1_200).joined(separator: ",")

    try expect(page("{\"pages\":[\(rows)]}").products.count, 1_000)
  }

  @Test(arguments: [
    ("", RepositoryError.badAnswer(.unreadable)), ("null", .badAnswer(.unreadable)),
    ("[]", .badAnswer(.unreadable)), ("{}", .badAnswer(.unreadable)),
    ("{\"pages\":null}", .badAnswer(.unreadable)), ("{\"pages\":{}}", .badAnswer(.unreadable)),
    ("<!doctype html>", .badAnswer(.notAMarket)), (" <html>", .badAnswer(.notAMarket)),
    ("{\"pages\":[", .badAnswer(.unreadable)), ("OK", .badAnswer(.unreadable)),
  ])
  func `an answer that is no page is one error`(body: String, error: RepositoryError) {
    #expect(throws: error) { try page(body) }
  }

  @Test func `ten thousand levels are one error`() {
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)

    #expect(throws: RepositoryError.badAnswer(.unreadable)) { try page("{\"pages\":\(deep)}") }
  }

  @Test(arguments: [-1, 0])
  func `a total below nothing is nothing`(total: Int) throws {
    try expect(page("{\"totalCount\":\(total),\"pages\":[]}").total, .exactly(0))
  }

  @Test func `a detail is read with what it has`() throws {
    let body =
      Self.row2022.dropLast() + """
        ,"images":[{"id":301,"url":"http://h/1.jpg","thumbnail_url":"http://h/52_thumb.jpg"},
         {"id":302,"url":"http://h/2.jpg"},{"id":303},null,{"thumbnail_url":"http://h/3_thumb.jpg"}],
         "vendors":{"id":7,"name":"hana","created_at":"x"}}
        """
    let answer = Wire.answer(String(body), headers: ["ETag": "\"from a proxy\""])

    let detail = try ProductsDialect(variant: .y2022)
      .detail(from: answer, for: .detail(Product.ID(rawValue: 52)))

    #expect(detail.description.isEmpty)
    expect(detail.product.seller.name, "hana")
    expect(
      detail.pictures.map(\.original), ["http://h/1.jpg", "http://h/2.jpg", "http://h/3_thumb.jpg"])
    expect(detail.product.thumbnail, detail.pictures[0])
    expect(detail.version, nil)
  }

  @Test func `a version is read where our additions are announced`() throws {
    let answer = Wire.answer(
      Self.row2023, headers: ["ETag": "W/\"41\"", "market-extensions": "1"])

    let detail = try ProductsDialect(variant: .y2023)
      .detail(from: answer, for: .detail(Product.ID(rawValue: 52)))

    expect(detail.version, ProductVersion(rawValue: "41"))
    expect(detail.pictures.count, 1)
  }

  @Test(arguments: [
    ("", true), ("{}", true), ("{\"id\":52}", true), ("<html>", false),
  ])
  func `an empty answer to a deletion will do, a page of HTML will not`(
    body: String, isAccepted: Bool
  ) {
    let operation = MarketOperation.confirmDeletion(
      token: "t", of: nil, .seller(Wire.identifier))

    do throws(RepositoryError) {
      let deleted = try ProductsDialect(variant: .y2023)
        .deleted(from: Wire.answer(body), for: operation)
      #expect(isAccepted && deleted == nil)
    } catch {
      #expect(!isAccepted && error == .badAnswer(.notAMarket))
    }
  }
}
