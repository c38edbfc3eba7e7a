import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// Searches that look no further than they have to, beside one that looks everything up.
@Suite(.cluster) struct SearchBoundsTests {
  private static let count = 1_500

  /// So near that most searches of so few products reach them.
  private static let narrow = {
    var bounds = SearchBounds()
    (bounds.looked, bounds.counted, bounds.scanLimit) = (150, 40, 120)
    (bounds.sampledPages, bounds.samplePages, bounds.pricePages) = (40, 10, 40)
    (bounds.near, bounds.priceScanLimit, bounds.minPages) = (150, 40, 0)
    bounds.wordScanLimit = 120
    return bounds
  }()

  private static let words = [
    "a", "r", "거", "ㅈ", "ㅈㅈㄱ", "ㅋㅂㄷ", "자전거", "자저", "키보드", "설명서", "used", "like", "mug", "red",
    "상점", "민수",
  ]

  private func stores() async throws -> (
    whole: PostgresMarketStore, bounded: PostgresMarketStore, String
  ) {
    let (whole, address) = try await TestCluster.emptyMarket()
    let hash = try await PasswordHasher(cost: .least).hash(Password("bounds"))
    try await whole.generate(Self.count, pictures: [], passwordHash: hash) { _ in }
    var options = PostgresMarketStore.Options.forTests
    options.searchBounds = Self.narrow
    let bounded = try await PostgresMarketStore.open(at: address, options)
    return (whole, bounded, address)
  }

  private func query(_ random: inout SeededRandom) -> ProductQuery {
    var query = ProductQuery(
      text: Self.words.randomElement(using: &random) ?? "",
      order: ProductOrder.allCases.randomElement(using: &random) ?? .newest)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: query.price.minimum = 10_000_000
    case 1: query.price = PriceRange(minimum: 2_000_000, maximum: 40_000_000)
    case 2: query.currency = Bool.random(using: &random) ? .krw : .usd
    case 3: query.filters = [ProductFilter.allCases.randomElement(using: &random) ?? .inStock]
    case 4: query.without = ["red"]
    case 5: query.since = Timestamp(seconds: 1_600_000_000)
    default: break
    }
    return query
  }

  @Test func `bounded searches hold the same products, and count no more than there are`()
    async throws
  {
    let (whole, bounded, _) = try await stores()
    var random = SeededRandom(seed: 21)
    var cutCount = 0

    for _ in 1...150 {
      let query = query(&random)
      var request = PageRequest(
        query: query, position: Bool.random(using: &random) ? .first : .number(2), size: 20,
        countsExactly: true)
      for _ in 1...2 {
        let expected = try await whole.page(request)
        let page = try await bounded.page(request)
        expect(page.products, expected.products, "\(request)")
        expect(page.next, expected.next, "\(request)")
        guard case .exactly(let total) = expected.total else {
          Issue.record("\(expected.total)")
          return
        }
        if page.total != expected.total {
          cutCount += 1
          guard case .atLeast(let count) = page.total else {
            Issue.record("\(page.total)")
            return
          }
          #expect(count <= total, "\(request)")
          #expect(count >= min(request.offset + page.products.count, total), "\(request)")
        }
        var brief = request
        brief.countsExactly = false
        var pages: [ProductPage] = []
        for store in [whole, bounded] { pages.append(try await store.page(brief)) }
        for page in pages {
          #expect(page.products == expected.products && page.next == expected.next, "\(brief)")
        }
        #expect(!query.isSearch || pages[0].total == ProductTotal(total, atMost: 1_000), "\(brief)")
        let known = try await bounded.page(request, of: total)
        #expect(known.products == expected.products && known.total == expected.total)
        guard let next = expected.next else { break }
        request = PageRequest(query: query, position: next, size: 7, countsExactly: true)
      }
    }

    #expect(cutCount > 10)
  }

  /// Their first matches stand as close together as if there were thousands.
  @Test func `words that only the oldest products have are counted as they are`() async throws {
    let (market, address) = try await TestCluster.emptyMarket()
    for _ in 1...30 { _ = try await market.register(.sample(name: "zebra")) }
    let hash = try await PasswordHasher(cost: .least).hash(Password("bounds"))
    try await market.generate(Self.count, pictures: [], passwordHash: hash) { _ in }
    var options = PostgresMarketStore.Options.forTests
    (options.searchBounds.scansPerMatch, options.searchBounds.glanced) = (0.026, 20)
    let store = try await PostgresMarketStore.open(at: address, options)

    let page = try await store.page(PageRequest(query: ProductQuery(text: "zebra"), size: 20))

    #expect(page.total == .exactly(30) && page.products.count == 20)
  }

  @Test(arguments: [ProductOrder.cheapest, .priceDescending])
  func `what comes first by price is found by its mark, and never less than that`(
    order: ProductOrder
  ) async throws {
    let (whole, _, address) = try await stores()
    let connection = try PostgresConnection(to: address)
    // What the statement finds by itself, with nothing to fall back on.
    var bounds = Self.narrow
    bounds.near = Self.count
    var fullCount = 0

    for word in Self.words {
      for filters in [[], [ProductFilter.inStock]] as [Set<ProductFilter>] {
        var request = PageRequest(
          query: ProductQuery(text: word, order: order, filters: filters), size: 5)
        for _ in 1...6 {
          let page = try await whole.page(request)
          let near = try found(by: request, within: bounds, over: connection)
          expect(near, page.products.map(\.id).prefix(near.count)[...], "\(request)")
          if near.count == page.products.count { fullCount += 1 }
          guard let next = page.next else { break }
          request.position = next
        }
      }
    }

    #expect(fullCount > 60)
  }

  /// The ids that the marks lead to, at most those of the page.
  private func found(
    by request: PageRequest, within bounds: SearchBounds, over connection: PostgresConnection
  ) throws -> ArraySlice<Product.ID> {
    let query = request.query
    let search = try #require(
      WordSearch(query, tokenizer: SearchTokenizer()))
    let selection = PageSelection(
      order: StoredOrder(query.order), narrowing: ProductConditions(query),
      after: try request.keyBefore(), limit: request.size)
    var parameters = StatementParameters(.postgres)
    let sql = selection.parts[0].near(search, plenty: 2, within: bounds, &parameters)
    return try connection.run(Query(SQL(sql), parameters.values, isPlannedAnew: true))
      .map { Product.ID(rawValue: $0.integer(0)) }[...]
  }
}
