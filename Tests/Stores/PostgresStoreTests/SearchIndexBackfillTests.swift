import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// Search rows that a server of an older version has written, which folded texts in another way.
@Suite(.cluster, .timeLimit(.minutes(1))) struct SearchIndexBackfillTests {
  private static let names = [
    "자전거 도로 지도", "Café Müller", "İstanbul kilim", "L’Oréal", "ＦＵＬＬ　ｗｉｄｔｈ", "plain mug",
  ]
  /// What finds these as they were folded before, and what does since.
  private static let formerWords = ["자전거 도로", "Café", "İstanbul", "L’Oréal", "ＦＵＬＬ", "mug"]
  private static let words = ["자전거도로", "cafe", "ISTANBUL", "l'oreal", "full", "mug"]

  /// A server of before, over tables that are there; it writes no rows anew.
  private func before(_ address: String) -> PostgresMarketStore {
    var options = PostgresMarketStore.Options.forTests
    options.tokenizer = SearchTokenizer().former
    return PostgresMarketStore.standingIn(
      at: address, pictureProcessor: PassThroughPictureProcessor(), options: options)
  }

  /// Takes from rows the hash that an older server does not write, and where `isOlder` those of the
  /// parts of syllables.
  private func age(
    _ rows: String, isOlder: Bool = false, over connection: PostgresConnection
  ) throws {
    try connection.execute(
      "UPDATE product_search SET grams = array_remove(grams, 1296388181) WHERE \(rows)")
    guard isOlder else { return }
    let found = try connection.run(
      PostgresStatement("SELECT product, words FROM product_search WHERE \(rows)"))
    let grams = found.map { row in
      let hashes = SearchTokenizer().former.words(of: row.text(1)).flatMap { word in
        word.indices.flatMap { start in
          (1...3).flatMap { size in
            GramHashes.wanted(by: word[start...].prefix(size).map(LetterPattern.exactly))
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

  private func unfolded(over connection: PostgresConnection) throws -> Int64? {
    try connection.run(
      PostgresStatement("SELECT count(*) FROM product_search WHERE \(GramHashes.isUnfolded)")
    ).first?.integer(0)
  }

  private func found(_ text: String, in store: PostgresMarketStore) async throws -> Set<Int64> {
    let page = try await store.page(PageRequest(query: ProductQuery(text: text), size: 100))
    return Set(page.products.map(\.id.rawValue))
  }

  @Test(arguments: [false, true])
  func `searches find what they found before old rows are written anew, meanwhile and afterwards`(
    isOlder: Bool
  ) async throws {
    let (_, address) = try await TestCluster.emptyMarket()
    let before = before(address)
    let hash = try await PasswordHasher(cost: .least).hash(Password("renewal"))
    // More than are renewed at once.
    try await before.generate(1_200, pictures: [], passwordHash: hash) { _ in }
    let connection = try PostgresConnection(to: address)
    try age("true", isOlder: isOlder, over: connection)
    let queries =
      ["자전거", "거", "red", "r", "ㅈㅈㄱ", "ㅈ", "노트붘", "노트부", "노틉", "노트ㅂ", "ㅋㅂㄷ"].map {
        ProductQuery(text: $0)
      } + [
        ProductQuery(text: "ㅈㅈㄱ", order: .cheapest), ProductQuery(text: "자전거", filters: [.inStock]),
        ProductQuery(text: "ㅈㅈ", phrases: ["미개봉"]), ProductQuery(without: ["자전거"]),
      ]
    var expected: [ProductPage] = []
    for query in queries { expected.append(try await before.page(PageRequest(query: query))) }
    #expect(try unfolded(over: connection) ?? 0 > 500)

    let store = try await PostgresMarketStore.open(at: address)
    try await store.renewIndex()
    #expect(try unfolded(over: connection) == 0)
    try age("product % 2 = 0", isOlder: isOlder, over: connection)

    for (query, page) in zip(queries, expected) {
      #expect(try await store.page(PageRequest(query: query)) == page, "\(query)")
      #expect(try await before.page(PageRequest(query: query)) == page, "\(query)")
    }
  }

  @Test func `what servers of today and of before write side by side is found by both`()
    async throws
  {
    let (store, address) = try await TestCluster.emptyMarket()
    let before = before(address)
    let connection = try PostgresConnection(to: address)
    var both: [Set<Int64>] = []
    var ids: [[Int64]] = [[], []]
    for name in Self.names {
      let old = try await before.register(.sample(name: name)).id
      let new = try await store.register(.sample(name: name)).id
      both.append([old.rawValue, new.rawValue])
      ids[0].append(old.rawValue)
      ids[1].append(new.rawValue)
    }
    try age("product % 2 = 1", over: connection)

    for (word, ids) in zip(Self.formerWords, both) {
      #expect(try await found(word, in: before) == ids, "\(word)")
      #expect(try await found(word, in: store) == ids, "\(word)")
    }
    try await store.renewIndex()
    for (words, ids) in zip(zip(Self.formerWords, Self.words), both) {
      #expect(try await found(words.0, in: before) == ids, "\(words.0)")
      #expect(try await found(words.0, in: store) == ids, "\(words.0)")
      #expect(try await found(words.1, in: store) == ids, "\(words.1)")
    }
    let phrase = ProductQuery(phrases: ["자전거 도로"])
    #expect(try await before.exactTotal(of: phrase) == 2)
    #expect(try await store.exactTotal(of: phrase) == 2)
    #expect(try await store.exactTotal(of: ProductQuery(without: ["cafe", "도로지도"])) == 8)

    // Each changes what the other one wrote.
    for (writer, others) in [(before, ids[1]), (store, ids[0])] {
      for (id, name) in zip(others, Self.names.reversed()) {
        _ = try await writer.update(
          Product.ID(rawValue: id), with: ProductPatch(name: name), password: Password("secret"),
          by: .guest, expecting: nil)
      }
    }
    try age("product % 2 = 0", over: connection)
    try await store.renewIndex()
    for (index, ids) in both.reversed().enumerated() {
      #expect(try await found(Self.formerWords[index], in: before) == ids)
      #expect(try await found(Self.words[index], in: store) == ids)
    }
  }

  @Test func `what a server of before writes is written anew while somebody searches`() async throws
  {
    let (store, address) = try await TestCluster.emptyMarket()
    let before = before(address)
    let id = try await before.register(.sample(name: "Café")).id.rawValue
    try age("true", over: try PostgresConnection(to: address))

    try await poll { try await found("cafe", in: store) == [id] }

    #expect(try await found("Café", in: before) == [id])
    #expect(store.indexing.present == nil)
  }
}
