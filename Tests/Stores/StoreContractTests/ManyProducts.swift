import MarketModel
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

/// A market of more products than the 10,000 finds that are sorted or counted, which is only read.
///
/// It is made once for each database. Its texts are short, since indexing them takes nearly all of
/// the time.
struct ManyProducts: ~Copyable {
  private static let file = Task {
    let market = try await ContractMarket(.sqlite)
    try await fill(market.store)
    try market.expectConsistent()
    await market.store.close()
    return try FileContent(of: market.path(of: "market.sqlite"))
  }
  private static let address = Task {
    let address = try Database.cluster().emptySchema()
    try await fill(Database.postgres.open(address, MarketOptions()))
    return address
  }

  let store: any StoredMarket
  private let folder: TemporaryFolder

  init(_ database: Database) async throws {
    let folder = try TemporaryFolder()
    var place = folder.path(of: "market.sqlite")
    switch database {
    case .sqlite: try await Self.file.value.write(to: place)
    case .postgres:
      // Where there can be no cluster, this case is skipped, and not the task.
      _ = try Database.cluster()
      place = try await Self.address.value
    }
    store = try await database.open(place, MarketOptions())
    self.folder = folder
  }

  /// Deletes some of them again.
  private static func fill(_ store: any StoredMarket) async throws {
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    let products = try (1...13_000).map { try product($0) }
    try await store.seed(SeedMarket(products: products, pictures: [], passwordHash: hash))
    for id in stride(from: Int64(5), to: 13_000, by: 151) {
      _ = try await store.remove(Product.ID(rawValue: id))
    }
  }

  /// One of three is reduced, one of four sold out, one of five a bicycle; all are in Seoul, and books or
  /// music, and most are of one seller.
  private static func product(_ number: Int) throws -> ArchivedProduct {
    let full = Int64(1 + number * 7_919 % 5_000) * 100_000
    let price = try #require(
      Price(
        full: Money(hundredths: full, currency: .krw),
        discountHundredths: number % 3 == 0 ? full / Int64(2 + number % 7) : 0))
    let seller = "Hana \(number % 6 == 0 ? number % 7 : 0)"
    var product = ArchivedProduct(
      seller: seller, name: number % 5 == 0 ? "자전거 a" : "a", description: "a",
      price: price, stock: number % 4 == 0 ? 0 : 1, created: Int64(number), pictures: [])
    product.category = number % 2 == 0 ? .books : .music
    product.place = "서울 \(number % 10)구"
    return product
  }
}

extension StoredMarket {
  /// All products of a query, page after page by number.
  func numbered(_ query: ProductQuery, by size: Int) async throws -> [Product] {
    var products: [Product] = []
    for number in 1... {
      let request = PageRequest(query: query, position: .number(number), size: size)
      let page = try await page(request)
      guard !page.products.isEmpty else { break }
      products += page.products
    }
    return products
  }

  /// All products of a query, page after page by cursor.
  func following(_ query: ProductQuery, by size: Int) async throws -> [Product] {
    var products: [Product] = []
    var position: PagePosition? = .first
    while let start = position {
      let page = try await page(PageRequest(query: query, position: start, size: size))
      products += page.products
      position = page.next
    }
    return products
  }
}
