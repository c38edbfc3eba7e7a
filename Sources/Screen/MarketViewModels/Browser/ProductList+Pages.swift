internal import MarketModel
internal import SafeTextKit

/// Pages of the list from the market, the cache or this computer.
///
/// What the market cannot filter is filtered here, and where the market cannot query by seller, the
/// products registered on this computer are listed.
extension ProductList {
  /// Seller of the own products; nil if nothing was registered on this computer.
  var ownSeller: Seller.ID? {
    guard let account else { return nil }
    if capabilities?.queriesBySeller == true { return account.seller?.id }
    return account.registered.isEmpty ? nil : account.seller?.id ?? Seller.guest.id
  }

  /// Whether a query is answered from the products registered on this computer.
  private func areRegistered(_ query: ProductQuery) -> Bool {
    guard let capabilities, !query.sellers.isEmpty, !capabilities.queriesBySeller else {
      return false
    }
    return !capabilities.scannable.contains(.seller) || query.sellers == [ownSeller]
  }

  /// Parts of the query that need a scan of the market's pages; empty if none do, or a scan cannot
  /// help, which the market reports.
  private func lacking(in query: ProductQuery) -> Set<QueryPart> {
    capabilities?.scannedParts(of: query) ?? []
  }

  /// Whether the market can count the products of a query.
  func canCount(_ query: ProductQuery) -> Bool {
    !areRegistered(query) && lacking(in: query).isEmpty
  }

  /// Groups of the own products by state of sale; nil for other queries, or if the market cannot
  /// filter by that state.
  func groups(of query: ProductQuery) -> GroupedProducts? {
    guard let capabilities, let own = ownSeller, query.sellers == [own], !areRegistered(query)
    else { return nil }
    return GroupedProducts(query, in: capabilities)
  }

  /// Reads a page; `report` gets the progress of a scan after each of the market's pages.
  /// - Throws: what `ProductRepository.page(_:)` throws; `.cancelled` if the task ends during a scan.
  func page(
    _ request: FeedRequest, reporting report: (ScanProgress) -> Void
  ) async throws(RepositoryError) -> MarketPage {
    try await page(request.page, readsOn: request.purpose == .append, reporting: report)
  }

  /// Reads a page, from at most one page of the market if it has to scan.
  /// - Throws: what `page(_:reporting:)` throws.
  func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await page(request, readsOn: false) { _ in }.page
  }

  private func page(
    _ request: PageRequest, readsOn: Bool, reporting report: (ScanProgress) -> Void
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
      .page(request, readsOn: readsOn, reporting: report)
  }

  private func registeredPage(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    let products = LocalSellerProducts(
      repository: repository, registered: account?.registered ?? [])
    var page = try await products.page(request)
    let evaluator = ProductFilterEvaluator(
      request.query, parts: request.query.parts.subtracting([.seller]))
    page.products = page.products.filter(evaluator.keeps)
    return page
  }

  /// Cached page; else, with `searches`, the matches among all cached products, with the number of
  /// these.
  ///
  /// Nil if the cache has neither.
  func seenPage(
    _ request: PageRequest, searches: Bool
  ) async -> (page: Cached<MarketPage>, count: Int?)? {
    guard let seen else { return nil }
    if let page = await seenPage(request, in: seen) { return (page, nil) }
    let query = request.query
    guard searches, query.isNarrowed else { return nil }
    if seenProducts == nil { seenProducts = await seen.cachedProducts() }
    guard let known = seenProducts else { return nil }
    let evaluator = ProductFilterEvaluator(query, parts: query.parts)
    let isGrouped = groups(of: query) != nil
    let finds = known.value.filter(evaluator.keeps).sorted {
      isGrouped ? SaleGroup.precedes($0, $1) : query.order.precedes($0, $1)
    }
    let page = ProductPage(products: finds, total: .exactly(finds.count), next: nil)
    return (
      Cached(MarketPage(page: page, isGrouped: isGrouped), at: known.seconds), known.value.count
    )
  }

  /// Page from the cache; nil if it is not complete there.
  private func seenPage(
    _ request: PageRequest, in seen: any ProductCache
  ) async -> Cached<MarketPage>? {
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
}
