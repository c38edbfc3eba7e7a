import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// Imports into empty tables, whose indexes and references are made after the rows.
@Suite(.cluster) struct TableFillingTests {
  private let cluster: TestCluster
  /// Address of the database in which no test has a market.
  private let outside: String

  init() throws {
    cluster = try #require(TestCluster.shared)
    outside = "postgresql://market@/postgres?host=\(cluster.folder)"
  }

  /// A market in a database of its own, that no other session has open.
  private func market(_ name: String) async throws -> (store: PostgresMarketStore, address: String)
  {
    try cluster.run("CREATE DATABASE \(name)", at: outside)
    let address = "postgresql://market@/\(name)?host=\(cluster.folder)"
    return (try await PostgresMarketStore.open(at: address), address)
  }

  private func take(_ numbers: Range<Int>, into target: any MarketImport) async throws {
    var batch = ImportBatch()
    batch.products = try numbers.map { number in
      let product = ArchivedProduct(
        id: Product.ID(rawValue: Int64(number) + 7),
        seller: ArchivedSeller(id: nil, name: "Shop \(number % 5)"), name: "Lamp \(number)",
        price: try #require(Price(full: Money(hundredths: 100, currency: .krw))), stock: 1,
        created: 0, changed: 0)
      return IncomingProduct(identity: Array("\(number)".utf8), product: product)
    }
    let written = try await target.prepare(batch)()
    expect(written.added, numbers.count)
  }

  /// The indexes and constraints of all tables.
  private func definitions(at address: String) throws -> [String] {
    let connection = try PostgresConnection(to: address)
    return try connection.run(
      """
      SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' UNION ALL
      SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND convalidated ORDER BY 1
      """
    ).map { $0.text(0, atMost: 4_096) }
  }

  /// Number of tables of a database that one session has for itself.
  private func heldTables(of name: String) throws -> Int64? {
    let connection = try PostgresConnection(to: outside)
    return try connection.integer(
      """
      SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE datname = $1 AND mode = 'AccessExclusiveLock'
      """, .text(name))
  }

  @Test func `empty tables that an import has filled have all indexes, and find their products`()
    async throws
  {
    let whole = try await market("filling_whole").address
    let (store, address) = try await market("filling_filled")
    let target = try await store.beginImport()
    #expect(try #require(try heldTables(of: "filling_filled")) > 0)
    try await take(0..<300, into: target)
    try await take(300..<400, into: target)
    // Within the same program all is there already.
    try await expect(store.exactTotal(of: ProductQuery()), 400)

    try await target.finish()

    try expect(definitions(at: address), definitions(at: whole))
    try expect(heldTables(of: "filling_filled"), 0)
    let other = try await PostgresMarketStore.open(at: address)
    let query = ProductQuery(text: "lamp 399")
    try await expect(other.page(PageRequest(query: query)).products.count, 1)
    try await expect(other.page(PageRequest()).total, .exactly(400))
    _ = try await store.register(.sample())
    try await expect(other.exactTotal(of: ProductQuery()), 401)
  }

  @Test func `an import that is cut off leaves empty tables as they were, and is repeated`()
    async throws
  {
    let whole = try await market("filling_uncut").address
    let (store, address) = try await market("filling_cut")
    let target = try await store.beginImport()
    try await take(0..<50, into: target)
    try cluster.run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
      WHERE datname = 'filling_cut' AND state = 'idle in transaction'
      """, at: outside)

    await #expect(throws: RepositoryError.self) { try await take(50..<60, into: target) }
    await #expect(throws: RepositoryError.self) { try await target.finish() }

    try expect(definitions(at: address), definitions(at: whole))
    try await expect(store.page(PageRequest()).total, .exactly(0))
    let again = try await store.beginImport()
    try await take(0..<60, into: again)
    try await again.finish()
    try await expect(store.page(PageRequest()).total, .exactly(60))
    try await expect(store.detail(of: Product.ID(rawValue: 66)).product.name, "Lamp 59")
  }

  @Test func `a batch that fails takes back itself, and those before are kept`() async throws {
    let (store, address) = try await market("filling_part")
    let target = try await store.beginImport()
    try await take(0..<20, into: target)
    var broken = ImportBatch()
    broken.products = [
      IncomingProduct(
        identity: [1],
        product: ArchivedProduct(
          name: "Lamp", price: try #require(Price(full: Money(hundredths: 1, currency: .krw))),
          stock: -1, created: 0, changed: 0))
    ]

    await #expect(throws: RepositoryError.self) { try await target.prepare(broken)() }
    try await target.finish()

    let other = try await PostgresMarketStore.open(at: address)
    try await expect(other.page(PageRequest()).total, .exactly(20))
  }

  @Test func `another server that has empty tables open reads them during an import`() async throws
  {
    let (store, address) = try await market("filling_shared")
    let other = try await PostgresMarketStore.open(at: address)

    let target = try await store.beginImport()
    try await take(0..<10, into: target)

    try await expect(other.page(PageRequest()).total, .exactly(10))
    try await target.finish()
  }
}
