import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// Tokens that the search index has of prices.
@Suite(.cluster) struct PriceTokensTests {
  private let seller = Author.seller(SellerIdentifier(secret: "tokens"))

  private func open() async throws -> (PostgresMarketStore, PostgresConnection) {
    let (store, address) = try await TestCluster.emptyMarket()
    let options = PostgresOptions(timeoutMilliseconds: 30_000)
    return (store, try PostgresConnection(to: address, options))
  }

  /// Whether each product's row has the tokens of its price.
  private func areRight(_ connection: PostgresConnection) throws -> [Bool] {
    let (first, last) = (PriceTokens.numbers.lowerBound, PriceTokens.numbers.upperBound)
    return try connection.run(
      """
      SELECT CASE
          WHEN listed = ARRAY[coarse_price_token(\(PriceTokens.ofProduct)), \(PriceTokens.ofProduct)]
          THEN 1::bigint ELSE 0::bigint END
      FROM product JOIN (
        SELECT product, ARRAY(SELECT gram FROM unnest(grams) AS gram
          WHERE gram BETWEEN \(first) AND \(last) ORDER BY gram) AS listed
        FROM product_search) AS priced ON product.id = priced.product
      ORDER BY product.id
      """
    ).map { $0.integer(0) == 1 }
  }

  @Test func `a row has the tokens of its price, whatever of it is edited`()
    async throws
  {
    let (store, connection) = try await open()
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
      try expect(areRight(connection), [true], "\(patch)")
    }
    _ = try await store.change(
      SellerIdentifier(secret: "tokens"), SellerChange(name: "Renamed"))
    try expect(areRight(connection), [true])
  }

  @Test func `rows that are added many at once have the tokens of their prices`() async throws {
    let (store, connection) = try await open()
    let hash = try await PasswordHasher(cost: .least).hash(Password("tokens"))

    try await store.generate(100, pictures: [], passwordHash: hash) { _ in }

    try expect(areRight(connection), Array(repeating: true, count: 100))
  }

  @Test func `a word whose hash is by chance a token is found whatever it costs`()
    async throws
  {
    let (store, _) = try await open()
    // Found by trying all pairs of syllables.
    let word = "뛇왦"
    let hashes = GramHashes.wanted(by: LetterPattern.letters(of: Array(word.unicodeScalars)))
    #expect(hashes.contains { PriceTokens.numbers.contains($0) })
    let id = try await store.register(
      .sample(name: "\(word) lamp", price: 1_000, password: "right"), by: seller
    ).id
    let request = PageRequest(query: ProductQuery(text: word))

    try await expect(store.page(request).products.map(\.id), [id])
    _ = try await store.update(
      id, with: ProductPatch(priceHundredths: 900_000), password: Password("right"), by: seller,
      expecting: nil)
    try await expect(store.page(request).products.map(\.id), [id])
  }

  @Test func `tokens rise with the price within a currency, and the currencies stand apart`()
    async throws
  {
    let (_, connection) = try await open()
    let prices: [Int64] = [
      0, 1, 9, 10, 19, 20, 99, 100, 12_345, 99_999, 100_000, 199_999, 900_000_000_000,
      99_999_999_999_999, 100_000_000_000_000, .max,
    ]

    let tokens = try ["KRW", "USD"].flatMap { currency in
      try prices.map { price in
        try connection.key(
          "SELECT price_token($1, $2)::bigint", [.text(currency), .integer(price)])
      }
    }

    expect(tokens, tokens.sorted())
    #expect(Set(tokens.prefix(prices.count)).isDisjoint(with: tokens.dropFirst(prices.count)))
    expect(Set(tokens.prefix(prices.count)).count, 14)
    let numbers = Int64(PriceTokens.numbers.lowerBound)...Int64(PriceTokens.numbers.upperBound)
    #expect(tokens.allSatisfy(numbers.contains))
  }
}
