import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

/// The bodies that the server half writes, to the byte: which keys, in which spelling, and none that
/// is null.
struct AnswerBodyTests {
  private static let lamp = product(
    id: 7, "Desk lamp", .krw, 4_200_000, stock: 12, created: 1_622_505_600)
  private static let shoes = product(
    id: 8, "Trail shoes", .usd, 12_050, off: 2_550, stock: 0, created: 1_622_541_601)
  private static let detail = ProductDetail(
    product: shoes, description: "Worn twice.\n\"Size\" 270.",
    pictures: [
      Picture(number: 301, original: "8-1", thumbnail: "8-1"),
      Picture(number: 302, original: "8-2", thumbnail: "8-2"),
    ], version: ProductVersion(rawValue: "1"))

  private static func product(
    id: Int64, _ name: String, _ currency: Currency, _ price: Int64, off: Int64 = 0, stock: Int64,
    created: Int64
  ) -> Product {
    let price = Price(
      full: Money(hundredths: price, currency: currency), discountHundredths: off)
    return Product(
      id: Product.ID(rawValue: id), seller: Seller(id: Seller.ID(rawValue: 3), name: "hana"),
      name: name, pricing: price.map { .readable($0) } ?? .unreadable, stock: stock,
      created: Timestamp(seconds: created), changed: Timestamp(seconds: created + 86_400),
      thumbnail: Picture(number: 301, original: "\(id)-1", thumbnail: "\(id)-1"))
  }

  private func page(_ dialect: any MarketDialect) -> String {
    let page = ProductPage(
      products: [Self.lamp, Self.shoes], descriptions: ["Bright.", ""], total: .exactly(45),
      next: .number(3))
    return dialect.response(
      with: .page(page), to: .page(PageRequest(position: .number(2))), pictures: Wire.pictures
    ).text
  }

  private func answer(_ dialect: any MarketDialect) -> String {
    dialect.response(
      with: .detail(Self.detail), to: .detail(Self.detail.id), pictures: Wire.pictures
    ).text
  }

  @Test func `a page of items`() {
    expect(
      page(ItemsDialect()),
      """
      {"page":2,"items":[{"id":7,"title":"Desk lamp","price":42000,"currency":"KRW","stock":12,\
      "registration_date":1622505600.0,\
      "thumbnails":["http://127.0.0.1:8080/pictures/7-1/thumbnail"]},\
      {"id":8,"title":"Trail shoes","price":121,"currency":"USD","stock":0,\
      "discounted_price":95,"registration_date":1622541601.0,\
      "thumbnails":["http://127.0.0.1:8080/pictures/8-1/thumbnail"]}]}
      """)
  }

  @Test func `an item`() {
    expect(
      answer(ItemsDialect()),
      """
      {"id":8,"title":"Trail shoes","price":121,"currency":"USD","stock":0,\
      "discounted_price":95,"registration_date":1622541601.0,\
      "descriptions":"Worn twice.\\n\\"Size\\" 270.",\
      "thumbnails":["http://127.0.0.1:8080/pictures/8-1/thumbnail",\
      "http://127.0.0.1:8080/pictures/8-2/thumbnail"],\
      "images":["http://127.0.0.1:8080/pictures/8-1","http://127.0.0.1:8080/pictures/8-2"]}
      """)
  }

  @Test(arguments: [(ProductsDialect.Variant.y2022, ".00"), (.y2023, "")])
  func `a page of products`(_ variant: ProductsDialect.Variant, _ fraction: String) {
    expect(
      page(ProductsDialect(variant: variant)),
      """
      {"pageNo":2,"page_no":2,"itemsPerPage":20,"items_per_page":20,"totalCount":45,\
      "total_count":45,"offset":20,"limit":40,"lastPage":3,"last_page":3,"hasNext":true,\
      "has_next":true,"hasPrev":true,"has_prev":true,"pages":[\
      {"id":7,"vendor_id":3,"vendorName":"hana","name":"Desk lamp","description":"Bright.",\
      "thumbnail":"http://127.0.0.1:8080/pictures/7-1/thumbnail","currency":"KRW",\
      "price":42000,"bargain_price":42000,"discounted_price":0,"stock":12,\
      "created_at":"2021-06-01T00:00:00\(fraction)","issued_at":"2021-06-02T00:00:00\(fraction)"},\
      {"id":8,"vendor_id":3,"vendorName":"hana","name":"Trail shoes","description":"",\
      "thumbnail":"http://127.0.0.1:8080/pictures/8-1/thumbnail","currency":"USD",\
      "price":120.5,"bargain_price":95,"discounted_price":25.5,"stock":0,\
      "created_at":"2021-06-01T00:00:00\(fraction)","issued_at":"2021-06-02T00:00:00\(fraction)"}]}
      """)
  }

