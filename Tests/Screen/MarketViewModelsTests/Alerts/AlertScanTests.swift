import Expectations
import MarketModel
import MarketViewModels
import PersonalStore
import SellingTestSupport
import TestSupport
import Testing

/// What is told of the products of a seller or a search, however many there are and however they
/// change.
struct AlertScanTests {
  private nonisolated static let below = Alert.Condition.below(
    Money(hundredths: 10_000_00, currency: .krw))
  private nonisolated static let conditions: [Alert.Condition] = [
    .anythingNew, .backInStock, below,
  ]

  /// An alert for cups in a market, and everything that was told of it.
  private final class WatchedMarket {
    let store = PersonalFile.inMemory()
    let market: ChangingMarket
    private(set) var told: [Int64] = []
    /// Hits of each check, by their counts.
    private(set) var counts: [[Int]] = []

    init(_ market: ChangingMarket, _ condition: Alert.Condition, line: String = "cup") async {
      self.market = market
      _ = await store.add(
        Alert(market: .local, subject: .search(line), name: "cups", condition: condition))
    }

    var state: Alert.State {
      get async { await store.alerts()[0].state }
    }

    /// One check, with so many pages of so many products.
    @discardableResult
    func check(pages: Int = .max, of size: Int = 3) async throws -> [Int64] {
      var triggeredAlerts: [TriggeredAlert] = []
      _ = try await AlertCheck(market, as: market, now: Timestamp(seconds: 0), pageSize: size)
        .check(for: await store.alerts(), atMost: pages) { [store] observation in
          let found = await store.record([observation])
          for triggered in found { triggeredAlerts.add(triggered) }
          return found.first
        }
      counts.append(triggeredAlerts.map(\.count))
      let numbers = triggeredAlerts.flatMap(\.products).map(\.rawValue)
      told += numbers
      return numbers.sorted()
    }
  }

  private nonisolated static func isCup(_ product: Product) -> Bool { product.name.contains("cup") }

  private nonisolated static func isCheap(_ product: Product) -> Bool {
    product.pricing.price.map { $0.toPay.hundredths < 10_000_00 } ?? false
  }

  private nonisolated static func product(_ id: Int64, using random: inout SeededRandom) -> Product
  {
    .sample(
      id: id, name: Bool.random(using: &random) ? "cup" : "lamp",
      price: Int64.random(in: 8...11, using: &random) * 1_000,
      stock: Int64.random(in: 0...1, using: &random))
  }

  private nonisolated static func products(using random: inout SeededRandom) -> [Product] {
    (1...Int64.random(in: 1...40, using: &random)).map { product($0, using: &random) }
  }

