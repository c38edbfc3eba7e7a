import Expectations
import MarketAPI
import MarketModel
import Testing

/// What clients of the items API (2021) send, a row a fact.
struct ItemsRequestTests {
  private static let id = Product.ID(rawValue: 8)

  private static func page(_ number: Int) -> MarketOperation {
    .page(PageRequest(position: number == 1 ? .first : .number(number), size: 20))
  }

  private static func update(_ patch: ProductPatch) -> MarketOperation {
    .update(ProductUpdate(id: id, patch: patch, password: Password("pw"), author: .guest))
  }

  private static func patch(_ field: String, _ text: String, _ patch: ProductPatch) -> RequestFact {
    RequestFact(
      "an edit of \(field) alone",
      """
      PATCH /item/8
      Content-Type: multipart/form-data; boundary=b

      --b
      Content-Disposition: form-data; name="\(field)"

      \(text)
      --b
      Content-Disposition: form-data; name="password"

      pw
      --b--
      """, update(patch))
  }

  static let reading = [
    RequestFact("pages begin at 1 and have 20 items", "GET /items/1", page(1)),
    RequestFact("the second page", "GET /items/2", page(2)),
    RequestFact("a capital in the path", "GET /Items/2", page(2)),
    RequestFact("a detail", "GET /item/8", .detail(id)),
  ]

  static let registering = [
    RequestFact(
      "no space before the boundary, type `jpeg`, no line break at the end",
      """
      POST /item
      Content-Type: multipart/form-data;boundary=Boundary-1

      --Boundary-1
      Content-Disposition: form-data; name="title"

      Desk lamp
      --Boundary-1
      Content-Disposition: form-data; name="descriptions"

      Bright.
      Warm.
      --Boundary-1
      Content-Disposition: form-data; name="price"

      42000
      --Boundary-1
      Content-Disposition: form-data; name="currency"

      KRW
      --Boundary-1
      Content-Disposition: form-data; name="stock"

      1000000000000
      --Boundary-1
      Content-Disposition: form-data; name="discounted_price"

      40000
      --Boundary-1
      Content-Disposition: form-data; name="password"

      pw
      --Boundary-1
      Content-Disposition: form-data; name="images[]"; filename="image0"
      Content-Type: jpeg

      @
      --Boundary-1
      Content-Disposition: form-data; name="images[]"; filename="image1"
      Content-Type: jpeg

      @
      --Boundary-1--
      """,
      .register(
        Wire.registration(
          description: "Bright.\r\nWarm.", discount: 2_000, stock: 1_000_000_000_000,
          pictures: [Wire.jpeg, Wire.jpeg]), .guest, nil)),
    RequestFact(
      "a slash at the end, parts in any order, a misnamed and an empty number, no closing dashes",
      """
      POST /item/
      Content-Type: multipart/form-data; boundary=b

      --b
      Content-Disposition: form-data; name="password"

      pw
      --b
      Content-Disposition: form-data; name="images[]"
      Content-Type: image/jpg

      @
      --b
      Content-Disposition: form-data; name="discountedPrice"

      1
      --b
      Content-Disposition: form-data; name="discounted_price"


      --b
      Content-Disposition: form-data; name="stock"

      12
      --b
      Content-Disposition: form-data; name="currency"

      KRW
      --b
      Content-Disposition: form-data; name="price"

      42000
      --b
      Content-Disposition: form-data; name="descriptions"

      Bright.
      --b
      Content-Disposition: form-data; name="title"

      Desk lamp
      --b
      """, .register(Wire.registration(), .guest, nil)),
    RequestFact(
      "the first clients register in JSON",
      """
      POST /item
      Content-Type: application/json

      {"title":"Desk lamp","descriptions":"Bright.","price":42000,"currency":"KRW","stock":12,
       "discounted_price":null,"images":["/9j/4AAQSkZJRg=="],"password":"pw"}
      """, .register(Wire.registration(), .guest, nil)),
    RequestFact(
      "a repeated registration says so by its key",
      """
      POST /item
      Content-Type: application/json
      Idempotency-Key: k1

      {"title":"Desk lamp","descriptions":"Bright.","price":42000,"currency":"KRW","stock":12,
       "images":["/9j/4AAQSkZJRg=="],"password":"pw"}
      """,
      .register(Wire.registration(), .guest, IdempotencyKey(rawValue: "k1"))),
  ]

  static let changing = [
    patch("title", "Lamp", ProductPatch(name: "Lamp")),
    patch("descriptions", "Dim.", ProductPatch(description: "Dim.")),
    patch(
      "price", "50",
      ProductPatch(
        priceHundredths: 5_000, discount: .keepPriceToPay, isInUnits: true)),
    patch("currency", "USD", ProductPatch(currency: .usd)),
    patch("stock", "0", ProductPatch(stock: 0)),
    patch("discounted_price", "40", ProductPatch(discount: .priceToPay(4_000), isInUnits: true)),
    patch("images[]", "@", ProductPatch(pictures: .list([.new(Wire.jpeg)]))),
    RequestFact(
      "an edit in JSON",
      """
      PATCH /item/8
      Content-Type: application/json

      {"stock":4,"password":"pw"}
      """, update(ProductPatch(stock: 4))),
    RequestFact(
      "a password alone is a check, as a form",
      """
      PATCH /item/8
      Content-Type: multipart/form-data; boundary=b

      --b
      Content-Disposition: form-data; name="password"

      pw
      --b--
      """, .verify(id, Password("pw"), .guest)),
    RequestFact(
      "a password alone is a check, as JSON",
      """
      PATCH /item/8
      Content-Type: application/json

      {"password":"pw"}
      """, .verify(id, Password("pw"), .guest)),
  ]

  static let deleting = [
    RequestFact(
      "a deletion has its password in a body",
      """
      DELETE /item/8
      Content-Type: application/json

      {"password":"pw"}
      """, .delete(id, Password("pw"), .guest)),
    RequestFact(
      "the first clients send the number too, and read nothing else",
      """
      DELETE /item/8
      Content-Type: application/json

      {"id":8,"password":"pw"}
      """, .delete(id, Password("pw"), .guest)),
    RequestFact(
      "no content type",
      """
      DELETE /item/8

      {"password":"pw"}
      """, .delete(id, Password("pw"), .guest)),
  ]

  @Test(arguments: reading + registering + changing + deleting)
  func `the server reads`(_ fact: RequestFact) throws {
    let router = MarketRouter([ProductsDialect(variant: .y2023), ItemsDialect()])

    let read = try router.route(fact.request)

    expect(read.operation.comparable, fact.operation.comparable)
    #expect(read.dialect is ItemsDialect)
  }
}
