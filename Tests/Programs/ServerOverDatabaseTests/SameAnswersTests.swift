import Expectations
import MarketAPI
import MarketModel
import PostgresTestSupport
import TestSupport
import Testing

/// One list of requests to a market on SQLite and one on PostgreSQL.
@Suite(.cluster) struct SameAnswersTests {
  private let hana = Author.seller(SellerIdentifier(secret: "hana"))
  private let juno = Author.seller(SellerIdentifier(secret: "juno"))

  @Test func `lists, details, searches and pictures`() async throws {
    let markets = try await MarketPair()
    try await fill(markets)

    for order in ["newest", "cheapest", "dearest", "reduced"] {
      for filter in ["", "&in_stock=1", "&reduced=1", "&in_stock=1&reduced=1", "&vendor_id=1"] {
        let list = "/api/products?items_per_page=4&sort=\(order)\(filter)"
        for page in 1...5 { await markets.get(list + "&page_no=\(page)") }
        let first = await markets.get(list)
        guard let cursor = try first.json["nextCursor"]?.string else { continue }
        await markets.get(list + "&after=\(cursor)")
      }
    }
    for words in ["lamp", "%EB%9E%A8", "%EB%9E%A8%ED%94%84+1", "a", "p+%3A", "7", "none", "%00x"] {
      await markets.get("/api/products?search_value=\(words)&sort=cheapest&items_per_page=5")
      await markets.get("/api/products?search_value=\(words)&vendor_id=1")
    }
    for page in 0...3 { await markets.get("/items/\(page)") }
    for id in 0...14 {
      await markets.get("/api/products/\(id)")
      await markets.get("/item/\(id)")
    }
    let detail = await markets.get("/api/products/3")
    let image = try #require(try detail.json["images"]?.elements.first { _ in true })
    for key in ["url", "thumbnail_url"] as [StaticString] {
      let address = try #require(image[key]?.string)
      let picture = await markets.get(String(address.dropFirst(MarketPair.base.count)))
      expect(picture.status, .ok)
    }
  }

  @Test func `changes, refusals and deletions`() async throws {
    let markets = try await MarketPair()
    try await fill(markets)
    let tag = await markets.get("/api/products/3").headers[HeaderName.entityTag]

    for patch in [
      ProductPatch(name: "램프 \u{0} new", stock: 0), ProductPatch(priceHundredths: -5),
      ProductPatch(discount: .amount(100)), ProductPatch(pictures: .thumbnail(number: 2)),
      ProductPatch(pictures: .list([.new(PictureFile.jpeg(90)), .new(PictureFile.jpeg(1))])),
      ProductPatch(),
    ] {
      for author in [hana, juno] {
        for version in [nil, tag] {
          var update = ProductUpdate(
            id: Product.ID(rawValue: 3), patch: patch, password: Password("secret"),
            author: author)
          update.expected = version.map { ProductVersion(rawValue: $0) }
          try await markets.send(.update(update), in: markets.products)
          await markets.get("/api/products/3")
        }
      }
    }
    for _ in 1...7 {
      try await markets.send(
        .verify(Product.ID(rawValue: 4), Password("guess"), juno), in: markets.products)
    }
    try await markets.send(
      .changeSeller(SellerIdentifier(secret: "hana"), SellerChange(name: "Hana & co")),
      in: markets.products)
    try await markets.send(.seller(SellerIdentifier(secret: "new")), in: markets.products)
    for id in [2, 5, 2, 99] as [Int64] {
      try await markets.send(
        .delete(Product.ID(rawValue: id), Password("secret"), .guest), in: markets.items)
    }
    try await markets.deleteBySteps(Product.ID(rawValue: 6), by: hana)
    await markets.get("/api/products?items_per_page=100")
    await markets.get("/api/products?search_value=hana")
    try await fill(markets)
    await markets.get("/api/products?items_per_page=100&sort=reduced")
  }

  @Test func `a server says 503 to who registers, and 200 to who reads`() async throws {
    let markets = try await MarketPair(hasOutsidePictures: true)
    func register(_ number: UInt8) async throws -> HTTPResponse {
      let registration = ProductRegistration.sample(pictures: [PictureFile.jpeg(number)])
      let key = IdempotencyKey(rawValue: "\(number)")
      return try await markets.send(.register(registration, hana, key), in: markets.products)
    }
    try await expect(register(1).status, .created)
    markets.loseStorages()

    let refused = try await register(2)
    let page = await markets.get("/api/products")

    expect(refused.status, .serviceUnavailable)
    #expect(refused.headers["Retry-After"] != nil)
    expect(page.status, .ok)
  }

  /// Registers what differs in everything; the same keys a second time register nothing.
  private func fill(_ markets: borrowing MarketPair) async throws {
    for number in Int64(1)...12 {
      let registration = ProductRegistration.sample(
        name: number % 2 == 0 ? "Lamp \(number)" : "램프\u{1B}[31m \(number)",
        description: number % 3 == 0 ? "" : "두 줄\n\u{10FFFF}as: \"new\" \(number * 7)",
        price: number % 5 * 100, discount: number % 5 * (number % 3) * 10,
        currency: number % 4 == 0 ? .usd : .krw, stock: number % 3,
        pictures: [PictureFile.jpeg(UInt8(number)), PictureFile.jpeg(UInt8(number % 3))])
      let key = IdempotencyKey(rawValue: "intent \(number)")
      let author = number % 3 == 0 ? hana : juno
      try await markets.send(.register(registration, author, key), in: markets.products)
    }
    let refused = ProductRegistration.sample(name: "", price: -1, stock: -1, pictures: [[1]])
    try await markets.send(.register(refused, hana, nil), in: markets.products)
    try await markets.send(.register(.sample(), .guest, nil), in: markets.items)
  }
}
