package import MarketModel

/// Some other products of the seller of the product that is open: asked for once that rests, and none
/// where the market cannot tell.
package final class OtherProducts {
  @Observed private var found:
    (product: Product.ID, products: [ListedProduct], total: ProductTotal)?
  private let repository: any ProductRepository
  private let clock: any Clock<Duration>
  /// The product beside which they are shown or on their way.
  private var wanted: Product.ID?
  private var task: Task<Void, Never>?

  /// How long a product must be open until they are asked for.
  package static let restDelay = Duration.milliseconds(350)
  /// Products that are asked for.
  private static let pageSize = 10

  init(repository: any ProductRepository, clock: any Clock<Duration>) {
    self.repository = repository
    self.clock = clock
  }

  /// The other products beside one, and how many its seller has with it; nil where that is not known,
  /// or there are none.
  package func others(
    besides product: Product.ID
  ) -> (products: [ListedProduct], total: ProductTotal)? {
    found.flatMap { $0.product == product ? ($0.products, $0.total) : nil }
  }

  /// Asks for the products beside one, unless that is done.
  func read(besides product: Product) {
    guard product.id != wanted else { return }
    cancel()
    wanted = product.id
    task = Task.immediate {
      try? await clock.sleep(for: Self.restDelay)
      guard !Task.isCancelled else { return }
      let request = PageRequest(
        query: ProductQuery(sellers: [product.seller.id]), size: Self.pageSize)
      guard let page = try? await repository.page(request), !Task.isCancelled else { return }
      let others = page.products.filter { $0.id != product.id }
      found = others.isEmpty ? nil : (product.id, others.map(ListedProduct.init), page.total)
    }
  }

  /// Asks no longer; what is there stays until the next product.
  func cancel() {
    task?.cancel()
    wanted = nil
  }

  /// Asks no longer and forgets what is there: no product is open.
  func clear() {
    cancel()
    if found != nil { found = nil }
  }
}
