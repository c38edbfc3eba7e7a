import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import Synchronization
import TestSupport
import Testing

@testable import PostgresStore

/// Sellers of many products who get another name.
@Suite(.cluster) struct RenamingTests {
  private static let identifier = SellerIdentifier(secret: "renamed")

  private let address: String

  init() throws {
    address = try #require(TestCluster.shared).emptySchema()
  }

  private func open() async throws -> PostgresMarketStore {
    try await PostgresMarketStore.open(at: address)
  }

  /// A market with so many products of one seller, *Oldname*.
  private func market(of count: Int) async throws -> (PostgresMarketStore, PostgresConnection) {
    let store = try await open()
    _ = try await store.change(Self.identifier, SellerChange(name: "Oldname"))
    let first = try await store.register(.sample(), by: .seller(Self.identifier))
    let connection = try PostgresConnection(to: address)
    let columns =
      "seller, name, currency, price, discount, percent, stock, created, changed, password"
    try connection.execute(
      """
      INSERT INTO product (\(columns)) SELECT \(columns) FROM product, generate_series(2, \(count));
      INSERT INTO product_text (product, description)
      SELECT id, (SELECT min(description) FROM product_text) FROM product
      WHERE id <> \(first.id.rawValue);
      INSERT INTO product_search (product, words, grams)
      SELECT id, words, grams FROM product, (SELECT words, grams FROM product_search) AS searched
      WHERE id <> \(first.id.rawValue);
      """)
    return (store, connection)
  }

  /// Renames as a server that ends right afterwards.
  private func rename(over connection: PostgresConnection) throws {
    _ = try connection.transact(.writing) { () throws(StoreError) -> Outcome<Void> in
      let seller = try connection.sellers.known(SellerKey(Self.identifier)).orDamaged()
      try SellerNameIndex(connection, SearchTokenizer()).rename(seller, to: "Newname")
      return .success(())
    }
  }

  private func isDone(_ connection: PostgresConnection) throws -> Bool {
    try connection.run("SELECT 1 FROM seller_renaming").first == nil
  }

  @Test func `renaming a seller of 20,000 products touches no more than that of a hundred`()
    async throws
  {
    var touched: [Int64] = []
    var trips: [Int] = []
    let (store, connection) = try await market(of: 100)
    for count in [100, 20_000] {
      if count > 100 {
        let columns = "seller, name, currency, price, discount, percent, stock, created, changed"
        try connection.execute(
          """
          INSERT INTO product (\(columns), password)
          SELECT \(columns), 1 FROM (SELECT \(columns) FROM product LIMIT 1) AS first,
            generate_series(101, \(count));
          INSERT INTO product_text SELECT id, 'Of metal' FROM product WHERE id > 100;
          INSERT INTO product_search SELECT id, words, grams FROM product,
            (SELECT words, grams FROM product_search ORDER BY product LIMIT 1) AS searched
          WHERE id > 100;
          UPDATE seller SET name = 'Oldname' WHERE id > 0;
          """)
      }
      let before = try connection.run("SELECT pg_current_xact_id()::text::bigint").first
      let observer = SharedCounter()
      try RoundTripCounter.$observer.withValue(
        { observer.rise() },
        operation: { try rename(over: connection) })
      trips.append(observer.value)
      touched.append(
        try connection.key(
          "SELECT count(*) FROM product_search WHERE xmin::text::bigint > $1",
          [.integer(before?.integer(0) ?? 0)]))
    }

    expect(touched, [50, 50])
    #expect(trips[1] <= 5, "\(trips)")
    let shown = try await store.page(PageRequest(size: 100)).products
    #expect(shown.allSatisfy { $0.seller.name == "Newname" })
  }

  @Test func `what a server left that ended in the middle the next start goes on with`()
    async throws
  {
    let (_, connection) = try await market(of: 300)
    try rename(over: connection)
    let tokenizer = SearchTokenizer()
    _ = try connection.transact(.writing) { () throws(StoreError) -> Outcome<Void> in
      _ = try SellerNameIndex(connection, tokenizer).renew(atMost: 70)
      return .success(())
    }
    // This one is undone, as by a server that is killed.
    try connection.execute("BEGIN")
    _ = try SellerNameIndex(connection, tokenizer).renew(atMost: 70)
    try connection.execute("ROLLBACK")
    let renewed = try connection.key(
      "SELECT count(*) FROM product_search WHERE words LIKE $1", [.text("%newname")])
    expect(renewed, 120)

    let next = try await open()
    try await poll { try isDone(connection) }

    try await expect(next.count(finding: "newname"), 300)
    try await expect(next.count(finding: "oldname"), 0)
  }

  @Test func `servers take turns`() async throws {
    let (store, connection) = try await market(of: 700)
    try rename(over: connection)
    let holder = try PostgresConnection(to: address)
    try holder.execute("BEGIN")
    try holder.run("SELECT seller FROM seller_renaming FOR UPDATE")

    let turn = try SellerNameIndex(connection, store.tokenizer).renew()

    guard case .elsewhere = turn else {
      Issue.record("\(turn)")
      return
    }
    try holder.execute("COMMIT")
    try await store.renewNames()
    try await expect(store.count(finding: "newname"), 700)
  }

  @Test func `a registration under way and a renaming wait for each other`() async throws {
    let (store, connection) = try await market(of: 2)
    let holder = try PostgresConnection(to: address)
    try holder.execute("BEGIN")
    _ = try holder.read(holder.sellers.locked(SellerKey(Self.identifier)))
    try connection.execute("SET lock_timeout = 50")

    #expect(throws: StoreError.conflict) { try rename(over: connection) }
    try holder.execute("COMMIT")
    try rename(over: connection)

    try await expect(store.seller(of: Self.identifier)?.name, "Newname")
  }
}
