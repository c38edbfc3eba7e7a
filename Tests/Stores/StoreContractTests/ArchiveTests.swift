import Expectations
import MarketModel
import MarketStore
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// Markets as they are exported, imported and copied.
struct ArchiveTests {
  private static func product(
    _ id: Int64? = nil, _ name: String = "fork", seller: ArchivedSeller? = nil
  ) throws -> ArchivedProduct {
    ArchivedProduct(
      id: id.map { Product.ID(rawValue: $0) },
      seller: seller ?? ArchivedSeller(id: nil, name: "Barn"), name: name,
      price: try #require(Price(full: Money(hundredths: 100, currency: .krw))), stock: 1,
      created: 0, changed: 0)
  }

  @Test(arguments: Database.allCases)
  func `an export shows one moment, whatever is written meanwhile`(_ database: Database)
    async throws
  {
    let market = try await ContractMarket(database)
    for number in 1...8 { _ = try await market.store.register(.sample(name: "mug \(number)")) }
    _ = try await market.store.remove(Product.ID(rawValue: 4))
    let snapshot = try await market.store.snapshot()

    _ = try await market.store.register(.sample(name: "late"))
    _ = try await market.store.remove(Product.ID(rawValue: 2))

    try await expect(snapshot.allProducts().map(\.id?.rawValue), [1, 2, 3, 5, 6, 7, 8])
    try await expect(snapshot.productCount(), 7)
  }

  @Test(arguments: Database.allCases)
  func `a product that comes in goes out as it came, with its pictures`(_ database: Database)
    async throws
  {
    let market = try await ContractMarket(database)
    let seller = SellerIdentifier(secret: "ana")
    var batch = ImportBatch.complete
    batch.products[0].product.seller.identifierHash = SellerKey(seller).hash
    var expected = batch.products[0].product
    expected.pictures = expected.pictures.indices.map {
      Picture(number: 1, hash: ContentHash.of(PictureFile.jpeg(UInt8($0)))).original
    }

    try await expect(market.store.take(batch), 1)

    let product = try #require(try await market.store.archivedProducts().first)
    #expect(product == expected && sameProperties(product, .blank) == [])
    expect(sameProperties(product.seller, ArchivedProduct.blank.seller), [])
    expect(sameProperties(product.price, ArchivedProduct.blank.price), [])
    try await expect(market.store.seller(of: seller)?.id.rawValue, 17)
    let snapshot = try await market.store.snapshot()
    for (number, name) in product.pictures.enumerated() {
      try await expect(snapshot.file(ofPicture: name), PictureFile.jpeg(UInt8(number)))
    }
    try await expect(snapshot.file(ofPicture: "no picture"), nil)
    try await expect(snapshot.file(ofPicture: String(repeating: "0", count: 64)), nil)
  }

  @Test(arguments: Database.allCases)
  func `products keep their numbers where these are free and never were another's`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let first = try await market.store.register(.sample()).id.rawValue
    let gone = try await market.store.register(.sample()).id.rawValue
    _ = try await market.store.remove(Product.ID(rawValue: gone))

    let numbers = [first, gone, nil, 40, 1 << 28, -5, 30]
    _ = try await market.store.take(try numbers.map { try Self.product($0) })
    let later = try await market.store.register(.sample()).id.rawValue

