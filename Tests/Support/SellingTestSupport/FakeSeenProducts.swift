import MarketModel

/// What was seen of products, in memory: each answer waits for nothing.
struct FakeSeenProducts {
  private(set) var seenProducts: [Product.ID: SeenRecord]
  private(set) var batches: [[SeenProduct]] = []
  private(set) var through: [Product.ID] = []
  /// How many products each question was about.
  private(set) var questions: [Int] = []
  private let prices: [Product.ID: [PricePoint]]

  init(_ seenProducts: [Product.ID: SeenRecord], prices: [Product.ID: [PricePoint]]) {
    self.seenProducts = seenProducts
    self.prices = prices
  }

  mutating func find(_ products: [Product.ID]) -> [Product.ID: SeenRecord] {
    questions.append(products.count)
    return seenProducts.filter { products.contains($0.key) }
  }

  mutating func add(_ more: [Product.ID: SeenRecord]) { seenProducts.merge(more) { $1 } }

  mutating func see(_ products: [SeenProduct]) { batches.append(products) }

  mutating func markAllSeen(through newest: Product.ID) { through.append(newest) }

  func prices(of product: Product.ID) -> [PricePoint] { prices[product] ?? [] }
}

extension FakePersonalStore {
  package func seenProducts(
    of products: [Product.ID], in market: MarketKey, before visit: Timestamp?
  ) -> [Product.ID: SeenRecord] { seeing.find(products) }

  package func didSee(_ products: [SeenProduct], in market: MarketKey) { seeing.see(products) }

  package func didSeeAll(through newest: Product.ID, in market: MarketKey) {
    seeing.markAllSeen(through: newest)
  }

  package func prices(of product: Product.ID, in market: MarketKey) -> [PricePoint] {
    seeing.prices(of: product)
  }

  /// What was noted as seen, in that order.
  package var seen: [Product.ID] { seeing.batches.flatMap { $0.map(\.id) } }
  package var seenBatches: [[SeenProduct]] { seeing.batches }
  package var seenThrough: [Product.ID] { seeing.through }
  package var seenQuestions: [Int] { seeing.questions }
}
