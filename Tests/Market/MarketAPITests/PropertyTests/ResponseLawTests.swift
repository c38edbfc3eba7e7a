import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

/// What the server half writes, the client half reads as the same, as far as the dialect can say it.
struct ResponseLawTests {
  private let seller = Seller(id: Seller.ID(rawValue: 7), name: "하나 \"h\"\n")
  private let first = Picture(number: 301, original: "aa", thumbnail: "aa-small")
  private let second = Picture(number: 302, original: "bb", thumbnail: "bb-small")
  private let day: Int64 = 1_677_715_200

  private func product(_ id: Int64, discount: Int64 = 0, currency: Currency = .krw) -> Product {
    var product = Product.sample(
      id: id, seller: seller, name: "의자 \(id) \"\\\u{2028}", price: 38_000, discount: discount,
      currency: currency, stock: id * 3, thumbnail: first)
    product.created = Timestamp(seconds: day, precision: .day)
    product.changed = Timestamp(seconds: day + 86_400, precision: .day)
    return product
  }

  private func detail(_ product: Product) -> ProductDetail {
    ProductDetail(
      product: product, description: "Folds flat.\r\nAluminium.\t\u{1}", pictures: [first, second],
      version: ProductVersion(rawValue: "41"))
  }

  /// A picture as a client of the test's server reads it.
  private func remote(_ picture: Picture, number: Int64?) -> Picture {
    Picture(
      number: number, original: "http://127.0.0.1:8080/pictures/\(picture.original)",
      thumbnail: "http://127.0.0.1:8080/pictures/\(picture.thumbnail)/thumbnail")
  }

  @Test(arguments: ProductsDialect.Variant.allCases)
  func `a page of v2 arrives as it was sent`(variant: ProductsDialect.Variant) throws {
    let dialect = ProductsDialect(variant: variant)
    let request = PageRequest(position: .number(2), size: 2)
    let page = ProductPage(
      products: [product(52, discount: 8_000), product(51, currency: .usd)],
      total: .exactly(5), next: .after(PageCursor(rawValue: "51\"")))

    let response = dialect.response(
      with: .page(page), to: .page(request), pictures: Wire.pictures)
    let read = try dialect.page(from: response, for: request)

    let thumbnail = remote(first, number: nil).thumbnail
    var expected = page
    for index in expected.products.indices {
      expected.products[index].thumbnail = Picture(original: thumbnail, thumbnail: thumbnail)
    }
    expect(read, expected)
  }

  @Test(arguments: ProductsDialect.Variant.allCases)
  func `a detail of v2 arrives as it was sent`(variant: ProductsDialect.Variant) throws {
    let dialect = ProductsDialect(variant: variant)
    let sent = detail(product(52, discount: 8_000))
    let operations: [(MarketOperation, Int)] = [
      (.detail(sent.id), 200),
      (.verify(sent.id, Password("p"), .seller(Wire.identifier)), 202),
      (.register(.sample(), .seller(Wire.identifier), nil), 201),
    ]

    for (operation, status) in operations {
      let response = dialect.response(
        with: .detail(sent), to: operation, pictures: Wire.pictures)
      let read = try dialect.detail(from: response, for: operation)

      var expected = sent
      expected.pictures = [remote(first, number: 301), remote(second, number: 302)]
      expected.product.thumbnail = expected.pictures[0]
      expect(read, expected)
      expect(response.status.rawValue, status)
    }
  }

  @Test func `a page of v1 arrives as far as v1 can say it`() throws {
    let dialect = ItemsDialect()
    let request = PageRequest(position: .number(3))
    let page = ProductPage(
      products: [product(52, discount: 8_000), product(51)], total: .exactly(5),
      next: .number(4))

    let response = dialect.response(
      with: .page(page), to: .page(request), pictures: Wire.pictures)
    let read = try dialect.page(from: response, for: request)

    expect(read.total, .unknown)
    expect(read.next, .number(4))
    expect(read.products, page.products.map { asItem($0) })
  }

  @Test func `a detail of v1 arrives as far as v1 can say it`() throws {
    let dialect = ItemsDialect()
    let sent = detail(product(8, discount: 1))

    let response = dialect.response(
      with: .detail(sent), to: .detail(sent.id), pictures: Wire.pictures)
    let read = try dialect.detail(from: response, for: .detail(sent.id))

    var expected = sent
    expected.version = nil
    expected.pictures = [remote(first, number: nil), remote(second, number: nil)]
    expected.product = asItem(sent.product)
    expected.product.thumbnail = expected.pictures[0]
    expect(read, expected)
  }

  private func asItem(_ product: Product) -> Product {
    var item = product
    let thumbnail = remote(first, number: nil).thumbnail
    item.seller = .guest
    item.created.precision = .second
    item.changed = item.created
    item.thumbnail = Picture(original: thumbnail, thumbnail: thumbnail)
    return item
  }

  @Test func `a seller arrives as it was sent`() throws {
    let dialect = ProductsDialect(variant: .y2023)
    let operation = MarketOperation.changeSeller(Wire.identifier, SellerChange(name: "n"))

    let response = dialect.response(
      with: .seller(seller), to: operation, pictures: Wire.pictures)

    try expect(dialect.seller(from: response, for: operation), seller)
  }

  @Test(arguments: [
    (ProductsDialect.Variant.y2022, Product.ID(rawValue: 52) as Product.ID?), (.y2023, nil),
  ])
  func `a deletion key arrives as it was sent`(
    variant: ProductsDialect.Variant, id: Product.ID?
  ) throws {
    let dialect = ProductsDialect(variant: variant)
    let author = Author.seller(Wire.identifier)
    let first = MarketOperation.requestDeletion(Product.ID(rawValue: 52), Password("p"), author)

    // A server of either year answers each client in the words of its own.
    let response = ProductsDialect(variant: .y2022).response(
      with: .deletionToken("t-o_k.en"), to: first, in: try dialect.request(for: first),
      pictures: Wire.pictures)
    let second = HTTPRequest(
      .delete, try dialect.deletionTarget(from: response, for: first),
      headers: [HeaderName.identifier: Wire.identifier.secret])

    let expected = MarketOperation.confirmDeletion(token: "t-o_k.en", of: id, author)
    try expect(dialect.operation(from: second)?.comparable, expected.comparable)
  }

  @Test func `what was deleted arrives, or at least that it was`() throws {
    let items = ItemsDialect()
    let sent = detail(product(8))
    let deletion = MarketOperation.delete(sent.id, Password("p"), .guest)
    let early = Wire.request(.delete, "/item/8", json: #"{"id":8,"password":"p"}"#)

    let full = items.response(with: .detail(sent), to: deletion, pictures: Wire.pictures)
    let bare = items.response(
      with: .detail(sent), to: deletion, in: early, pictures: Wire.pictures)

    try expect(items.deleted(from: full, for: deletion)?.id, sent.id)
    expect(bare.text, #"{"id":8}"#)
    try expect(items.deleted(from: bare, for: deletion), nil)
  }

  @Test func `health is answered with its quotes`() {
    let dialect = ProductsDialect(variant: .y2023)

    let response = dialect.response(with: .healthy, to: .health, pictures: Wire.pictures)

    expect(response.text, "\"OK\"")
  }
}
