import Expectations
import HTTPTestSupport
import MarketAPI
import MarketModel
import Testing

/// What the client half makes of answers that old servers wrote.
struct OldServerTests {
  private static let pages: [(OldServer, String)] = [
    (
      .items,
      """
      26 Apple Pencil: 16500 USD less 500, 5000000000 left, by 0 guest, 1611523563 second, http://h/26-1.png
      41 맥북 프로: 169000000 KRW less 0, 0 left, by 0 guest, 1611523563 second, http://h/41-1.png
      27 Mug: 300 BTC less 0, 1000000000000 left, by 0 guest, 1611523563 second, http://h/27-1.png
      """
    ),
    (
      .laterItems,
      """
      1 Mac mini: 89000000 KRW less 0, 100 left, by 0 guest, 1620633347 second, https://h/thumbnail-1
      2 iPad: 1000 EUR less 1000, 0 left, by 0 guest, 1620633347 second, https://h/thumbnail-2
      3 x: 1000 JPY less 0, 1 left, by 0 guest, 1620633348 second, https://h/thumbnail-3
      """
    ),
    (
      .products2022,
      """
      522 아이폰13: 1300000000 KRW less 0, 0 left, by 6 , 1642464000 day, https://h/thumb/f9.png
      520 팥빙수: 200000 USD less 50000, 3 left, by 7 , 1642377600 day, changed, https://h/thumb/f8
      519 3333: 1200 HKD less 0, 1 left, by 7 , 1640736000 day, https://h/thumb/f7
      """
    ),
    (
      .products2023,
      """
      1945 Bicycle: 6666666600 KRW less 100, 4 left, by 33 gundy, 1668038400 day, https://h/thumb/b1.jpeg
      1944 pin: 236 KRW less 0, 99 left, by 29 wonbi, 1667952000 day, changed, https://h/thumb/b0
      1940 모자: 100000 JPY less 100000, 0 left, by 29 wonbi, 1667260800 day, https://h/thumb/a9
      """
    ),
  ]

  @Test(arguments: pages)
  func `a list is read in its order, with all that it says`(
    _ server: OldServer, _ products: String
  ) throws {
    let page = try server.dialect.page(
      from: Wire.answer(server.page), for: PageRequest(size: 3))

    expect(page.products.map(\.summary).joined(separator: "\n"), products)
    expect(page.unreadableRows, 0)
    expect(page.next, .number(2))
  }

  @Test(arguments: [
    (OldServer.items, ProductTotal.unknown), (.laterItems, .unknown),
    (.products2022, .exactly(10)), (.products2023, .exactly(1_182)),
  ])
  func `past the end there is nothing`(_ server: OldServer, _ total: ProductTotal) throws {
    let page = try server.dialect.page(
      from: Wire.answer(server.emptyPage), for: PageRequest(position: .number(999), size: 3))

    #expect(page.products.isEmpty)
    expect(page.next, nil)
    expect(page.total, total)
  }

  @Test(arguments: [
    (
      OldServer.items, "Writes.\nDraws.", "0 guest",
      ["http://h/26-1-full.png http://h/26-1.png", "http://h/26-2-full.png http://h/26-2.png"]
    ),
    (.laterItems, "Small.", "0 guest", ["https://h/origin-1 https://h/thumbnail-1"]),
    (.products2022, "", "7 hana", ["https://h/origin/f8 https://h/thumb/f8"]),
    (
      .products2023, "Sharp.\r\nTwo.", "29 wonbi",
      ["https://h/origin/b0 https://h/thumb/b0", "https://h/origin/b1 https://h/thumb/b1"]
    ),
  ])
  func `a detail is read with its text, its seller and its pictures`(
    _ server: OldServer, _ text: String, _ seller: String, _ pictures: [String]
  ) throws {
    let detail = try server.dialect.detail(
      from: Wire.answer(server.detail), for: .detail(Product.ID(rawValue: server.id)))

    expect(detail.id.rawValue, server.id)
    expect(detail.description, text)
    expect("\(detail.product.seller.id.rawValue) \(detail.product.seller.name)", seller)
    expect(detail.pictures.map { "\($0.original) \($0.thumbnail)" }, pictures)
  }

  @Test func `the first details had no text`() throws {
    let body = OldServer.products2022.detail
      .split(separator: "\"description\":\"\",").joined()
      .split(separator: "T00:00:00.00").joined(separator: " 00:00:00.000")

    let detail = try OldServer.products2022.dialect.detail(
      from: Wire.answer(body), for: .detail(Product.ID(rawValue: 520)))

    #expect(detail.description.isEmpty)
    expect(detail.product.created, Timestamp(seconds: 1_642_377_600, precision: .day))
  }

  @Test(arguments: OldServer.allCases)
  func `what was deleted is read where it is told`(_ server: OldServer) throws {
    let deleted = try server.dialect.deleted(
      from: Wire.answer(202, server.deleted),
      for: .delete(Product.ID(rawValue: server.id), Password("p"), .guest))

    expect(deleted?.id.rawValue, server == .items ? nil : server.id)
  }

  @Test(arguments: OldServer.allCases)
  func `what is missing is missing, in whatever words`(_ server: OldServer) {
    #expect(throws: RepositoryError.notFound) {
      try server.dialect.detail(
        from: Wire.answer(404, server.missing), for: .detail(Product.ID(rawValue: 9)))
    }
  }

  @Test(arguments: OldServer.allCases, ["application/json;charset=UTF-8", "text/plain", nil])
  func `an answer is read whatever its content type says`(
    _ server: OldServer, _ type: String?
  ) throws {
    var answer = Wire.answer(201, server.detail)
    answer.headers["Content-Type"] = type

    let detail = try server.dialect.detail(
      from: answer, for: .detail(Product.ID(rawValue: server.id)))

    expect(detail.id.rawValue, server.id)
  }

  /// A server once took the end of the page for its length.
  @Test func `a page that is longer than its numbers say is read whole`() throws {
    let rows = (1...60).reversed().map { id in
      """
      {"id":\(id),"vendor_id":1,"vendorName":"a","name":"n","description":"d","thumbnail":"http://h/1",\
      "currency":"KRW","price":1.0,"bargain_price":1.0,"discounted_price":0.0,"stock":1,\
      "created_at":"2022-11-10T00:00:00","issued_at":"2022-11-10T00:00:00"}
      """
    }
    let body = """
      {"pageNo":3,"itemsPerPage":20,"totalCount":113,"offset":40,"limit":60,"lastPage":6,\
      "hasNext":true,"hasPrev":true,"pages":[\(rows.joined(separator: ","))]}
      """

    let page = try ProductsDialect(variant: .y2023).page(
      from: Wire.answer(body), for: PageRequest(position: .number(3)))

    expect(page.products.count, 60)
    expect(page.next, .number(4))
  }
}

extension OldServer {
  fileprivate var dialect: any MarketDialect {
    switch self {
    case .items, .laterItems: ItemsDialect()
    case .products2022: ProductsDialect(variant: .y2022)
    case .products2023: ProductsDialect(variant: .y2023)
    }
  }
}

extension Product {
  /// All that is known of it in a line.
  fileprivate var summary: String {
    let price = pricing.price.map {
      "\($0.full.hundredths) \($0.full.currency.rawValue) less \($0.discountHundredths)"
    }
    return "\(id.rawValue) \(name): \(price ?? "no price"), \(stock) left, "
      + "by \(seller.id.rawValue) \(seller.name), \(created.seconds) \(created.precision), "
      + (changed == created ? "" : "changed, ") + (thumbnail?.thumbnail ?? "no picture")
  }
}