    let ids = try await market.store.archivedProducts().compactMap(\.id?.rawValue)
    #expect(ids.count == 9 && ids == ids.sorted() && Set(ids).count == 9)
    #expect(ids.contains(40) && ids.contains(30) && !ids.contains(gone))
    #expect(later == ids.last && later > 40 && later < 100)
  }

  @Test(arguments: Database.allCases)
  func `what has come is known, also where it was deleted since`(_ database: Database) async throws
  {
    let market = try await ContractMarket(database)
    let products = [try Self.product(nil, "fork"), try Self.product(nil, "spoon")]
    _ = try await market.store.take([products[0]])
    let id = try #require(try await market.store.page(PageRequest()).products.first?.id)
    let incoming = products.enumerated().map { number, product in
      IncomingProduct(identity: Array(" \(number)".utf8), product: product)
    }

    for _ in 1...2 {
      try await expect(market.store.standings(of: incoming), [.known, .new])
      _ = try? await market.store.remove(id)
    }

    try await expect(market.store.take(products), 1)
    try await expect(market.store.page(PageRequest()).products.map(\.name), ["spoon"])
  }

  @Test(arguments: Database.allCases)
  func `a row of the market changes its product at the version that it says`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let id = try await market.store.register(.sample(name: "mug", stock: 3)).id
    let own = try #require(try await market.store.archivedProducts().first)
    func incoming(_ key: UInt8, _ changes: FieldValues, version: Int64 = 1) -> IncomingProduct {
      var product = own
      product.version = version
      var incoming = IncomingProduct(identity: [key], product: product)
      incoming.changes = changes
      return incoming
    }
    var batch = ImportBatch()
    batch.products = [
      incoming(1, [.name: .text("jug")]), incoming(2, [.name: .text("cup")]),
      incoming(3, [.stock: .number(3)], version: 2), incoming(1, [.name: .text("jug")]),
    ]
    batch.products.append(incoming(4, [.name: .text("jar")]))
    batch.products[4].product.id = Product.ID(rawValue: 99)

    let standings = try await market.store.standings(of: batch.products)
    let run = try await market.store.beginImport()
    let written = try await run.prepare(batch)()
    try await run.finish()

    expect(
      standings,
      [
        .changing(newPictures: []), .changing(newPictures: []),
        .refused(.otherVersion(present: 1)), .changing(newPictures: []), .refused(.gone),
      ])
    #expect(written.added == 0 && written.changed == 1)
    expect(written.refused, [1: .otherVersion(present: 2), 4: .gone])
    let changed = try await market.store.detail(of: id)
    #expect(changed.product.name == "jug" && changed.version == ProductVersion(rawValue: "2"))
  }

  @Test(arguments: Database.allCases)
  func `sellers keep numbers and names where these are free, and leave room for others`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let ana = SellerIdentifier(secret: "ana")
    let own = try await market.store.rename(ana, to: "Ana of here")
    func seller(_ id: Int64?, _ name: String, _ secret: String? = nil) -> ArchivedSeller {
      ArchivedSeller(
        id: id.map { Seller.ID(rawValue: $0) }, name: name,
        identifierHash: secret.map { SellerKey(SellerIdentifier(secret: $0)).hash })
    }
    // Known by its identifier, by its name alone, and two of one number.
    let archived = [
      seller(70, "Ana of there", "ana"), seller(70, "Bo", "bo"), seller(70, "Cy", "cy"),
      seller(-9, "Barn"), seller(-3, "Barn"), seller(9, "Shed"),
    ]
    // Numbers that would leave no room.
    let numbers: [Int64] = [-.max, -(1 << 53), -(1 << 40), -(1 << 28)]
    let lowest = numbers.map { number in seller(number, "s \(number)") }

    for (number, archived) in (archived + lowest + lowest).enumerated() {
      let product = try Self.product(nil, "mug \(number)", seller: archived)
      try await expect(market.store.take([product], run: "\(number)"), 1)
    }

    let sellers = try await market.store.page(PageRequest(size: 100)).products.reversed()
      .map(\.seller)
    #expect(sellers[0] == own && sellers[1] == Seller(id: Seller.ID(rawValue: 70), name: "Bo"))
    #expect(sellers[2].name == "Cy" && sellers[2].id.canSignIn && sellers[2].id != sellers[1].id)
    expect(sellers[3], Seller(id: Seller.ID(rawValue: -9), name: "Barn"))
    expect(sellers[4], sellers[3])
    #expect(sellers[5...].allSatisfy { $0.id.rawValue < 0 && $0.id.rawValue > -(1 << 29) })
    expect(Set(sellers[5...].map(\.id)).count, 5)
    let new = try await market.store.rename(SellerIdentifier(secret: "new"), to: "New")
    #expect(!sellers.map(\.id).contains(new.id) && new.id.canSignIn)
  }
}
