import MarketModel
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import MarketStore

@Suite(.timeLimit(.minutes(2))) final class SearchSegmentsTests {
  private let grams = ProductGrams(fold: { $0.lowercased() })
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func product(_ number: Int, id: Int64? = nil) throws -> ArchivedProduct {
    let words = ["자전거", "mug", "바퀴", "ㄱㄴ", "漢字", "2012", "c++", "Ünï", "👍", "벗꽃"]
    let name = (0...number % 3).map { words[(number * 7 + $0 * 3) % words.count] }
    let long = number % 50 == 0 ? String(repeating: "벗꽃 mug ", count: 40) : "\(number)"
    return ArchivedProduct(
      id: id.map(Product.ID.init(rawValue:)),
      seller: ArchivedSeller(id: nil, name: "Shop \(number % 5)"),
      name: name.joined(separator: " "), description: long,
      price: try #require(Price(full: Money(hundredths: 100, currency: .krw))), stock: 1,
      created: 0, changed: 0)
  }

  private func take(
    _ products: [ArchivedProduct], _ mark: UInt8, into target: any MarketImport
  ) async throws {
    var batch = ImportBatch()
    batch.products = products.enumerated().map { place, product in
      IncomingProduct(identity: [mark] + Array("\(place)".utf8), product: product)
    }
    _ = try await target.prepare(batch)()
  }

  /// Where each token is, and what prefixes find, as FTS5 says.
  private func content(of name: String) throws -> [String] {
    let connection = try Connection(opening: folder.path(of: name), .init())
    try connection.execute(
      "CREATE VIRTUAL TABLE temp.seen USING fts5vocab('main', 'product_letters', 'instance')")
    let instances = try connection.all(
      "SELECT term, doc, offset FROM temp.seen ORDER BY doc, offset"
    ) { row in "\(row.text(0)) \(row.integer(1)) \(row.integer(2))" }
    let found = try ["자00m", "벗00o", "바00p", "전00me"].flatMap { beginning in
      try connection.all(
        "SELECT rowid FROM product_letters WHERE product_letters MATCH ? ORDER BY rowid",
        [.text("\"\(beginning)\" *")]
      ) { row in "\(beginning) \(row.integer(0))" }
    }
    return instances + found
  }

  /// The same of an index that FTS5 makes of a market's products one by one.
  private func contentOneByOne(of name: String) async throws -> [String] {
    _ = try await SQLiteStore.temporary(in: folder, name: "copy")
    let source = try Connection(opening: folder.path(of: name), .init())
    let copy = try Connection(opening: folder.path(of: "copy"), .init())
    let ids = try source.all("SELECT id FROM product ORDER BY id") { row in row.integer(0) }
    try copy.writing { () throws(DatabaseError) in
      for id in ids {
        let texts = try SearchIndex(source).texts(of: Product.ID(rawValue: id)).orDamaged()
        try SearchIndex(copy).add(id, grams.tokens(of: texts))
      }
    }
    return try content(of: "copy")
  }

  private func pieces(of name: String) throws -> Int64? {
    try Connection(opening: folder.path(of: name), .init()).integer(
      "SELECT count(DISTINCT segid) FROM product_letters_idx")
  }

  @Test func `what an import writes is what FTS5 makes of the products one by one`() async throws {
    let store = try await SQLiteStore.temporary(in: folder, name: "market")
    let target = try await store.beginImport()

    for mark in 0..<3 {
      try await take(try (0..<2_000).map { try product($0) }, UInt8(mark), into: target)
    }
    #expect(try pieces(of: "market") == 3)
    #expect(try content(of: "market") == (try await contentOneByOne(of: "market")))
    try await target.finish()

    #expect(try pieces(of: "market") == 1)
    #expect(try content(of: "market") == (try content(of: "copy")))
    try expectConsistent(folder.path(of: "market"))
  }

  @Test func `numbers that fall, other names of sellers, edits and deletions in between`()
    async throws
  {
    let store = try await SQLiteStore.temporary(in: folder, name: "market")
    let own = try await store.register(
      .sample(password: "market"), by: .guest, key: IdempotencyKey(rawValue: "key"))

    for round in 0..<3 {
      let target = try await store.beginImport()
      let first = Int64(1_000 * (round + 1))
      try await take(
        try (0..<40).map { try product($0, id: first - Int64($0)) }, UInt8(round * 2),
        into: target)
      var patch = ProductPatch()
      patch.name = "renamed \(round)"
      _ = try await store.update(
        own.id, with: patch, password: Password("market"), by: .guest, expecting: nil)
      try await take(
        try (0..<40).map { try product($0) }, UInt8(round * 2 + 1), into: target)
      try await target.finish()
      _ = try await store.remove(Product.ID(rawValue: first))
      let found = try await store.page(PageRequest(query: ProductQuery(text: "renamed")))
      #expect(found.products.count == 1)
      try expectConsistent(folder.path(of: "market"))
    }

    #expect(try content(of: "market") == (try await contentOneByOne(of: "market")))
  }

  @Test func `an import that was killed leaves a file that is finished when it is opened`()
    async throws
  {
    let whole = try await SQLiteStore.temporary(in: folder, name: "whole")
    await whole.close()
    let store = try await SQLiteStore.temporary(in: folder, name: "market")
    let target = try await store.beginImport()
    try await take(try (0..<10).map { try product($0) }, 0, into: target)
    await store.close()
    let indexes =
      "SELECT group_concat(name || sql) FROM (SELECT * FROM sqlite_schema ORDER BY name)"
    func schema(of name: String) throws -> String? {
      try Connection(opening: folder.path(of: name), .init()).first(indexes) { row in row.text(0) }
    }

    #expect(try schema(of: "market") != (try schema(of: "whole")))
    #expect(throws: DatabaseError.newerVersion) {
      let older = Schema(applicationID: Schema.store.applicationID, migrations: ["SELECT 1"])
      _ = try Connection(opening: folder.path(of: "market"), .init()).state(of: older)
    }
    let again = try await SQLiteStore.temporary(in: folder, name: "market")

    #expect(try schema(of: "market") == (try schema(of: "whole")))
    #expect(try await again.page(PageRequest()).total == .exactly(10))
    try expectConsistent(folder.path(of: "market"))
  }

  @Test func `who has an empty file open keeps its indexes during an import`() async throws {
    let store = try await SQLiteStore.temporary(in: folder, name: "market")
    let other = try await SQLiteStore.temporary(in: folder, name: "market")
    #expect(try await other.page(PageRequest()).total == .exactly(0))

    let target = try await store.beginImport()
    try await take(try (0..<10).map { try product($0) }, 0, into: target)

    let query = ProductQuery(order: .cheapest)
    #expect(try await other.page(PageRequest(query: query)).products.count == 10)
    try await target.finish()
  }
}
