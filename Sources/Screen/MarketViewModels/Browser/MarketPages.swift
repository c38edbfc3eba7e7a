internal import MarketModel

/// Pages of a market as a browser asks for them: where the market does not tell products by seller,
/// those that were registered from here stand for the seller's.
struct MarketPages {
  let repository: any ProductRepository
  /// What the market can do; nil until it has said so.
  let capabilities: RepositoryCapabilities?
  /// The latest last.
  let registered: [Product.ID]

  /// Whether a query is answered by what was registered from here.
  func areRegistered(_ query: ProductQuery) -> Bool {
    !query.sellers.isEmpty && capabilities?.queriesBySeller == false
  }

  func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    if request.query.sellers == [.nobody] { return .nothing }
    guard areRegistered(request.query) else { return try await repository.page(request) }
    return try await RegisteredProducts(repository: repository, registered: registered)
      .page(request)
  }
}
