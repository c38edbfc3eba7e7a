import Expectations
import MarketAPI
import MarketClient
import MarketModel
import MarketServer
import MarketStore
import SQLiteKit
import StoreCore
import TestSupport
import Testing

/// A market of products whose texts are as long as texts may be.
struct LargestPageTests {
  private static let count: Int64 = 1_000
  /// The most that a name of 1,000 characters may hold.
  private static let name = String(repeating: "🍎\u{FE0F}" + hidden, count: 1_000)
  private static let hidden = String(repeating: "\u{E0101}", count: 6)

  /// Makes a market of such products, each with a number in front of its name.
  private func fill(_ path: String) async throws {
    let store = try await SQLiteStore.open(
      at: path, pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(
        createsFile: true, passwordCost: .least))
    let seller = try await store.rename(SellerIdentifier(secret: "a-seller"), to: "a seller")
    await store.close()
    let name = String(Self.name.unicodeScalars.prefix(7_900))
    let connection = try SQLiteConnection(opening: path, .init())
    // As in a forged file: JSON writes each of these with six bytes.
    try connection.run(
      "UPDATE seller SET name = ? WHERE id = ?", .text(String(repeating: "\u{1}", count: 100)),
      .integer(seller.id.rawValue))
    try connection.run(
      """
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ?)
      INSERT INTO product
        (id, seller, name, currency, price, discount, percent, stock, created, changed, password)
      SELECT n, ?, n || ?, 'KRW', 100, 0, 0, 1, 1700000000, 1700000000, 1 FROM numbers
      """, .integer(Self.count), .integer(seller.id.rawValue), .text(name))
    try connection.run(
      "INSERT INTO product_text (product, description) SELECT id, ? FROM product",
      .text(String(repeating: "\u{2}", count: 2_000)))
    for (level, shift) in [7, 12, 17].enumerated() {
      try connection.run(
        """
        INSERT INTO block (level, number, state_1)
        SELECT ?1, id >> ?2, count(*) FROM product GROUP BY id >> ?2
        """, .integer(Int64(level)), .integer(Int64(shift)))
    }
  }

  private func products(of answer: HTTPResponse) throws -> [JSONValue] {
    try answer.json["pages"].map { Array($0.elements) } ?? []
  }

  @Test func `our client reads a thousand of the longest products, by number and by cursor`()
    async throws
  {
    let folder = try TemporaryFolder()
    try await fill(folder.path(of: "market.sqlite"))
    let program = try ServerProgram(store: folder.path(of: "market.sqlite"))
    let address = try #require(WebAddress("http://127.0.0.1:\(program.client.port)"))
    let repository = HTTPProductRepository(
      over: ServerConnection(to: address, over: CurlTransport()))

    let first = try await repository.page(PageRequest(size: 1_000))
    let numbered = try await repository.page(PageRequest(position: .number(1), size: 1_000))
    var followed: [Product] = []
    var place: PagePosition? = .after(PageCursor(rawValue: "n.-1001"))
    while let position = place {
      let page = try await repository.page(PageRequest(position: position, size: 200))
      #expect(page.products.allSatisfy { TextLimit.productName.allows($0.name) })
      followed += page.products
      place = page.next
    }

    let ids = (1...Self.count).reversed().map(Product.ID.init(rawValue:))
    #expect(first.products.map(\.id) == ids && numbered.products.map(\.id) == ids)
    expect(first.unreadableRows, 0)
    expect(followed.map(\.id), ids)
    // By cursor nothing is cut.
    #expect(followed.allSatisfy { $0.name.unicodeScalars.count >= 7_900 })
    // The file has 45 MB of such texts.
    #expect(try #require(program.peakMemory) < 400 << 20)
    try expect(program.terminate(), 0)
  }

  @Test func `a page has a bound that our client is above, and keeps all its products`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    try await fill(path)
    let store = try await SQLiteStore.open(
      at: path, pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options())
    let responder = MarketResponder(
      store,
      MarketResponder.Options(publicAddress: .fixed("https://market.example"), now: { 0 }))

    for (target, count) in [
      ("/api/products?items_per_page=1000", 1_000), ("/api/products?items_per_page=3", 3),
      ("/api/products?page_no=2&items_per_page=500&sort=cheapest", 500),
    ] {
      let answer = await ServedStore.send(target, to: responder)
      #expect(answer.status == .ok && answer.body.count <= PageBound.bytes)
      try expect(products(of: answer).count, count)
      try expect(answer.json["hasNext"]?.bool, count == 3)
    }
    let short = await ServedStore.send("/api/products?items_per_page=3", to: responder)
    try expect(products(of: short).first?["description"]?.string?.count, 1_000)
    let after = await ServedStore.send(
      "/api/products?items_per_page=1000&after=n.-1001", to: responder)
    let count = try products(of: after).count
    #expect(after.body.count <= PageBound.bytes && (1..<1_000).contains(count))
    #expect(try after.json["nextCursor"]?.string != nil && after.json["hasNext"]?.bool == true)
    #expect(PageBound.bytes < TransferLimits.json.bodyBytes)
    #expect(PageBound.bytes < TransferLimits.upload.bodyBytes)
  }

  @Test func `a name of one character and megabytes is refused in requests`() async throws {
    let market = try await ServedStore()
    let products = ProductsDialect(variant: .y2023)
    let seller = SellerIdentifier(secret: "a-seller")
    let long = "a" + String(repeating: "\u{301}", count: 1_900_000)
    let kept = try await market.store.register(.sample(), by: .seller(seller))

    for operation in [
      MarketOperation.register(.sample(name: long), .seller(seller), nil),
      .register(.sample(description: "x" + long), .seller(seller), nil),
      .changeSeller(seller, SellerChange(name: long)),
      .update(
        ProductUpdate(
          id: kept.id, patch: ProductPatch(name: long), password: Password("secret"),
          author: .seller(seller), expected: nil)),
    ] {
      let answer = try await market.send(operation, in: products)
      expect(answer.status, .badRequest)
    }
    let old = try await market.send(
      .register(.sample(name: long), .guest, nil), in: ItemsDialect())
    expect(old.status, .badRequest)
    let search = await market.send(
      .get, "/api/products?search_value=" + String(repeating: "a", count: 1_001))
    #expect(search.status == .badRequest && search.text.contains("search_value"))

    try await expect(market.store.page(PageRequest()).products, [kept.product])
  }

  @Test func `nobody becomes a seller by asking who he is`() async throws {
    let market = try await ServedStore()
    for number in 1...50 {
      let answer = await market.send(
        .get, "/api/sellers/me", headers: [HeaderName.identifier: "made-up-\(number)"])
      expect(answer.status, .notFound)
    }

    let path = market.folder.path(of: "market.sqlite")
    try expect(SQLiteConnection(opening: path, .init()).integer("SELECT count(*) FROM seller"), 1)
    let named = await market.send(
      .patch, "/api/sellers/me", headers: [HeaderName.identifier: "somebody"],
      body: #"{"name":"Barn"}"#)
    let asked = await market.send(
      .get, "/api/sellers/me", headers: [HeaderName.identifier: "somebody"])
    #expect(named.status == .ok && asked.body == named.body)
  }
}
