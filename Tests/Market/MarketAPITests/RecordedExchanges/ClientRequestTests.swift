import Expectations
import MarketAPI
import MarketModel
import Testing

/// What our own client sends, to the byte, in the spelling that every server of old reads.
struct ClientRequestTests {
  private static let id = Product.ID(rawValue: 8)
  private static let seller = Author.seller(SellerIdentifier(secret: "me"))
  private static let lamp = Wire.registration(discount: 2_000)
  private static let update = ProductUpdate(
    id: id, patch: ProductPatch(name: "Lamp", stock: 0), password: Password("p\"w"),
    author: seller)

  private static func search(_ text: String) -> MarketOperation {
    .page(PageRequest(query: ProductQuery(text: text), position: .number(2)))
  }

  private func spelled(
    _ operation: MarketOperation, _ dialect: any MarketDialect
  ) throws -> String {
    let request = try dialect.request(for: operation)
    let headers = request.headers.map { "\($0.name): \($0.value)\n" }.joined()
    let picture = String(decoding: Wire.jpeg, as: UTF8.self)
    let body = String(decoding: request.body, as: UTF8.self)
      .split(separator: picture, omittingEmptySubsequences: false).joined(separator: "@")
      .split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
    return "\(request.method.rawValue) \(request.target.text)\n\(headers)\(body)"
  }

  @Test(
    arguments: [
      (.page(PageRequest()), "GET /items/1\n"), (.detail(id), "GET /item/8\n"),
      (.page(PageRequest(position: .number(3))), "GET /items/3\n"),
      (
        .delete(id, Password("p\"w"), .guest),
        """
        DELETE /item/8
        Content-Type: application/json
        {"password":"p\\"w"}
        """
      ),
      (
        .verify(id, Password("pw"), .guest),
        """
        PATCH /item/8
        Content-Type: multipart/form-data; boundary=open-market-form-0
        --open-market-form-0
        Content-Disposition: form-data; name="password"

        pw
        --open-market-form-0--

        """
      ),
      (
        .register(lamp, .guest, IdempotencyKey(rawValue: "k1")),
        """
        POST /item
        Content-Type: multipart/form-data; boundary=open-market-form-0
        Idempotency-Key: k1
        --open-market-form-0
        Content-Disposition: form-data; name="title"

        Desk lamp
        --open-market-form-0
        Content-Disposition: form-data; name="descriptions"

        Bright.
        --open-market-form-0
        Content-Disposition: form-data; name="price"

        42000
        --open-market-form-0
        Content-Disposition: form-data; name="currency"

        KRW
        --open-market-form-0
        Content-Disposition: form-data; name="stock"

        12
        --open-market-form-0
        Content-Disposition: form-data; name="discounted_price"

        40000
        --open-market-form-0
        Content-Disposition: form-data; name="images[]"; filename="1.jpg"
        Content-Type: image/jpeg

        @
        --open-market-form-0
        Content-Disposition: form-data; name="password"

        pw
        --open-market-form-0--

        """
      ),
    ] as [(MarketOperation, String)])
  func `requests for items`(_ operation: MarketOperation, _ message: String) throws {
    try expect(spelled(operation, ItemsDialect()), message)
  }

  @Test(
    arguments: [
      (.health, "GET /healthChecker\n"), (.detail(id), "GET /api/products/8\n"),
      (.page(PageRequest()), "GET /api/products?page_no=1&items_per_page=20\n"),
      (
        search("의자 a+b"),
        "GET /api/products?page_no=2&items_per_page=20&search_value=%EC%9D%98%EC%9E%90%20a%2Bb\n"
      ),
      (
        .update(update),
        """
        PATCH /api/products/8
        identifier: me
        Content-Type: application/json
        {"name":"Lamp","stock":0,"secret":"p\\"w"}
        """
      ),
      (
        .requestDeletion(id, Password("pw"), seller),
        """
        POST /api/products/8/archived
        identifier: me
        Content-Type: application/json
        {"secret":"pw"}
        """
      ),
      (
        .confirmDeletion(token: "k1", of: nil, seller),
        """
        DELETE /api/products/k1
        identifier: me

        """
      ),
      (
        .register(lamp, seller, nil),
        """
        POST /api/products
        identifier: me
        Content-Type: multipart/form-data; boundary=open-market-form-0
        --open-market-form-0
        Content-Disposition: form-data; name="params"
        Content-Type: application/json

        {"name":"Desk lamp","description":"Bright.","price":42000,"currency":"KRW",\
        "discounted_price":2000,"stock":12,"secret":"pw"}
        --open-market-form-0
        Content-Disposition: form-data; name="images"; filename="1.jpg"
        Content-Type: image/jpeg

        @
        --open-market-form-0--

        """
      ),
    ] as [(MarketOperation, String)])
  func `requests for products of 2023`(_ operation: MarketOperation, _ message: String) throws {
    try expect(spelled(operation, ProductsDialect(variant: .y2023)), message)
  }

  @Test(
    arguments: [
      (
        .requestDeletion(id, Password("pw"), seller),
        """
        POST /api/products/8/secret
        identifier: me
        Content-Type: application/json
        {"secret":"pw"}
        """
      ),
      (
        .confirmDeletion(token: "k1", of: id, seller),
        """
        DELETE /api/products/8/k1
        identifier: me

        """
      ),
      (
        .update(
          ProductUpdate(
            id: id, patch: ProductPatch(description: "New."), password: Password("pw"),
            author: seller)),
        """
        PATCH /api/products/8
        identifier: me
        Content-Type: application/json
        {"descriptions":"New.","secret":"pw"}
        """
      ),
    ] as [(MarketOperation, String)])
  func `what is asked otherwise in 2022`(_ operation: MarketOperation, _ message: String) throws {
    try expect(spelled(operation, ProductsDialect(variant: .y2022)), message)
  }
}
