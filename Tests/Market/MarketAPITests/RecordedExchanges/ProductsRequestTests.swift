import Expectations
import MarketAPI
import MarketModel
import Testing

/// What clients of the products API (2022 and 2023) send, a row a fact.
struct ProductsRequestTests {
  private static let id = Product.ID(rawValue: 52)
  private static let seller = Author.seller(SellerIdentifier(secret: "me"))
  private static let chair = Wire.registration(
    name: "Camping chair", description: "Folds flat.", price: 38_000, discount: 8_000, stock: 4)
  private static let params = """
    {"name":"Camping chair","description":"Folds flat.","price":38000,"currency":"KRW",\
    "discounted_price":8000,"stock":4,"secret":"pw"}
    """

  private static func list(
    _ fact: String, _ target: String, _ request: PageRequest = PageRequest()
  ) -> RequestFact {
    RequestFact(fact, "GET " + target, .page(request))
  }

  private static func register(
    _ fact: String, _ message: String, _ registration: ProductRegistration = chair
  ) -> RequestFact {
    RequestFact(fact, message, .register(registration, seller, nil))
  }

  private static func edit(_ fact: String, _ json: String, _ patch: ProductPatch) -> RequestFact {
    RequestFact(
      fact,
      """
      PATCH /api/products/52
      identifier: me
      Content-Type: application/json

      \(json)
      """,
      .update(ProductUpdate(id: id, patch: patch, password: Password("pw"), author: seller)))
  }

  static let sizes = [1, 5, 10, 15, 20, 30, 40, 50, 100, 110, 200, 800, 1_000].map { size in
    list(
      "\(size) a page", "/api/products?page_no=1&items_per_page=\(size)", PageRequest(size: size))
  }

  static let reading = [
    RequestFact("the health check", "GET /healthChecker", .health),
    RequestFact("two slashes before the health check", "GET //healthChecker", .health),
    list("a slash at the end of a list", "/api/products/?page_no=1&items_per_page=20"),
    list("two slashes before a list", "//api/products?page_no=1&items_per_page=20"),
    list(
      "hyphens, as in the first week", "/api/products?page-no=1&items-per-page=10",
      PageRequest(size: 10)),
    list("neither parameter", "/api/products"),
    list(
      "a search in Korean",
      "/api/products?page_no=2&items_per_page=20&search_value=%EC%9D%98%EC%9E%90",
      PageRequest(query: ProductQuery(text: "의자"), position: .number(2))),
    list("an empty search is none", "/api/products?page_no=1&items_per_page=20&search_value="),
    RequestFact("a detail", "GET /api/products/52", .detail(id)),
    RequestFact("a slash at the end of a detail", "GET /api/products/52/", .detail(id)),
    RequestFact("an empty query", "GET /api/products/52?", .detail(id)),
    RequestFact(
      "a detail with an identifier and the content type of a form",
      """
      GET /api/products/52
      identifier: me
      Content-Type: multipart/form-data; boundary=Boundary-1
      """, .detail(id)),
  ]

