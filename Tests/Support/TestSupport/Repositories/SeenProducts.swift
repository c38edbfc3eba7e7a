import MarketModel

/// What was read of a repository before: one page for any question, and what it could do.
package struct SeenProducts: ProductCache {
  private let page: ProductPage?
  private let products: [Product]
  private let capabilities: RepositoryCapabilities?

  /// `page` is what was seen of any page, `products` of all.
  package init(
    page: ProductPage? = nil, products: [Product] = [], capabilities: RepositoryCapabilities? = nil
  ) {
    self.page = page
    self.products = products
    self.capabilities = capabilities
  }

  package func cachedCapabilities() async -> RepositoryCapabilities? { capabilities }

  package func cachedPage(_ request: PageRequest) async -> Cached<ProductPage>? {
    page.map { Cached($0, at: 1_000) }
  }

  package func cachedProducts() async -> Cached<[Product]>? {
    products.isEmpty ? nil : Cached(products, at: 1_000)
  }

  package func cachedDetail(of id: Product.ID) async -> Cached<ProductDetail>? { nil }
}
