package import MarketModel

/// Other products of the open product's seller, and similar ones of others, read after a delay; none if
/// the market cannot query them.
package final class OtherProducts {
  @Observed private var found:
    (product: Product.ID, products: [ListedProduct], total: ProductTotal)?
  /// Similar products of other sellers, the most similar first.
  @Observed private var foundSimilar: (product: Product.ID, products: [ListedProduct])?
  private let repository: any ProductRepository
  private let clock: any Clock<Duration>
  package private(set) var isReading = false
  /// Product for which they are shown or being read; nil for none.
  private var wanted: Product.ID?
  private var task: Task<Void, Never>?

  /// Time for which a product must be open before they are read.
  package static let restDelay = Duration.milliseconds(350)
  /// Maximum number of products, including the open one.
  private static let pageSize = 10
  private static let similarPageSize = 20

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

  /// Products similar to a product; empty if unknown or there are none.
  package func similar(to product: Product.ID) -> [ListedProduct] {
    foundSimilar.flatMap { $0.product == product ? $0.products : nil } ?? []
  }

  /// Reads the products of a seller, and those of `similar`, unless that was done; nil leaves either
  /// out.
  func read(besides product: Product, bySeller: Bool = true, similar: ProductQuery? = nil) {
    guard product.id != wanted, bySeller || similar != nil else { return }
    cancel()
    wanted = product.id
    isReading = true
    task = Task.immediate {
      defer { if !Task.isCancelled { isReading = false } }
      try? await clock.sleep(for: Self.restDelay)
      guard !Task.isCancelled else { return }
      if bySeller {
        let request = PageRequest(
          query: ProductQuery(sellers: [product.seller.id]), size: Self.pageSize)
        guard let page = try? await repository.page(request), !Task.isCancelled else { return }
        let others = page.products.filter { $0.id != product.id }
        found = others.isEmpty ? nil : (product.id, others.map(ListedProduct.init), page.total)
      }
      guard let similar else { return }
      let request = PageRequest(query: similar, size: Self.similarPageSize)
      guard let page = try? await repository.page(request), !Task.isCancelled else { return }
      let products = SimilarProducts.sorted(page.products, like: product)
      foundSimilar = products.isEmpty ? nil : (product.id, products.map(ListedProduct.init))
    }
  }

  /// Cancels the request; loaded products stay until the next one.
  func cancel() {
    task?.cancel()
    (wanted, isReading) = (nil, false)
  }

  /// Cancels the request and clears the products; called when the detail is closed.
  func clear() {
    cancel()
    if found != nil { found = nil }
    if foundSimilar != nil { foundSimilar = nil }
  }
}