  static let registering = [
    register(
      "a fixed boundary, params without a type",
      """
      POST /api/products
      identifier: me
      Content-Type: multipart/form-data; boundary=XXXXXX

      --XXXXXX
      Content-Disposition: form-data; name="params"

      \(params)
      --XXXXXX
      Content-Disposition: form-data; name="images"; filename="a.jpg"
      Content-Type: image/jpeg

      @
      --XXXXXX--

      """),
    register(
      "pictures before params, which pass for a file",
      """
      POST /api/products
      identifier: me
      Content-Type: multipart/form-data; boundary=b

      --b
      Content-Disposition: form-data; name="images"; filename="1.png"
      Content-Type: image/png

      @
      --b
      Content-Disposition: form-data; name="params"; filename=""
      Content-Type: application/json

      \(params)
      --b--
      """),
    register(
      "a quoted boundary, a line break first, blanks behind headers, a slash at the end",
      """
      POST /api/products/
      identifier: me
      Content-Type: multipart/form-data; boundary="b"


      --b
      Content-Disposition: form-data; name="params"\(" ")
      Content-Type: application/json\(" ")

      \(params)
      --b
      Content-Disposition: form-data; name="images"; filename="의자 1.jpg"\(" ")
      Content-Type: multipart/form-data\(" ")

      @
      --b--
      """),
    register(
      "dashes in the boundary, no space behind the colon, two slashes first",
      """
      POST //api/products
      identifier: me
      Content-Type: multipart/form-data; boundary=----boundary

      ------boundary
      Content-Disposition:form-data; name="params"

      \(params)
      ------boundary
      Content-Disposition:form-data; name="images"; filename="images"
      Content-Type:img/png

      @
      ------boundary--
      """),
    register(
      "an empty line behind the data of each part",
      """
      POST /api/products
      identifier: me
      Content-Type: multipart/form-data; boundary=b

      --b
      Content-Disposition: form-data; name="params"

      \(params)

      --b
      Content-Disposition: form-data; name="images"; filename="10:20:30"

      @

      --b--

      """),
    register(
      "text in the plural, numbers as text, keys too many, line breaks",
      """
      POST /api/products
      identifier: me
      Content-Type: multipart/form-data; boundary=b

      --b
      Content-Disposition: form-data; name="params"

      {
        "product_id": 1, "identifier": "me", "thumbnail_id": 3, "discountedPrice": 9,
        "name": "3333", "descriptions": "a\\\\nb", "price": "1200",
        "currency": "KRW", "secret": "pw"
      }


      --b
      Content-Disposition: form-data; name="images"; filename="a"
      Content-Type: jpg

      @
      --b--
      """,
      Wire.registration(name: "3333", description: #"a\nb"#, price: 1_200, stock: 0)),
  ]

  static let changing = [
    edit(
      "an edit of the name alone", #"{"name":"Chair","secret":"pw"}"#, ProductPatch(name: "Chair")),
    edit(
      "the text in the plural", #"{"descriptions":"New.","secret":"pw"}"#,
      ProductPatch(description: "New.")),
    edit(
      "the text in the singular", #"{"description":"New.","secret":"pw"}"#,
      ProductPatch(description: "New.")),
    edit(
      "a price alone", #"{"price":1000.0,"secret":"pw"}"#, ProductPatch(priceHundredths: 100_000)),
    edit("a currency alone", #"{"currency":"USD","secret":"pw"}"#, ProductPatch(currency: .usd)),
    edit(
      "a discount alone", #"{"discounted_price":0,"secret":"pw"}"#,
      ProductPatch(discount: .amount(0))),
    edit("a stock alone", #"{"stock":0,"name":null,"secret":"pw"}"#, ProductPatch(stock: 0)),
    edit(
      "a thumbnail by its number", #"{"thumbnail_id":301,"secret":"pw"}"#,
      ProductPatch(pictures: .thumbnail(number: 301))),
    edit(
      "a thumbnail by its number as text", #"{"thumbnail_id":"301","secret":"pw"}"#,
      ProductPatch(pictures: .thumbnail(number: 301))),
    RequestFact(
      "an edit with the content type of a web form, and slashes on both sides",
      """
      PATCH //api/products/52/
      identifier: me
      Content-Type: application/x-www-form-urlencoded

      {"stock":1,"secret":"pw"}
      """,
      .update(
        ProductUpdate(
          id: id, patch: ProductPatch(stock: 1), password: Password("pw"), author: seller))),
  ]

  static let deleting = [
    RequestFact(
      "the first step of 2022, without a content type",
      """
      POST /api/products/52/secret
      identifier: me

      {"secret":"pw"}
      """, .requestDeletion(id, Password("pw"), seller)),
    RequestFact(
      "the first step of 2023, with the content type of a web form",
      """
      POST //api/products/52/archived
      identifier: me
      Content-Type: application/x-www-form-urlencoded

      {"secret":"pw"}
      """, .requestDeletion(id, Password("pw"), seller)),
    RequestFact(
      "the second step of 2022",
      """
      DELETE /api/products/52/k1
      identifier: me
      """, .confirmDeletion(token: "k1", of: id, seller)),
    RequestFact(
      "the second step of 2023, as the path was given or behind another slash",
      """
      DELETE //api/products/k1
      identifier: me
      """, .confirmDeletion(token: "k1", of: nil, seller)),
  ]

  @Test(arguments: reading + sizes + registering + changing + deleting)
  func `the server reads`(_ fact: RequestFact) throws {
    let router = MarketRouter([ProductsDialect(variant: .y2022), ItemsDialect()])

    try expect(router.route(fact.request).operation.comparable, fact.operation.comparable)
  }
}
