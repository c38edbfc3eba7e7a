import Glibc
import MarketModel
import SQLiteKit
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

@testable import MarketStore

/// Market files whose search index was made by the folding of before.
@Suite(.timeLimit(.minutes(2))) struct LegacyFoldingTests {
  private static let names = [
    "자전거 도로 지도", "Café Müller", "İstanbul kilim", "L’Oréal", "ＦＵＬＬ　ｗｉｄｔｈ", "plain mug",
  ]

  /// A file of version 10, in which these products follow one another.
  private func formerMarket(
    of count: Int, in folder: borrowing TemporaryFolder
  ) async throws -> String {
    let path = folder.path(of: "market.sqlite")
    var options = SQLiteStore.Options.forTests
    options.tokenizer = SearchTokenizer().former
    let store = try await SQLiteStore.open(path, options)
    let hash = try await PasswordHasher(cost: .least).hash(Password("secret"))
    let products = try (0..<count).map { number in
      SeedProduct(
        seller: "판매 Sellér", name: Self.names[number % Self.names.count] + " \(number)",
        description: "무선 이어폰 \(number)",
        price: try #require(Price(full: Money(hundredths: 10_000, currency: .krw))), stock: 1,
        created: 0, pictures: [])
    }
    try await store.seed(SeedMarket(products: products, pictures: [], passwordHash: hash))
    await store.close()
    try SQLiteDatabase(opening: path, .init()).execute(
      """
      ALTER TABLE product_grams RENAME TO product_letters; DROP TABLE former_folding;
      DROP INDEX product_of_category; DROP INDEX product_of_condition;
      DROP INDEX product_of_place; DROP INDEX product_of_reserved;
      ALTER TABLE product DROP COLUMN category; ALTER TABLE product DROP COLUMN condition;
      ALTER TABLE product DROP COLUMN place; ALTER TABLE product DROP COLUMN place_key;
      ALTER TABLE product DROP COLUMN reserved; ALTER TABLE product DROP COLUMN questions_closed;
      DROP TABLE question; DROP TABLE question_count; DROP TABLE question_change;
      ALTER TABLE market_id DROP COLUMN name; DROP INDEX product_picture_by_picture;
      ALTER TABLE picture ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
      PRAGMA user_version = 10;
      """)
    return path
  }

  /// Brings the tables to today's version, and nothing into the index.
  private func migrate(_ path: String) throws -> SQLiteDatabase {
    let connection = try SQLiteDatabase(opening: path, .init())
    try connection.migrate(filling: {}, converting: { _ in })
    return connection
  }

  private func renew(_ count: Int, over connection: SQLiteDatabase) throws {
    try connection.writing(
      keeping: { _ in true },
      { () throws(StoreError) in
        _ = try LegacyFolding(connection).renew(
          atMost: count, ProductGrams(SearchTokenizer()))
      })
  }

  private func opened(_ path: String, readsOnly: Bool = true) async throws -> SQLiteStore {
    var options = SQLiteStore.Options.forTests
    (options.createsFile, options.readsOnly) = (false, readsOnly)
    return try await SQLiteStore.open(path, options)
  }

  @Test
  func `searches find all that they found before, and more and more while it is indexed anew`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await formerMarket(of: 60, in: folder)
    let connection = try migrate(path)
    let store = try await opened(path)

    for done in [0, 6, 30, 60] {
      if done > 0 {
        try renew(done - (60 - Int(try LegacyFolding(connection).last)), over: connection)
      }

      for text in ["Café", "Müller", "İstanbul", "L’Oréal", "ＦＵＬＬ", "mug", "자전거 도로", "ㅈㅈㄱ"] {
        #expect(try await store.count(finding: text) == 10, "\(text) after \(done)")
      }
      for text in ["cafe", "muller", "istanbul", "ISTANBUL", "l'oreal", "full", "자전거도로", "ㄱㄷㄹ"] {
        #expect(try await store.count(finding: text) == done / 6, "\(text) after \(done)")
      }
      #expect(try await store.count(finding: "seller") == done)
      let page = try await store.page(
        PageRequest(query: ProductQuery(text: "판매 Sellér", order: .cheapest), size: 100))
      #expect(page.products.count == 60)
      let others = ProductQuery(phrases: ["무선 이어폰"], without: ["L’Oréal"])
      #expect(try await store.exactTotal(of: others) == 50)
    }
    try renew(1, over: connection)
    #expect(try connection.integer("SELECT count(*) FROM former_folding") == 0)
  }

  @Test
  func `each turn makes another version of the data, so that no answer is remembered past it`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await formerMarket(of: 20, in: folder)
    let connection = try migrate(path)
    let store = try await opened(path)

    while try LegacyFolding(connection).share != nil {
      let version = try #require(store.dataVersion())
      #expect(store.dataVersion() == version)
      try renew(6, over: connection)
      #expect(store.dataVersion() != version)
    }
  }

  @Test func `opening it goes on until all is done, wherever a program ended before`() async throws
  {
    let folder = try TemporaryFolder()
    let path = try await formerMarket(of: 600, in: folder)
    try renew(250, over: try migrate(path))

    let store = try await opened(path, readsOnly: false)
    // From another task than the one that opening has begun.
    try await store.renewIndex()
    await poll { store.indexing.present == nil }

    #expect(try await store.count(finding: "cafe") == 100)
    #expect(try await store.count(finding: "자전거도로") == 100)
    #expect(try LegacyFolding(SQLiteDatabase(opening: path, .init())).share == nil)
    for id in Int64(1)...600 { _ = try await store.remove(Product.ID(rawValue: id)) }
    // An index that was ever told to forget what it was not given would still find something.
    for text in ["cafe", "Café", "자전거", "이어폰", "mug", "ㅁ", "a"] {
      #expect(try await store.count(finding: text) == 0, "\(text)")
    }
    try expectConsistent(path)
  }

  @Test(arguments: 0..<4)
  func `whatever is written meanwhile, each product is found by what it says`(seed: Int)
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await formerMarket(of: 40, in: folder)
    let connection = try migrate(path)
    let store = try await opened(path, readsOnly: true)
    let grams = ProductGrams(SearchTokenizer())
    var random = SeededRandom(seed: UInt64(seed))
    var names: [Int64: String] = [:]
    for id in Int64(1)...40 { names[id] = Self.names[Int(id - 1) % Self.names.count] }
    for step in 1...40 {
      let ids = names.keys.sorted()
      let id = ids[Int.random(in: ids.indices, using: &random)]
      try connection.writing(
        keeping: { _ in true },
        { () throws(StoreError) in
          switch Int.random(in: 0..<4, using: &random) {
          case 0: _ = try LegacyFolding(connection).renew(atMost: 3, grams)
          case 1 where ids.count > 10:
            let present = try connection.products.detail(of: Product.ID(rawValue: id)).orDamaged()
            try connection.changes.delete(present, SearchTokenizer())
            names[id] = nil
          case 2:
            let seed = SeedProduct(
              seller: "판매 Sellér", name: Self.names[1], description: "무선 이어폰",
              price: try Price(full: Money(hundredths: 10_000, currency: .krw)).orDamaged(),
              stock: 1, created: 0, pictures: [])
            try SeedWriter(connection).insert(
              SeedMarket(products: [seed], pictures: [], passwordHash: "x"), grams)
            names[try connection.highestID(in: .product)] = Self.names[1]
          default:
            let present = try connection.products.detail(of: Product.ID(rawValue: id)).orDamaged()
            let name = Self.names[Int.random(in: Self.names.indices, using: &random)]
            _ = try connection.changes.apply(
              ProductPatch(name: name), to: present, files: [], now: 0, SearchTokenizer())
            names[id] = name
          }
        })
      for name in Self.names {
        let count = names.values.count { $0 == name }
        #expect(try await store.count(finding: name) == count, "\(name) at step \(step)")
      }
    }
    while try LegacyFolding(connection).share != nil { try renew(7, over: connection) }
    for (text, name) in [("cafe", 1), ("istanbul", 2), ("자전거도로", 0), ("l'oreal", 3), ("full", 4)] {
      let count = names.values.count { $0 == Self.names[name] }
      #expect(try await store.count(finding: text) == count, "\(text)")
    }
    try expectConsistent(path)
  }

  @Test func `a program that has the file open from before writes nothing into the index`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await formerMarket(of: 6, in: folder)
    let old = try SQLiteDatabase(opening: path, .init())
    _ = try old.integer("SELECT count(*) FROM product_letters WHERE product_letters MATCH 'xyz'")
    _ = try migrate(path)

    #expect(throws: StoreError.self) {
      try old.run("INSERT INTO product_letters (rowid, grams) VALUES (7, 'abc')")
    }
  }
}
