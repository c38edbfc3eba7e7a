import MarketModel
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// Search rows that a server of an older version has written, which knew no parts of syllables.
@Suite(
  .enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)),
  .timeLimit(.minutes(1)))
struct SearchRenewalTests {
  /// Words, short ones, first consonants, syllables under way, and what these are narrowed by.
  private static let queries =
    ["자전거", "거", "red", "r", "ㅈㅈㄱ", "ㅈ", "노트붘", "노트부", "노틉", "노트ㅂ", "ㅋㅂㄷ ㅂㄹ"].map {
      ProductQuery(text: $0)
    } + [
      ProductQuery(text: "ㅈㅈㄱ", order: .cheapest), ProductQuery(text: "ㄴㅌ", filters: [.inStock]),
      ProductQuery(text: "ㅈㅈ", phrases: ["미개봉"]), ProductQuery(without: ["자전거"]),
    ]

  private func open(_ address: String) async throws -> PostgresStore {
    try await PostgresStore.open(
      at: address, pictureProcessor: PassThroughPictureProcessor(), options: .forTests)
  }

  /// The first page and the total of each query.
  private func answers(of store: PostgresStore) async throws -> [ProductPage] {
    var pages: [ProductPage] = []
    for query in Self.queries {
      pages.append(try await store.page(PageRequest(query: query)))
    }
    return pages
  }

  /// Leaves of the rows in an expression what an older server would have written.
  private func age(_ rows: String, over connection: PostgresConnection) throws {
    let found = try connection.run(
      PostgresStatement("SELECT product, words FROM product_search WHERE \(rows)"))
    let tokenizer = SearchTokenizer(fold: \.self)
    let grams = found.map { row in
      let hashes = tokenizer.words(of: row.text(1)).flatMap { word in
        word.indices.flatMap { start in
          (1...3).flatMap { size in
            GramHashes.wanted(by: word[start...].prefix(size).map(WantedLetter.exactly))
          }
        }
      }
      return "{" + Set(hashes).sorted().map(String.init).joined(separator: ",") + "}"
    }
    try connection.run(
      """
      UPDATE product_search SET grams = aged.grams::integer[]
      FROM unnest($1, $2) AS aged (product, grams) WHERE product_search.product = aged.product
      """, [.integers(found.map { $0.integer(0) }), .texts(grams)])
  }

  @Test func `searches find all that match before old rows are complete, meanwhile and afterwards`()
    async throws
  {
    let address = try #require(TestCluster.shared).emptySchema()
    let store = try await open(address)
    let hash = try await PasswordHasher(cost: .least).hash(Password("renewal"))
    // More than are renewed at once.
    try await store.generate(1_200, pictures: [], passwordHash: hash) { _ in }
    let connection = try PostgresConnection(
      to: address, PostgresOptions(patienceMilliseconds: 30_000))
    func incomplete() throws -> Int64? {
      try connection.run(
        PostgresStatement(
          "SELECT count(*) FROM product_search WHERE \(GramHashes.isIncomplete)")
      ).first?.integer(0)
    }
    let expected = try await answers(of: store)
    #expect(expected.contains { $0.products.count > 1 })

    try age("true", over: connection)
    #expect(try incomplete() == 1_200)
    #expect(try await answers(of: store) == expected)

    let renewed = try await open(address)
    #expect(try incomplete() == 0)
    #expect(try await answers(of: renewed) == expected)

    try age("product % 2 = 0", over: connection)
    #expect(try incomplete() == 600)
    #expect(try await answers(of: renewed) == expected)
  }
}
