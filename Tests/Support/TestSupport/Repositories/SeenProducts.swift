import MarketModel

/// What was read of a repository before: one page for any question, and what it could do.
package struct SeenProducts: ProductCache {
  private let page: ProductPage?
  private let products: [Product]
  private let capabilities: RepositoryCapabilities?
  private let seconds: Int64

  /// `page` is what was seen of any page, `products` of all, so many seconds after 1970.
  package init(
    page: ProductPage? = nil, products: [Product] = [], capabilities: RepositoryCapabilities? = nil,
    at seconds: Int64 = 1_000
  ) {
    self.page = page
    self.products = products
    self.capabilities = capabilities
    self.seconds = seconds
  }

  package func cachedCapabilities() async -> RepositoryCapabilities? { capabilities }

  package func cachedPage(_ request: PageRequest) async -> Cached<ProductPage>? {
    page.map { Cached($0, at: seconds) }
  }

  package func cachedProducts() async -> Cached<[Product]>? {
    products.isEmpty ? nil : Cached(products, at: seconds)
  }

  package func cachedDetail(of id: Product.ID) async -> Cached<ProductDetail>? { nil }
}
