import Expectations
import MarketModel
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import MarketStore

/// Sellers of many products who get another name, in a file.
struct RenamingTests {
  private static let identifier = SellerIdentifier(secret: "renamed")
  private static let grams = ProductGrams(SearchTokenizer())

  /// A file with so many products of one seller, *Oldname*.
  private func market(
    of count: Int, in folder: borrowing TemporaryFolder
  ) async throws -> (SQLiteStore, SQLiteDatabase) {
    let store = try await SQLiteStore.temporary(in: folder)
    _ = try await store.change(Self.identifier, SellerChange(name: "Oldname"))
    let first = try await store.register(.sample(), by: .seller(Self.identifier)).id
    let connection = try SQLiteDatabase(opening: folder.path(of: "market.sqlite"), .init())
    let texts = try #require(try connection.indexedTexts(of: first))
    let columns =
      "seller, name, currency, price, discount, percent, stock, created, changed, password"
    try connection.file.execute(
      """
      BEGIN;
      INSERT INTO product (\(columns)) SELECT \(columns) FROM product CROSS JOIN (
        WITH RECURSIVE number(value) AS (
          SELECT 2 UNION ALL SELECT value + 1 FROM number WHERE value < \(count))
        SELECT value FROM number);
      INSERT INTO product_text (product, description)
      SELECT id, (SELECT description FROM product_text LIMIT 1) FROM product WHERE id > 1;
      UPDATE password SET uses = \(count);
      COMMIT;
      """)
    try connection.file.run(
      "INSERT INTO product_grams (rowid, grams) SELECT id, ? FROM product WHERE id > 1",
      .text(Self.grams.tokens(of: texts)))
    return (store, connection)
  }

  /// Renames as a program that ends right afterwards.
  private func rename(
    to name: String, atOnce count: Int = SellerNameIndex.productsAtOnce,
    over connection: SQLiteDatabase
  ) throws {
    try writing(connection) { () throws(StoreError) in
      let seller = try connection.sellers.known(SellerKey(Self.identifier)).orDamaged()
      try SellerNameIndex(connection, Self.grams.tokenizer).rename(seller, to: name, atOnce: count)
    }
  }

  private func writing(
    _ connection: SQLiteDatabase, _ body: () throws(StoreError) -> Void
  ) throws {
    try connection.file.writing { () throws(StoreError) in try body() }
  }

  private func some(of ids: Set<Product.ID>, _ random: inout SeededRandom) -> Product.ID {
    let all = ids.sorted { $0.rawValue < $1.rawValue }
    return all[Int.random(in: 0..<all.count, using: &random)]
  }

  @Test func `renaming a seller of 20,000 products renews fifty before it is answered`()
    async throws
  {
    let folder = try TemporaryFolder()
    let (store, connection) = try await market(of: 20_000, in: folder)

    try rename(to: "Newname", over: connection)

    try await expect(store.count(finding: "newname"), 50)
    try await expect(store.count(finding: "oldname"), 19_950)
    let shown = try await store.page(PageRequest(size: 100)).products
    #expect(shown.allSatisfy { $0.seller.name == "Newname" })
  }

  @Test func `what a program left that ended in the middle the next one goes on with`()
    async throws
  {
    let folder = try TemporaryFolder()
    let (store, connection) = try await market(of: 300, in: folder)
    try rename(to: "Newname", over: connection)
    try writing(connection) { () throws(StoreError) in
      _ = try SellerNameIndex(connection, Self.grams.tokenizer).renew(atMost: 70)
    }
    await store.close()

    let next = try await SQLiteStore.temporary(in: folder)
    try await poll { try !connection.hasPreviousNames() }

    try await expect(next.count(finding: "newname"), 300)
    try await expect(next.count(finding: "oldname"), 0)
  }

  @Test(arguments: 0..<6)
  func `whatever is renamed, edited and deleted meanwhile, each product is found by one name`(
    seed: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let (store, connection) = try await market(of: 40, in: folder)
    var random = SeededRandom(seed: UInt64(seed))
    let author = Author.seller(Self.identifier)
    var ids = Set((1...40).map { Product.ID(rawValue: $0) })
    for step in 1...60 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let name = "Name\(Int.random(in: 1...3, using: &random))"
        try rename(to: name, atOnce: 5, over: connection)
      case 1:
        let id = some(of: ids, &random)
        _ = try await store.update(
          id, with: ProductPatch(name: "Lamp \(step)"), password: Password("secret"), by: author,
          expecting: nil)
      case 2 where ids.count > 20:
        let id = some(of: ids, &random)
        ids.remove(try await store.remove(id).id)
      case 3:
        ids.insert(try await store.register(.sample(), by: author).id)
      default:
        try writing(connection) { () throws(StoreError) in
          _ = try SellerNameIndex(connection, Self.grams.tokenizer).renew(atMost: 4)
        }
      }
      var sum = 0
      for name in ["oldname", "name1", "name2", "name3"] {
        sum += try await store.count(finding: name)
      }
      expect(sum, ids.count, "step \(step)")
    }
    try rename(to: "Newname", atOnce: 5, over: connection)
    try await store.renewNames()

    try await expect(store.count(finding: "newname"), ids.count)
    try await expect(store.count(finding: "name1 newname"), 0)
    for name in ["oldname", "name1", "name2", "name3"] {
      try await expect(store.count(finding: name), 0)
    }
    for id in ids { _ = try await store.remove(id) }
    try expect(connection.integer("SELECT count(*) FROM previous_seller_name"), 0)
    try await expect(store.count(finding: "newname"), 0)
  }
}
