import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// The sample of pages that tells whether far more are found than are counted.
@Suite(.cluster) struct MatchCountEstimateTests {
  /// A table of words in which so many products of 30,000 have “red”, spread evenly or all at its end.
  ///
  /// Few rows fit a page of it, so that these make as many pages as a large market.
  private func table(
    of count: Int = 30_000, red: Int, spread isSpread: Bool = true
  ) async throws -> PostgresConnection {
    let (store, address) = try await TestCluster.emptyMarket()
    await store.close()
    let connection = try PostgresConnection(to: address)
    let share = "\(red)::bigint / \(count)"
    let condition =
      isSpread
      ? "number * \(share) <> (number - 1) * \(share)" : "number > \(count - red)"
    try connection.execute(
      """
      ALTER TABLE product_search DROP CONSTRAINT product_search_product_fkey;
      DROP INDEX product_search_grams;
      ALTER TABLE product_search SET (fillfactor = 10);
      INSERT INTO product_search
      SELECT number, repeat(md5(number::text), 4) || CASE WHEN \(condition) THEN ' red' ELSE '' END, '{}'
      FROM generate_series(1, \(count)) AS number;
      """)
    return connection
  }

  /// What so many samples say: of how many the words alone find more than the bound, and how many
  /// products there are at least by each.
  private func samples(
    _ count: Int, _ query: ProductQuery = ProductQuery(text: "red"),
    above bound: Int = 10_000, on connection: PostgresConnection
  ) throws -> (yeses: Int, least: [Int64]) {
    let tokenizer = SearchTokenizer()
    let search = try #require(WordSearch(query, tokenizer: tokenizer))
    var yeses = 0
    var least: [Int64] = []
    for seed in 1...count {
      var bounds = SearchBounds()
      bounds.seed = seed
      var parameters = StatementParameters(.postgres)
      let sql = MatchCountEstimate(of: search, among: ProductConditions(query), within: bounds)
        .sql(above: bound, &parameters)
      let row = try connection.run(
        Query(
          "SELECT are_many::integer::bigint, least FROM (\(sql)) AS sample", parameters.values)
      ).first
      yeses += Int(row?.integer(0) ?? 0)
      least.append(row?.integer(1) ?? 0)
    }
    return (yeses, least)
  }

  private func yeses(
    of count: Int, above bound: Int = 10_000, on connection: PostgresConnection
  ) throws -> Int {
    try samples(count, above: bound, on: connection).yeses
  }

  @Test(arguments: [(25_000, 10_000), (6_000, 1_000)])
  func `what is found far more often than is counted is known by a few pages`(
    red: Int, bound: Int
  ) async throws {
    try expect(yeses(of: 20, above: bound, on: await table(red: red)), 20)
  }

  @Test(arguments: [(9_999, 10_000), (999, 1_000)])
  func `what is found less often than is counted is never said to be found more often`(
    red: Int, bound: Int
  ) async throws {
    try expect(yeses(of: 20, above: bound, on: await table(red: red)), 0)
  }

  @Test func `finds that stand together in a few pages say nothing that is not so`() async throws {
    try expect(yeses(of: 20, on: await table(red: 9_999, spread: false)), 0)
  }

  @Test func `a small table is not sampled at all`() async throws {
    let connection = try await table(of: 11_000, red: 11_000)

    let pages = try connection.key(
      "SELECT pg_relation_size('product_search') / current_setting('block_size')::bigint", [])

    #expect(pages < 4_000)
    try expect(yeses(of: 3, on: connection), 0)
  }

  @Test func `what does not pass the filters is not among those that there are at least`()
    async throws
  {
    let connection = try await table(red: 25_000)

    // No product of these words is there.
    let query = ProductQuery(text: "red", filters: [.inStock])
    let said = try samples(3, query, on: connection)

    expect(said.yeses, 3)
    expect(said.least, [0, 0, 0])
  }

  @Test func `there are never fewer than a sample says, and it says at least half of them`()
    async throws
  {
    let connection = try await table(red: 25_000)
    try connection.execute(
      """
      INSERT INTO product (id, seller, name, currency, price, discount, percent, stock, created,
        changed, password)
      SELECT product, 0, '', 'KRW', 0, 0, 0, CASE WHEN product % 3 = 0 THEN 1 ELSE 0 END, 0, 0, 0
      FROM product_search
      """)
    let count = try connection.key(
      "SELECT count(*) FROM product_search WHERE product % 3 = 0 AND words LIKE '%red'", [])

    let query = ProductQuery(text: "red", filters: [.inStock])
    let said = try samples(10, query, on: connection).least

    #expect(said.allSatisfy { $0 <= count && $0 * 2 >= count }, "\(said) of \(count)")
  }

  @Test func `a query keeps its number`() async throws {
    let connection = try await table(red: 25_000)

    let least = try (1...3).map { _ in try samples(1, on: connection).least }

    expect(Set(least).count, 1)
  }
}
