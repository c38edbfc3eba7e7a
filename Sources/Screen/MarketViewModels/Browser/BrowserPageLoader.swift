internal import MarketModel
internal import SafeTextKit

/// Loader of pages for the list.
///
/// It filters on the client what the market cannot filter, and lists the products registered on this
/// computer where the market cannot query by seller.
struct BrowserPageLoader {
  let repository: any ProductRepository
  /// Capabilities of the repository; nil until it has reported them.
  let capabilities: RepositoryCapabilities?
  /// Products registered on this computer, oldest first.
  let registered: [Product.ID]
  /// This computer's seller; nil if nothing was registered.
  let own: Seller.ID?

  /// Whether a query is answered from `registered`.
  func areRegistered(_ query: ProductQuery) -> Bool {
    guard let capabilities, !query.sellers.isEmpty, !capabilities.queriesBySeller else {
      return false
    }
    return !capabilities.scannable.contains(.seller) || query.sellers == [own]
  }

  /// Whether a query needs a scan of the market's pages.
  func areScanned(_ query: ProductQuery) -> Bool { !lacking(in: query).isEmpty }

  /// Whether the market can count the products of a query.
  func canCount(_ query: ProductQuery) -> Bool { !areRegistered(query) && !areScanned(query) }

  /// Groups of the own products by state of sale; nil for other queries, or if the market cannot
  /// filter by that state.
  func groups(of query: ProductQuery) -> GroupedProducts? {
    guard let capabilities, let own, query.sellers == [own], !areRegistered(query) else {
      return nil
    }
    return GroupedProducts(query, in: capabilities)
  }

  /// Page from the cache; nil if it is not complete there.
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

  /// Reads a page; `tell` gets the progress of a scan after each of the market's pages.
  /// - Throws: what `ProductRepository.page(_:)` throws; `.cancelled` if the task ends during a scan.
  func page(
    _ request: FeedRequest, telling tell: (ScanProgress) -> Void
  ) async throws(RepositoryError) -> MarketPage {
    try await page(request.page, readsOn: request.purpose == .append, telling: tell)
  }

  /// Reads a page, from at most one page of the market if it has to scan.
  /// - Throws: what `page(_:telling:)` throws.
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

  /// Parts of the query that need a scan; empty if none do, or a scan cannot help, which the market
  /// reports.
  private func lacking(in query: ProductQuery) -> Set<QueryPart> {
    capabilities?.scannedParts(of: query) ?? []
  }
}
