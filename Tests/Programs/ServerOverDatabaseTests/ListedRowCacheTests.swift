import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import PostgresStore
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

/// Pages of a server that keeps rows, beside those of one that has just started.
struct ListedRowCacheTests {
  enum Storage: CaseIterable {
    case file, database
  }

  private static let hosts = ["a.example", "b.example:8080"]
  private static let sellers = ["hana", "juno", "mina"].map { SellerIdentifier(secret: $0) }
  private static let words = ["Lamp", "램프", "red \"cup\"", "chair\n\u{2028}", "책상"]

  /// Servers of a store in the dialects of both years, each with the items of the first.
  private static func servers(of store: any StoredMarket) -> [MarketResponder] {
    ProductsDialect.Variant.allCases.map { variant in
      var options = MarketResponder.Options(
        dialects: DialectList.market.served(as: variant.rawValue),
        publicAddress: .asAsked(otherwise: HostAndPort(host: "market.example", port: 80)),
        now: { 1_750_000_000 })
      options.timeout = .seconds(30)
      return MarketResponder(store, options)
    }
  }

  @Test(arguments: Storage.allCases)
  func `pages of kept rows are those of a server that keeps none`(_ storage: Storage) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    var address = ""
    if storage == .database {
      guard TestCluster.isPossible else { try Test.cancel(Comment(rawValue: TestCluster.hint)) }
      address = try #require(TestCluster.shared).emptySchema()
    }
    func open() async throws -> any StoredMarket {
      // All changes are of one second, so that only versions tell them apart.
      if storage == .database {
        var options = PostgresMarketStore.Options.forTests
        options.now = { 1_750_000_000 }
        return try await PostgresMarketStore.open(at: address, options)
      }
      return try await SQLiteStore.open(
        at: path, pictureProcessor: PassThroughPictureProcessor(),
        options: SQLiteStore.Options(
          createsFile: true, passwordCost: .least, now: { 1_750_000_000 }))
    }
    let store = try await open()
    let servers = Self.servers(of: store)
    var random = SeededRandom(seed: 21)
    for number in 0..<12 {
      _ = try await store.register(
        .sample(name: "\(Self.words[number % 5]) \(number)"),
        by: number % 4 == 0 ? .guest : .seller(Self.sellers[number % 3]))
    }

    for round in 0..<15 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        try await change(store, round, &random)
      }
      let anew = try await open()
      let others = Self.servers(of: anew)
      for _ in 0..<8 {
        let target = try #require(Self.targets(&random).randomElement(using: &random))
        let host = try #require(Self.hosts.randomElement(using: &random))
        for (server, other) in zip(servers, others) {
          let request = ServerRequest.get(target, ["Host": host])
          let kept = await server.response(to: request).message
          let new = await other.response(to: request).message
          expect(kept, new, "\(target) at \(host): \(kept.text) \(new.text)")
          #expect(!Self.hosts.contains { $0 != host && kept.text.contains($0) })
        }
      }
      if let file = anew as? SQLiteStore { await file.close() }
    }
  }

  /// Pages of any kind, and a detail.
  private static func targets(_ random: inout SeededRandom) -> [String] {
    let number = Int.random(in: 1...3, using: &random)
    let size = Int.random(in: 1...12, using: &random)
    let list = "/api/products?items_per_page=\(size)"
    return [
      list, list, list + "&page_no=\(number)", list + "&sort=cheapest", list + "&sort=reduced",
      list + "&vendor_id=\(number)", list + "&search_value=%EB%9E%A8", list + "&search_value=hana",
      list + "&id=3&id=1&id=\(size)", "/items/1", "/items/1", "/items/2",
      "/api/products/\(size)", "/item/\(size)",
    ]
  }

  /// Changes a product, a seller or a question at random.
  private func change(
    _ store: any StoredMarket, _ round: Int, _ random: inout SeededRandom
  ) async throws {
    let products = try await store.page(PageRequest(size: 100)).products
    let product = try #require(products.randomElement(using: &random))
    let seller = try #require(Self.sellers.randomElement(using: &random))
    let number = Int.random(in: 0...999, using: &random)
    let word = try #require(Self.words.randomElement(using: &random))
    func edit(_ patch: ProductPatch) async throws {
      // A seller may be blocked, and a guest's product edited by anyone with the password.
      for author in [Author.guest] + Self.sellers.map(Author.seller) {
        do {
          _ = try await store.update(
            product.id, with: patch, password: Password("secret"), by: author, expecting: nil)
          return
        } catch { continue }
      }
    }
    switch Int.random(in: 0...9, using: &random) {
    case 0: try await edit(ProductPatch(name: "\(word) \(number)"))
    case 1, 2: try await edit(ProductPatch(description: "\(word) of \(number)"))
    case 3: try await edit(ProductPatch(priceHundredths: Int64(number + 1) * 100))
    case 4: try await edit(ProductPatch(stock: Int64(number % 2)))
    case 5: _ = try? await store.change(seller, SellerChange(name: "\(word.prefix(4)) \(number)"))
    case 6:
      guard product.seller.id.canSignIn else { return }
      _ = try await store.setBlocked(number % 2 == 0, product.seller.id)
    case 7: _ = try? await store.register(.sample(name: "\(word) \(number)"), by: .seller(seller))
    case 8 where products.count > 8: _ = try? await store.delete(product.id, by: .guest)
    default:
      _ = try? await store.ask(
        NewQuestion(text: "Is it \(number)?"), about: product.id, by: seller,
        key: IdempotencyKey(rawValue: "\(round) \(number)"))
    }
  }
}