  /// Lists, deletes and edits some products.
  private nonisolated static func change(
    _ products: inout [Product], using random: inout SeededRandom
  ) {
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      switch Int.random(in: 0...3, using: &random) {
      case 0:
        let last = products.map(\.id.rawValue).max() ?? 0
        products.append(product(last + Int64.random(in: 1...2, using: &random), using: &random))
      case 1:
        // What was deleted last keeps its number: numbers are never used again.
        guard let index = products.dropLast().indices.randomElement(using: &random) else {
          continue
        }
        products.remove(at: index)
      default:
        guard let index = products.indices.randomElement(using: &random) else { continue }
        products[index] = product(products[index].id.rawValue, using: &random)
      }
    }
  }

  // MARK: Laws

  /// What is told at a check that reads everything, by the plainest reading of the rules.
  private struct Oracle {
    let condition: Alert.Condition
    var holds: [Int64: Bool] = [:]
    var isFirst = true

    mutating func told(_ products: [Product]) -> [Int64] {
      defer { isFirst = false }
      return products.filter(isCup).compactMap { product in
        let now =
          switch condition {
          case .anythingNew: true
          case .backInStock: !product.isSoldOut
          case .below: isCheap(product) && !product.isSoldOut
          }
        let before = holds.updateValue(now, forKey: product.id.rawValue)
        let counts = before == false || before == nil && condition != .backInStock
        return now && counts && !isFirst ? product.id.rawValue : nil
      }.sorted()
    }
  }

  @Test(arguments: conditions, ChangingMarket.Kind.allCases)
  func `every product that fulfils an alert at a check is told at that check, once`(
    condition: Alert.Condition, kind: ChangingMarket.Kind
  ) async throws {
    for seed in UInt64(1)...20 {
      var random = SeededRandom(seed: seed)
      let market = ChangingMarket(
        kind,
        (1...Int64.random(in: 1...40, using: &random)).map { Self.product($0, using: &random) })
      let watch = await WatchedMarket(market, condition)
      var oracle = Oracle(condition: condition)

      for _ in 0..<20 {
        let expected = oracle.told(await market.products)
        let told = try await watch.check(of: Int.random(in: 1...9, using: &random))
        expect(told, expected, "seed \(seed)")
        let next = SeededRandom(seed: random.next())
        await market.change { products in
          var random = next
          Self.change(&products, using: &random)
        }
      }
      #expect(watch.counts.allSatisfy { $0.count <= 1 })
    }
  }

  @Test(arguments: ChangingMarket.Kind.allCases)
  func `with few pages a check and two programs at once everything new is told in the end, once`(
    kind: ChangingMarket.Kind
  ) async throws {
    for seed in UInt64(1)...20 {
      var random = SeededRandom(seed: seed)
      let market = ChangingMarket(
        kind,
        (1...Int64.random(in: 1...40, using: &random)).map { Self.product($0, using: &random) })
      let watch = await WatchedMarket(market, .anythingNew)
      let size = Int.random(in: 1...5, using: &random)
      let old = Set(await market.products.filter(Self.isCup).map(\.id.rawValue))
      while await !watch.state.knowsAll { try await watch.check(pages: 2, of: size) }

      for _ in 0..<20 {
        await market.changeBehindPages(
          (0..<3).map { _ in
            let seed = random.next()
            return { products in
              var random = SeededRandom(seed: seed)
              Self.change(&products, using: &random)
            }
          })
        let pages = Int.random(in: 1...3, using: &random)
        async let other = watch.check(pages: pages, of: size)
        try await watch.check(pages: pages, of: size)
        _ = try await other
      }
      await market.changeBehindPages([])
      for _ in 0..<200 { try await watch.check(pages: 2, of: size) }

      let now = Set(await market.products.filter(Self.isCup).map(\.id.rawValue))
      let told = Set(watch.told)
      let twice = watch.told.count - told.count
      let (wrong, untold) = (told.intersection(old), now.subtracting(old).subtracting(told))
      #expect(twice == 0 && wrong == [] && untold == [], "seed \(seed)")
    }
  }

  @Test(arguments: [("", 5), ("cup", 5)])
  func `a hundred thousand new products are one triggered alert`(
    line: String, old: Int64
  ) async throws {
    let market = ChangingMarket(.own, (1...old).map { .sample(id: $0, name: "cup") })
    let watch = await WatchedMarket(market, .anythingNew, line: line)
    try await watch.check(pages: AlertCheck.usualRequests)

    await market.change { products in
      products = (1...(old + 20_000)).map { .sample(id: $0, name: "cup") }
    }
    let told = try await watch.check(pages: AlertCheck.usualRequests, of: 500)
    let again = try await watch.check(pages: AlertCheck.usualRequests, of: 500)

    expect(watch.counts, [[], [20_000], []])
    expect(told, Array((old + 1)...(old + 20_000)))
    expect(again, [])
  }

  // MARK: Cases

  @Test func `where no edit brings a product in, a check reads as far as the last known one`()
    async throws
  {
    let market = ChangingMarket(.own, Product.samples(1...100))
    let watch = await WatchedMarket(market, .anythingNew, line: "@#0")
    try await watch.check()
    try await watch.check()

    await expect(market.pageCount, 2)
    await expect(watch.state.products, [:])
  }

  @Test func `an imported alert tells once what is newer than it knew, and nothing that was there`()
    async throws
  {
    let cups = (1...20).map { Product.sample(id: $0, name: "cup", price: 9_000) }
    for condition in [Alert.Condition.anythingNew, Self.below] {
      let market = ChangingMarket(.own, cups)
      let watch = await WatchedMarket(market, condition)
      var alert = await watch.store.alerts()[0]
      alert.state = Alert.State(newest: Product.ID(rawValue: 15))
      _ = await watch.store.add(alert)

      let told = try await watch.check(pages: 2)
      for _ in 0..<20 { try await watch.check(pages: 2) }

      expect(told, [16, 17, 18, 19, 20])
      expect(watch.told.count, 5)
    }
  }

  @Test func `of another market at the same address nothing is known, and nothing old is told`()
    async throws
  {
    let market = ChangingMarket(.own, (1...9).map { .sample(id: $0, name: "cup") })
    let watch = await WatchedMarket(market, .anythingNew)
    try await watch.check(pages: 2)

    await market.becomeAnother((1...30).map { .sample(id: $0, name: "cup") })
    while await !watch.state.knowsAll { try await watch.check(pages: 2) }
    await market.change { $0.append(.sample(id: 31, name: "cup")) }
    try await watch.check(pages: 2)

    expect(watch.told, [31])
  }

  @Test func `what is read before a market goes is noted, and the rest when it is back`()
    async throws
  {
    let market = ChangingMarket(.own, (1...9).map { .sample(id: $0, name: "cup") })
    let watch = await WatchedMarket(market, .anythingNew)
    try await watch.check()
    await market.change { $0 += (10...30).map { .sample(id: $0, name: "cup") } }

    await market.fail(.unreachable(.refused))
    await #expect(throws: RepositoryError.unreachable(.refused)) { try await watch.check() }
    await market.fail(nil)
    let told = try await watch.check()

    expect(told, Array(10...30))
  }

  @Test func `a place that the market does not know any more begins the round again`()
    async throws
  {
    let market = ChangingMarket(.own, (1...30).map { .sample(id: $0, name: "cup") })
    let watch = await WatchedMarket(market, .anythingNew)
    let alert = await watch.store.alerts()[0]
    var page = AlertObservation(alert.id, await market.products.suffix(3))
    page.isLast = false
    page.after = Alert.Position(
      top: Product.ID(rawValue: 30), next: .after(PageCursor(rawValue: "gone")))
    _ = await watch.store.record([page])

    try await watch.check(pages: 1)
    let location = await watch.state.position
    while await !watch.state.knowsAll { try await watch.check(pages: 2) }
    await market.change { $0.append(.sample(id: 31, name: "cup")) }
    try await watch.check()

    expect(location, nil)
    expect(watch.told, [31])
  }

  @Test func `a seller whom nobody knows yet is told from the first product on`() async throws {
    let market = ChangingMarket(.own, [.sample(id: 1)])
    let watch = await WatchedMarket(market, .anythingNew, line: "@Hana")
    try await watch.check()

    let hana = Seller(id: Seller.ID(rawValue: 7), name: "Hana")
    await market.change { $0.append(.sample(id: 2, seller: hana)) }
    try await watch.check()

    expect(watch.told, [2])
  }

  @Test func `what is sold out is asked for where it is to come back`() async throws {
    let market = ChangingMarket(.own, [.sample(id: 1, name: "cup", stock: 0)])
    let watch = await WatchedMarket(market, .backInStock, line: "cup stock sort:price-asc")
    try await watch.check()
    await expect(market.lastQuery, ProductQuery(text: "cup"))

    await market.change { $0 = [.sample(id: 1, name: "cup", stock: 1)] }
    try await watch.check()

    expect(watch.told, [1])
  }
}
