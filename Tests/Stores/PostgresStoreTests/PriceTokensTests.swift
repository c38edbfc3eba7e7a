import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// Marks that the search index has of prices.
@Suite(.cluster, .timeLimit(.minutes(1))) struct PriceTokensTests {
  private let seller = Author.seller(SellerIdentifier(secret: "marks"))

  private func open() async throws -> (PostgresMarketStore, PostgresConnection, ConnectionPool) {
    let (store, address) = try await TestCluster.emptyMarket()
    let options = PostgresOptions(timeoutMilliseconds: 30_000)
    return (
      store, try PostgresConnection(to: address, options),
      ConnectionPool("marks", count: 1, to: address, options: options)
    )
  }

  /// The marks of each product's row, and whether they are those of its price.
  private func marks(_ connection: PostgresConnection) throws -> [(marks: [Int64], isRight: Bool)] {
    let (first, last) = (PriceTokens.numbers.lowerBound, PriceTokens.numbers.upperBound)
    return try connection.run(
      """
      SELECT CASE
          WHEN listed = ARRAY[\(first), coarse_mark(\(PriceTokens.ofProduct)), \(PriceTokens.ofProduct)]
          THEN 1::bigint ELSE 0::bigint END,
        coalesce(cardinality(listed), 0)::bigint,
        coalesce(listed[2], 0)::bigint
      FROM product JOIN (
        SELECT product, ARRAY(SELECT gram FROM unnest(grams) AS gram
          WHERE gram BETWEEN \(first) AND \(last) ORDER BY gram) AS listed
        FROM product_search) AS marked ON product.id = marked.product
      ORDER BY product.id
      """
    ).map { row in ([row.integer(1), row.integer(2)], row.integer(0) == 1) }
  }

  @Test func `a row has the marks of its price, whatever of it is edited`()
    async throws
  {
    let (store, connection, _) = try await open()
    let id = try await store.register(
      .sample(name: "Lamp", price: 1_000, password: "right"), by: seller
    ).id

    for patch in [
      ProductPatch(), ProductPatch(priceHundredths: 900_000),
      ProductPatch(discount: .amount(600_000)), ProductPatch(name: "Other lamp"),
      ProductPatch(name: "Third lamp", priceHundredths: 70_000_000),
    ] {
      _ = try await store.update(
        id, with: patch, password: Password("right"), by: seller, expecting: nil)
      #expect(try marks(connection).map(\.isRight) == [true], "\(patch)")
    }
    _ = try await store.change(
      SellerIdentifier(secret: "marks"), SellerChange(name: "Renamed"))
    #expect(try marks(connection).map(\.isRight) == [true])
  }

  @Test func `rows of a server that knows no marks get theirs`()
    async throws
  {
    let (store, connection, pool) = try await open()
    let hash = try await PasswordHasher(cost: .least).hash(Password("marks"))
    try await store.generate(1_200, pictures: [], passwordHash: hash) { _ in }
    #expect(try marks(connection).allSatisfy(\.isRight))
    try connection.execute(
      """
      ALTER TABLE product_search DISABLE TRIGGER product_search_marked;
      UPDATE product_search SET grams = ARRAY(SELECT gram FROM unnest(grams) AS gram
        WHERE gram NOT BETWEEN 1699999999 AND 1700003999);
      ALTER TABLE product_search ENABLE TRIGGER product_search_marked;
      """)
    #expect(try marks(connection).allSatisfy { $0.marks[0] == 0 })

    try await PriceTokenBackfill(over: pool).run()

    #expect(try marks(connection).allSatisfy(\.isRight))
    #expect(try marks(connection).count == 1_200)
  }

  @Test func `a word whose hash is by chance a mark is found whatever it costs`()
    async throws
  {
    let (store, _, _) = try await open()
    // Found by trying all pairs of syllables.
    let word = "뛇왦"
    let hashes = GramHashes.wanted(by: LetterPattern.letters(of: Array(word.unicodeScalars)))
    #expect(hashes.contains { PriceTokens.numbers.contains($0) })
    let id = try await store.register(
      .sample(name: "\(word) lamp", price: 1_000, password: "right"), by: seller
    ).id
    let request = PageRequest(query: ProductQuery(text: word))

    #expect(try await store.page(request).products.map(\.id) == [id])
    _ = try await store.update(
      id, with: ProductPatch(priceHundredths: 900_000), password: Password("right"), by: seller,
      expecting: nil)
    #expect(try await store.page(request).products.map(\.id) == [id])
  }

  @Test func `marks rise with the price within a currency, and the currencies stand apart`()
    async throws
  {
    let (_, connection, _) = try await open()
    let prices: [Int64] = [
      0, 1, 9, 10, 19, 20, 99, 100, 12_345, 99_999, 100_000, 199_999, 900_000_000_000,
      99_999_999_999_999, 100_000_000_000_000, .max,
    ]

    let marks = try ["KRW", "USD"].flatMap { currency in
      try prices.map { price in
        try connection.key(
          "SELECT price_mark($1, $2)::bigint", [.text(currency), .integer(price)])
      }
    }

    #expect(marks == marks.sorted())
    #expect(Set(marks.prefix(prices.count)).isDisjoint(with: marks.dropFirst(prices.count)))
    #expect(Set(marks.prefix(prices.count)).count == 14)
    let numbers = Int64(PriceTokens.numbers.lowerBound)...Int64(PriceTokens.numbers.upperBound)
    #expect(marks.allSatisfy { numbers.contains($0) && $0 != numbers.lowerBound })
  }
}
