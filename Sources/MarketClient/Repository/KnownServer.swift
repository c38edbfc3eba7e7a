import MarketAPI
import MarketModel

/// What is known of a server once it has answered.
struct KnownServer: Sendable {
  let generation: APIGeneration
  /// Whether it announces the additions of our own server.
  let isExtended: Bool

  init(_ generation: APIGeneration, isExtended: Bool) {
    self.generation = generation
    self.isExtended = isExtended
  }

  var dialect: any MarketDialect { products ?? ItemsDialect() }

  /// The dialect that knows sellers and deletes in two steps; nil where the server speaks of items.
  var products: ProductsDialect? {
    switch generation {
    case .items: nil
    case .products2022: ProductsDialect(variant: .y2022)
    case .products2023: ProductsDialect(variant: .y2023)
    }
  }

  var capabilities: RepositoryCapabilities { dialect.capabilities(extended: isExtended) }
}
