import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// Single products as stores read them: details, beginnings of texts, every field.
struct ProductReadingTests {
  @Test(arguments: Database.allCases)
  func `details and lists leave out nothing that they show`(_ database: Database) async throws {
    let market = try await ContractMarket(database)
    let id = try #require(ArchivedProduct.complete.id)
    let nothing = ProductDetail.least()

    try await expect(market.store.take(.complete), 1)
    let detail = try await market.store.detail(of: id)
    let listed = try await market.store.page(PageRequest()).products

    // The question in the archive has its answer.
    expect(sameProperties(detail, nothing), ["unansweredCount"])
    expect(sameProperties(detail.product, nothing.product), [])
    expect(sameProperties(detail.product.seller, nothing.product.seller), [])
    var product = detail.product
    // How a seller is reached stands in details alone.
    product.seller.contact = nil
    expect(listed, [product])
  }

  @Test(arguments: ProductField.valued + [.pictures], Database.allCases)
  func `an edit leaves every other field as it was`(
    _ field: ProductField, _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let value = try #require(FieldValues.plain[field])
    var patch = ProductPatch()
    patch.set([field: value])
    if field == .pictures { patch.pictures = .list([.new(PictureFile.jpeg(3))]) }
    var batch = ImportBatch.complete
    batch.products[0].product.passwordHash = try await PasswordHasher(cost: .least).hash(
      Password("secret"))
    batch.products[0].product.seller = ArchivedSeller(id: nil, name: "Ana")
    try await expect(market.store.take(batch), 1)
    let before = try #require(try await market.store.archivedProducts().first)

    _ = try await market.store.update(
      try #require(before.id), with: patch, password: Password("secret"), by: .guest,
      expecting: nil)

    let after = try #require(try await market.store.archivedProducts().first)
    var expected = before
    expected.set(before.fieldValues.merging([field: value]) { $1 })
    (expected.changed, expected.version) = (after.changed, before.version + 1)
    if field == .pictures { expected.pictures = after.pictures }
    #expect(after == expected && before[field] != after[field])
  }

  @Test(arguments: Database.allCases)
  func `beginnings of texts come in the order that was asked for, empty where there is none`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    var ids: [Product.ID] = []
    for text in ["", "두 줄\n끝", "As good as new.", "漢字典"] {
      ids.append(try await market.store.register(.sample(description: text)).id)
    }
    let wanted = [ids[3], ids[0], Product.ID(rawValue: 77), ids[2], ids[1], ids[3]]

    let beginnings = try await market.store.descriptions(of: wanted, atMost: 2)

    expect(beginnings, ["漢字", "", "", "As", "두 ", "漢字"])
    try await expect(market.store.descriptions(of: [], atMost: 2), [])
    try await expect(market.store.descriptions(of: [ids[1]], atMost: 1_000), ["두 줄\n끝"])
  }

  @Test(arguments: Database.allCases)
  func `rows are kept until their product changes or their seller is renamed`(
    _ database: Database
  ) async throws {
    let clock = SecondsClock()
    let market = try await ContractMarket(
      database, MarketOptions(now: { clock.seconds }), openedAtOnceBy: 1)
    let other = try await market.opened(MarketOptions(now: { clock.seconds }))
    let seller = SellerIdentifier(secret: "seller")
    _ = try await market.store.register(.sample(name: "Cup"), by: .seller(seller))
    let lamp = try await market.store.register(.sample(name: "Lamp"))
    _ = try await market.store.register(.sample(name: "램프"))
    func rows(_ query: ProductQuery = ProductQuery()) async throws -> [ListedRow] {
      var request = PageRequest(query: query, size: 3)
      request.hasRows = true
      return try await market.store.page(request).rows
    }

    let first = try await rows()
    _ = try await other.update(
      lamp.id, with: ProductPatch(description: "Of brass."), password: Password("secret"),
      by: .guest, expecting: nil)
    let changed = try await rows()
    _ = try await other.change(seller, SellerChange(name: "Hana"))
    let renamed = try await rows()
    let found = try await rows(ProductQuery(text: "cup"))

    expect(first.map(\.product.name), ["램프", "Lamp", "Cup"])
    expect(zip(first, changed).map { $0 === $1 }, [true, false, true])
    expect(changed[1].description, "Of brass.")
    expect(zip(changed, renamed).map { $0 === $1 }, [true, true, false])
    expect(renamed[2].product.seller.name, "Hana")
    #expect(found.count == 1 && found[0] === renamed[2])
  }

  @Test(arguments: Database.allCases)
  func `products of a sample are told by their hash from one of the same password`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let sample = try await SeedMarket.mugs(1)
    try await market.store.seed(sample)
    let seeded = try #require(try await market.store.page(PageRequest()).products.first?.id)
    let own = try await market.store.register(.sample(password: "market")).id

    for (id, isSample) in [(seeded, true), (own, false), (Product.ID(rawValue: 99), false)] {
      await expect(market.store.hasPasswordHash(sample.passwordHash, for: id), isSample)
    }
  }
}

extension ImportBatch {
  /// A product with two pictures, as another market hands it over.
  static let complete: ImportBatch = {
    var batch = ImportBatch()
    batch.products = [IncomingProduct(identity: [1], product: .complete)]
    for (number, name) in ArchivedProduct.complete.pictures.enumerated() {
      batch.add(.plain(UInt8(number)), named: name)
    }
    return batch
  }()
}

extension StoredMarket {
  /// All products as an export has them, a few at a time.
  func archivedProducts(atOnce limit: Int = 3) async throws -> [ArchivedProduct] {
    try await snapshot().allProducts(atOnce: limit)
  }
}

extension MarketSnapshot {
  /// All products, a few at a time.
  func allProducts(atOnce limit: Int = 3) async throws -> [ArchivedProduct] {
    var products: [ArchivedProduct] = []
    while case let next = try await self.products(after: products.last?.id, atMost: limit),
      !next.isEmpty
    {
      #expect(next.count <= limit)
      products += next
    }
    return products
  }
}
