internal import MarketModel
internal import SafeTextKit

/// Pages of a market as a browser asks for them: what the market does not answer is sifted, and where
/// it does not tell products by seller, those that were registered from here stand for the seller's.
struct BrowserPageLoader {
  let repository: any ProductRepository
  /// What the market can do; nil until it has said so.
  let capabilities: RepositoryCapabilities?
  /// The latest last.
  let registered: [Product.ID]
  /// Who registered these; nil for nobody.
  let own: Seller.ID?

  /// Whether a query is answered by what was registered from here.
  func areRegistered(_ query: ProductQuery) -> Bool {
    guard let capabilities, !query.sellers.isEmpty, !capabilities.queriesBySeller else {
      return false
    }
    return !capabilities.scannable.contains(.seller) || query.sellers == [own]
  }

  /// Whether the market is read page by page for a query.
  func areScanned(_ query: ProductQuery) -> Bool { !lacking(in: query).isEmpty }

  /// Whether the market itself knows how many products a query finds.
  func canCount(_ query: ProductQuery) -> Bool { !areRegistered(query) && !areScanned(query) }

  /// The groups in which the products of a query are listed: those of the seller's own, as far as the
  /// market knows them apart.
  func groups(of query: ProductQuery) -> GroupedProducts? {
    guard let capabilities, let own, query.sellers == [own], !areRegistered(query) else {
      return nil
    }
    return GroupedProducts(query, in: capabilities)
  }

  /// A page as it was seen; nil where it was not.
  func seenPage(_ request: PageRequest, in seen: any ProductCache) async -> Cached<MarketPage>? {
    guard let groups = groups(of: request.query) else {
      return await seen.cachedPage(request).map {
        Cached(MarketPage(page: $0.value), at: $0.seconds)
      }
    }
    var oldest = Int64.max
    let page = try? await groups.page(request) { request throws(RepositoryError) in
      guard let page = await seen.cachedPage(request) else { throw .notFound }
      oldest = min(oldest, page.seconds)
      return page.value
    }
    return page.map { Cached(MarketPage(page: $0, isGrouped: true), at: oldest) }
  }

  /// Reads a page; `tell` hears how far that is where it takes many of the market's.
  func page(
    _ request: FeedRequest, telling tell: (ScanProgress) -> Void
  ) async throws(RepositoryError) -> MarketPage {
    try await page(request.page, readsOn: request.purpose == .append, telling: tell)
  }

  /// Reads one page, and no more of the market's than it takes.
  func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await page(request, readsOn: false) { _ in }.page
  }

  private func page(
    _ request: PageRequest, readsOn: Bool, telling tell: (ScanProgress) -> Void
  ) async throws(RepositoryError) -> MarketPage {
    if request.query.sellers == [.nobody] { return MarketPage(page: .nothing) }
    if areRegistered(request.query) { return MarketPage(page: try await registeredPage(request)) }
    if let groups = groups(of: request.query) {
      var page = try await groups.page(request, reading: repository.page)
      if request.position == .first, page.total == .unknown {
        page.total = (try? await repository.total(of: request.query)) ?? .unknown
      }
      return MarketPage(page: page, isGrouped: true)
    }
    let lacking = lacking(in: request.query)
    guard !lacking.isEmpty else { return MarketPage(page: try await repository.page(request)) }
    return try await ClientFilteredProducts(repository: repository, lacking: lacking)
      .page(request, readsOn: readsOn, telling: tell)
  }

  private func registeredPage(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    var page = try await LocalSellerProducts(repository: repository, registered: registered)
      .page(request)
    let sieve = ProductFilterEvaluator(
      request.query, parts: request.query.parts.subtracting([.seller]))
    page.products = page.products.filter(sieve.keeps)
    return page
  }

  /// The parts that have to be sifted; none where that does not help, which the market then says.
  private func lacking(in query: ProductQuery) -> Set<QueryPart> {
    capabilities?.scannedParts(of: query) ?? []
  }
}
