import MarketModel

/// What was seen of products, in memory: each answer waits for nothing.
struct FakeSights {
  private(set) var sights: [Product.ID: Sight]
  private(set) var batches: [[SeenProduct]] = []
  private(set) var through: [Product.ID] = []
  /// How many products each question was about.
  private(set) var questions: [Int] = []
  private let prices: [Product.ID: [PricePoint]]

  init(_ sights: [Product.ID: Sight], prices: [Product.ID: [PricePoint]]) {
    self.sights = sights
    self.prices = prices
  }

  mutating func find(_ products: [Product.ID]) -> [Product.ID: Sight] {
    questions.append(products.count)
    return sights.filter { products.contains($0.key) }
  }

  mutating func add(_ more: [Product.ID: Sight]) { sights.merge(more) { $1 } }

  mutating func see(_ products: [SeenProduct]) { batches.append(products) }

  mutating func seeAll(through newest: Product.ID) { through.append(newest) }

  func prices(of product: Product.ID) -> [PricePoint] { prices[product] ?? [] }
}

extension FakePersonalBook {
  package func sights(
    of products: [Product.ID], in market: MarketKey, before visit: Timestamp?
  ) -> [Product.ID: Sight] { seeing.find(products) }

  package func didSee(_ products: [SeenProduct], in market: MarketKey) { seeing.see(products) }

  package func didSeeAll(through newest: Product.ID, in market: MarketKey) {
    seeing.seeAll(through: newest)
  }

  package func prices(of product: Product.ID, in market: MarketKey) -> [PricePoint] {
    seeing.prices(of: product)
  }

  /// What was noted as seen, in that order.
  package var seen: [Product.ID] { seeing.batches.flatMap { $0.map(\.id) } }
  package var seenBatches: [[SeenProduct]] { seeing.batches }
  package var seenThrough: [Product.ID] { seeing.through }
  package var sightQuestions: [Int] { seeing.questions }
}
