package import MarketModel

/// Other products of the open product's seller, read after a delay; none if the market cannot query
/// them.
package final class OtherProducts {
  @Observed private var found:
    (product: Product.ID, products: [ListedProduct], total: ProductTotal)?
  private let repository: any ProductRepository
  private let clock: any Clock<Duration>
  /// Product for which they are shown or being read; nil for none.
  private var wanted: Product.ID?
  private var task: Task<Void, Never>?

  /// Time for which a product must be open before they are read.
  package static let restDelay = Duration.milliseconds(350)
  /// Maximum number of products, including the open one.
  private static let pageSize = 10

  init(repository: any ProductRepository, clock: any Clock<Duration>) {
    self.repository = repository
    self.clock = clock
  }

  /// Other products of the seller of `product`, and the number of all including it; nil if unknown or
  /// there are none.
  package func others(
    besides product: Product.ID
  ) -> (products: [ListedProduct], total: ProductTotal)? {
    found.flatMap { $0.product == product ? ($0.products, $0.total) : nil }
  }

  /// Reads the products of a seller, unless that was done.
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

  /// Cancels the request; loaded products stay until the next one.
  func cancel() {
    task?.cancel()
    wanted = nil
  }

  /// Cancels the request and clears the products; called when the detail is closed.
  func clear() {
    cancel()
    if found != nil { found = nil }
  }
}
