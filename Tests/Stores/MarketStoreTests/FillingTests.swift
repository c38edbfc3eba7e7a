import Expectations
import MarketModel
import SQLiteKit
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

@testable import MarketStore

/// Empty files that an import fills, whose indexes are made after the rows.
final class FillingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func take(
    _ count: Int, into target: any MarketImport, falling: Bool = false
  ) async throws {
    var batch = ImportBatch()
    batch.products = try (0..<count).map { number in
      let product = ArchivedProduct(
        id: falling ? Product.ID(rawValue: Int64(count - number)) : nil,
        seller: ArchivedSeller(id: nil, name: "Shop \(number % 5)"),
        name: "Lamp \(number)", description: "Warm light.",
        price: try #require(Price(full: Money(hundredths: 100, currency: .krw))), stock: 1,
        created: 0, changed: 0)
      return IncomingProduct(identity: Array("\(number)".utf8), product: product)
    }
    _ = try await target.prepare(batch)()
  }

  /// How often the search index merges its segments, and how many it has.
  private func searchIndex(of name: String) throws -> [Int64?] {
    let connection = try SQLiteConnection(opening: folder.path(of: name), .init())
    return [
      try connection.integer("SELECT v FROM product_grams_config WHERE k = 'automerge'"),
      try connection.integer("SELECT count(DISTINCT segid) FROM product_grams_idx"),
    ]
  }

  /// A market that an import of so many products has begun to fill, beside one that is whole.
  private func filling(_ count: Int) async throws -> (store: SQLiteStore, target: any MarketImport)
  {
    await (try await SQLiteStore.temporary(in: folder, name: "whole")).close()
    let store = try await SQLiteStore.temporary(in: folder, name: "market")
    let target = try await store.beginImport()
    try await take(count, into: target)
    return (store, target)
  }

  private func schema(of name: String) throws -> String? {
    let connection = try SQLiteConnection(opening: folder.path(of: name), .init())
    return try connection.first(
      "SELECT group_concat(name || sql) FROM (SELECT * FROM sqlite_schema ORDER BY name)"
    ) { row in row.text(0) }
  }

  @Test func `a file that an import has filled has all indexes, and finds its products`()
    async throws
  {
    let (store, target) = try await filling(300)
    #expect(try schema(of: "market") != (try schema(of: "whole")))
    try await target.finish()

    try expect(schema(of: "market"), try schema(of: "whole"))
    try expect(searchIndex(of: "market"), [4, 1])
    let query = ProductQuery(text: "lamp 299")
    try await expect(store.page(PageRequest(query: query)).products.count, 1)
    try expectConsistent(folder.path(of: "market"))
  }

  @Test func `products of falling numbers fill a file as well as those of rising ones`()
    async throws
  {
    let (store, target) = try await filling(0)
    try await take(5_000, into: target, falling: true)
    try await target.finish()

    try await expect(store.page(PageRequest()).total, .exactly(5_000))
    try expect(searchIndex(of: "market"), [4, 1])
    try expectConsistent(folder.path(of: "market"))
  }

  @Test func `an import that was killed leaves a file that is finished when it is opened`()
    async throws
  {
    let (store, target) = try await filling(10)
    try await take(20, into: target)
    await store.close()

    #expect(try schema(of: "market") != (try schema(of: "whole")))
    try expect(searchIndex(of: "market"), [0, 2])
    let again = try await SQLiteStore.temporary(in: folder, name: "market")

    try expect(schema(of: "market"), try schema(of: "whole"))
    try expect(searchIndex(of: "market"), [4, 1])
    try await expect(again.page(PageRequest()).total, .exactly(20))
    try expectConsistent(folder.path(of: "market"))
  }

  @Test func `who has an empty file open keeps its indexes during an import`() async throws {
    let store = try await SQLiteStore.temporary(in: folder, name: "market")
    let other = try await SQLiteStore.temporary(in: folder, name: "market")
    try await expect(other.page(PageRequest()).total, .exactly(0))

    let target = try await store.beginImport()
    try await take(10, into: target)

    let query = ProductQuery(order: .cheapest)
    try await expect(other.page(PageRequest(query: query)).products.count, 10)
    try await target.finish()
  }
}