  @Test(arguments: [(ProductsDialect.Variant.y2022, ".00"), (.y2023, "")])
  func `a product`(_ variant: ProductsDialect.Variant, _ fraction: String) {
    expect(
      answer(ProductsDialect(variant: variant)),
      """
      {"id":8,"vendor_id":3,"vendorName":"hana","name":"Trail shoes",\
      "description":"Worn twice.\\n\\"Size\\" 270.",\
      "thumbnail":"http://127.0.0.1:8080/pictures/8-1/thumbnail","currency":"USD",\
      "price":120.5,"bargain_price":95,"discounted_price":25.5,"stock":0,\
      "created_at":"2021-06-01T00:00:00\(fraction)","issued_at":"2021-06-02T00:00:00\(fraction)",\
      "images":[{"id":301,"url":"http://127.0.0.1:8080/pictures/8-1",\
      "thumbnail_url":"http://127.0.0.1:8080/pictures/8-1/thumbnail","succeed":true,\
      "issued_at":"2021-06-01T00:00:00\(fraction)"},\
      {"id":302,"url":"http://127.0.0.1:8080/pictures/8-2",\
      "thumbnail_url":"http://127.0.0.1:8080/pictures/8-2/thumbnail","succeed":true,\
      "issued_at":"2021-06-01T00:00:00\(fraction)"}],\
      "vendors":{"id":3,"name":"hana","created_at":"2021-06-01T00:00:00\(fraction)",\
      "issued_at":"2021-06-01T00:00:00\(fraction)"}}
      """)
  }

  @Test func `a first page has none before it, a last one none behind it`() {
    let body = ProductsDialect(variant: .y2023).response(
      with: .page(ProductPage(products: [], total: .exactly(0), next: nil)),
      to: .page(PageRequest()), pictures: Wire.pictures
    ).text

    expect(
      body,
      """
      {"pageNo":1,"page_no":1,"itemsPerPage":20,"items_per_page":20,"totalCount":0,\
      "total_count":0,"offset":0,"limit":20,"lastPage":0,"last_page":0,"hasNext":false,\
      "has_next":false,"hasPrev":false,"has_prev":false,"pages":[]}
      """)
  }

  @Test(arguments: [
    (RepositoryError.wrongPassword, 404, "Wrong password", 401, "Wrong password"),
    (.notFound, 404, "Not Found", 404, "Not Found"),
    (
      .invalid([FieldError(.name, .missing)]), 400, "title: is missing", 400, "name: is missing"
    ),
  ])
  func `an error has the keys of all years and never passes for a key to delete by`(
    _ error: RepositoryError, _ items: Int, _ itemsMessage: String, _ products: Int,
    _ productsMessage: String
  ) throws {
    for dialect in Wire.oldDialects {
      let isItems = dialect is ItemsDialect
      let answer = dialect.response(
        failing: error, to: .detail(Self.detail.id), pictures: Wire.pictures)
      let body = try answer.parsed()

      expect(answer.status.rawValue, isItems ? items : products)
      expect(body["error"]?.bool, true)
      expect(body["reason"]?.string, answer.status.reasonPhrase)
      expect(body["message"]?.string, isItems ? itemsMessage : productsMessage)
      expect(body["code"]?.number?.integer, Int64(answer.status.rawValue))
      #expect(answer.text.hasPrefix("{"))
    }
  }
}
