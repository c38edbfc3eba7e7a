import MarketModel
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// The sample of pages that tells whether far more are found than are counted.
@Suite(
  .enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)),
  .timeLimit(.minutes(1)))
struct FindsSampleTests {
  /// A table of words in which so many products of 30,000 have “red”, spread evenly or all at its end.
  ///
  /// Few rows fit a page of it, so that these make as many pages as a large market.
  private func table(
    of count: Int = 30_000, red: Int, spread isSpread: Bool = true
  ) async throws -> PostgresConnection {
    let address = try #require(TestCluster.shared).emptySchema()
    let store = try await PostgresStore.open(
      at: address, pictureProcessor: PassThroughPictureProcessor(), options: .forTests)
    await store.close()
    let connection = try PostgresConnection(
      to: address, PostgresOptions(patienceMilliseconds: 30_000))
    let share = "\(red)::bigint / \(count)"
    let condition =
      isSpread
      ? "number * \(share) <> (number - 1) * \(share)" : "number > \(count - red)"
    try connection.execute(
      """
      ALTER TABLE product_search DROP CONSTRAINT product_search_product_fkey;
      DROP INDEX product_search_grams;
      DROP INDEX product_search_incomplete;
      ALTER TABLE product_search SET (fillfactor = 10);
      INSERT INTO product_search
      SELECT number, repeat(md5(number::text), 4) || CASE WHEN \(condition) THEN ' red' ELSE '' END, '{}'
      FROM generate_series(1, \(count)) AS number;
      """)
    return connection
  }

  /// How often of so many samples one says that there are far more.
  private func yeses(
    of samples: Int, _ query: ProductQuery = ProductQuery(text: "red"),
    on connection: PostgresConnection
  ) throws -> Int {
    let tokenizer = SearchTokenizer(fold: \.self)
    let search = try #require(WordSearch(query, tokenizer: tokenizer))
    var parameters = StatementParameters()
    let sample = FindsSample(of: search, among: ProductNarrowing(query), within: SearchBounds())
    let sql = sample.sql(&parameters)
    return try (0..<samples).reduce(0) { count, _ in
      let row = try connection.run(
        PostgresStatement("SELECT (\(sql))::integer::bigint", parameters.values)
      ).first
      return count + Int(row?.integer(0) ?? 0)
    }
  }

  @Test func `what is found far more often than is counted is known by a few pages`() async throws {
    #expect(try yeses(of: 20, on: await table(red: 25_000)) == 20)
  }

  @Test func `what is found less often than is counted is never said to be found more often`()
    async throws
  {
    #expect(try yeses(of: 20, on: await table(red: 9_999)) == 0)
  }

  @Test func `finds that stand together in a few pages say nothing that is not so`() async throws {
    #expect(try yeses(of: 20, on: await table(red: 9_999, spread: false)) == 0)
  }

  @Test func `a small table is not sampled at all`() async throws {
    let connection = try await table(of: 11_000, red: 11_000)

    let pages = try connection.key(
      "SELECT pg_relation_size('product_search') / current_setting('block_size')::bigint", [])

    #expect(pages < 4_000)
    #expect(try yeses(of: 3, on: connection) == 0)
  }

  @Test func `what does not pass the filters is not among the finds`() async throws {
    let connection = try await table(red: 25_000)

    // No product of these words is there.
    #expect(try yeses(of: 3, ProductQuery(text: "red", filters: [.inStock]), on: connection) == 0)
  }
}
