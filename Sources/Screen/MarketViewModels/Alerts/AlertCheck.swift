package import MarketModel
internal import SafeTextKit

/// Check of all alerts of one market, with a limited number of requests.
///
/// For a seller or a search, the pages are read newest first: each check reads what is new since the
/// last one, then continues a scan of all pages, which takes as many checks as it needs. Each page is
/// stored before the next one is read.
package struct AlertCheck {
  /// Unit of requests.
  private enum Question {
    case products([Product.ID])
    case product(Product.ID)
    /// Pages of a seller or a search.
    case pages(Alert)
  }

  /// Stores the observation of a page; returns the alert that it triggered, nil for none.
  package typealias Note = (AlertObservation) async -> TriggeredAlert?

  private let repository: any ProductRepository
  private let identity: (any IdentifiedMarket)?
  private let now: Timestamp
  private let pageSize: Int?
  private let end: ContinuousClock.Instant?

  /// Maximum number of requests of one check, beside those for new products, while the program is in
  /// use.
  package static let usualRequests = 20
  /// Rows of a page, with paging by cursor and by number.
  private static let (pageByCursor, pageByNumber) = (500, 100)

  /// Makes a check of one market.
  ///
  /// - Parameters:
  ///   - repository: the market.
  ///   - identity: reads the market's own id; nil if it has none.
  ///   - now: reference time for ages in a search.
  ///   - pageSize: rows of a page; nil for the default of the market's paging.
  ///   - end: time after which no further page is requested; nil for no limit.
  package init(
    _ repository: any ProductRepository, as identity: (any IdentifiedMarket)? = nil,
    now: Timestamp, pageSize: Int? = nil, until end: ContinuousClock.Instant? = nil
  ) {
    self.repository = repository
    self.identity = identity
    self.now = now
    self.pageSize = pageSize
    self.end = end
  }

  private var isOver: Bool { end.map { ContinuousClock.now >= $0 } ?? false }

  /// Checks the alerts with at most `limit` requests; further rounds continue with those that were
  /// left out.
  ///
  /// Alerts that the market cannot answer are skipped.
  ///
  /// - Returns: the first error if the check is incomplete; nil if it is complete.
  /// - Throws: what `capabilities()` throws; the first error if nothing was stored at all, but never
  ///   `.notFound` or `.unsupported`.
  package func check(
    for alerts: [Alert], atMost limit: Int = usualRequests, round: Int = 0, note: Note
  ) async throws(RepositoryError) -> RepositoryError? {
    let questions = Self.questions(for: alerts, try await repository.capabilities())
    guard !questions.isEmpty else { return nil }
    let start = limit < questions.count ? round * limit % questions.count : 0
    let due = (questions[start...] + questions[..<start]).prefix(limit)
    var (failure, hasReceived): (RepositoryError?, Bool) = (nil, false)
    let note: Note = { observation in
      hasReceived = true
      return await note(observation)
    }
    asking: for question in due {
      guard !hasReceived || !isOver else { break }
      do throws(RepositoryError) {
        switch question {
        case .products(let ids): try await check(for: alerts, at: ids, note)
        case .product(let id):
          let product = try await product(id)
          await self.observe(
            [product].compactMap(\.self), without: product == nil ? [id] : [], for: alerts, note)
        case .pages(let alert): try await follow(alert, pages: max(1, limit / due.count), note)
        }
        hasReceived = true
      } catch {
        switch error {
        case .notFound, .unsupported: continue
        // After an unusable answer the other requests may still succeed.
        case .badAnswer: failure = failure ?? error
        default:
          failure = error
          break asking
        }
      }
    }
    if let failure, !hasReceived { throw failure }
    return failure
  }

  private static func questions(
    for alerts: [Alert], _ capabilities: RepositoryCapabilities
  ) -> [Question] {
    var (ids, pages): (Set<Product.ID>, [Question]) = ([], [])
    for alert in alerts {
      if case .product(let id) = alert.subject {
        ids.insert(id)
      } else {
        pages.append(.pages(alert))
      }
    }
    let sorted = ids.sorted()
    let products =
      capabilities.parts.contains(.ids)
      ? stride(from: 0, to: sorted.count, by: ProductQuery.maxIDs).map { start in
        Question.products(Array(sorted[start...].prefix(ProductQuery.maxIDs)))
      } : sorted.map(Question.product)
    return products + pages
  }

  // MARK: Products

  private func check(
    for alerts: [Alert], at ids: [Product.ID], _ note: Note
  ) async throws(RepositoryError) {
    let query = ProductQuery(ids: ids)
    let page = try await repository.page(PageRequest(query: query, size: ids.count))
    // An unreadable row may be of any product.
    let missing = page.unreadableRows > 0 ? [] : Set(ids).subtracting(page.products.map(\.id))
    await self.observe(page.products, without: missing, for: alerts, note)
  }

  /// The product; nil if it was deleted.
  private func product(_ id: Product.ID) async throws(RepositoryError) -> Product? {
    do throws(RepositoryError) { return try await repository.detail(of: id).product } catch {
      guard error == .notFound else { throw error }
      return nil
    }
  }

  private func observe(
    _ products: [Product], without missing: Set<Product.ID>, for alerts: [Alert], _ note: Note
  ) async {
    let products = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
    let id = await marketID()
    for alert in alerts {
      guard case .product(let number) = alert.subject else { continue }
      let product = products[number]
      guard product != nil || missing.contains(number) else { continue }
      var observation = AlertObservation(alert.id, [product].compactMap(\.self))
      observation.isDeleted = product == nil
      observation.marketID = id
      _ = await note(observation)
    }
  }

  private func marketID() async -> MarketID? { (try? await identity?.marketID()) ?? nil }
}

// MARK: Sellers and searches

extension AlertCheck {
  /// Parts of a query whose result does not change when a product is edited.
  private static let fixedParts: Set<QueryPart> = [.seller, .since, .ids]

  /// Query of a seller or a search, without the parts that the market cannot evaluate; nil if no
  /// seller has the name in the search.
  private func query(
    for alert: Alert, _ capabilities: RepositoryCapabilities
  ) async throws(RepositoryError) -> (
    asked: ProductQuery, evaluator: ProductFilterEvaluator, isFixed: Bool
  )? {
    var query: ProductQuery
    switch alert.subject {
    case .product(let id): query = ProductQuery(ids: [id])
    case .seller(let id): query = ProductQuery(sellers: [id])
    case .search(let line):
      let request = SearchRequest(reading: line)
      let (ids, _) = try await SellerNames(repository: repository).ids(in: request)
      guard !ids.isEmpty || request.sellers.isEmpty else { return nil }
      query = request.query(sellers: ids, now: now)
    }
    query.order = .newest
    // Sold-out products have to be seen, so that their return is recognized.
    if alert.condition == .backInStock { query.filters.subtract([.inStock, .available]) }
    guard let lacking = capabilities.scannedParts(of: query) else { throw .unsupported }
    // A server that ignores the seller in a query sends the products of all.
    let evaluator = ProductFilterEvaluator(query, parts: lacking.union([.seller]))
    let isFixed = alert.condition == .anythingNew && query.parts.isSubset(of: Self.fixedParts)
    for part in lacking { query.remove(part) }
    return (query, evaluator, isFixed)
  }

  /// Reads the pages of one alert: the new ones, then at most `limit` of the scan.
  private func follow(
    _ alert: Alert, pages limit: Int, _ note: Note
  ) async throws(RepositoryError) {
    let capabilities = try await repository.capabilities()
    guard let (query, evaluator, isFixed) = try await query(for: alert, capabilities) else {
      // If a seller takes this name later, all its products are new.
      _ = await note(AlertObservation(alert.id, []))
      return
    }
    let size = pageSize ?? (capabilities.paging == .cursor ? Self.pageByCursor : Self.pageByNumber)
    var round = AlertScan(alert, isFixed: isFixed)
    while let position = round.position {
      let page: ProductPage
      do throws(RepositoryError) {
        page = try await repository.page(PageRequest(query: query, position: position, size: size))
      } catch {
        guard error == .unknownCursor else { throw error }
        _ = await note(round.cancel())
        return
      }
      var observation = round.observe(page, of: await marketID())
      observation.products = page.products.filter(evaluator.keeps)
      if let triggered = await note(observation), round.triggered == nil {
        round.triggered = triggered.id
      }
      guard round.mayGoOn(pages: limit), !isOver else { return }
    }
  }
}

/// State of one check of an alert: it reads new pages first, then continues the scan.
private struct AlertScan {
  /// Position of the next page; nil at the end.
  private(set) var position: PagePosition? = .first
  var triggered: TriggeredAlert.ID?

  private let alert: Alert.ID
  private let isFixed: Bool
  private var state: Alert.State
  private var isTop = true
  /// Whether the scan has not been resumed yet.
  private var isAbove: Bool
  private var isOrdered = true
  /// First product of the first page; nil before it.
  private var top: Product.ID?
  /// Number of pages read so far, new ones and others.
  private var (newPages, pages) = (0, 0)
  private var total: ProductTotal?
  private var stepsBack = 0

  /// Maximum number of new pages; the scan reaches the others.
  private static let maxNewPages = 200
  /// Maximum number of times that the previous page is read again because products may have moved to
  /// it.
  private static let maxStepsBack = 3

  init(_ alert: Alert, isFixed: Bool) {
    self.alert = alert.id
    self.isFixed = isFixed
    state = alert.state
    isAbove = alert.state.position != nil
  }

  /// Whether a further page may be read; `limit` applies to pages that are not new.
  func mayGoOn(pages limit: Int) -> Bool { pages < limit && newPages <= Self.maxNewPages }

  /// Advances past a page and returns its observation, without the products.
  mutating func observe(_ page: ProductPage, of market: MarketID?) -> AlertObservation {
    if isTop, state.isKnown(ofOtherThan: market) { (state, isAbove) = (Alert.State(), false) }
    let ids = page.products.map(\.id)
    if isOrdered { isOrdered = seemsOrdered(ids, hasNext: page.next != nil) }
    if isFixed, isOrdered { state.floor = state.floor ?? state.newest ?? ids.first }
    let isNew = isOrdered && Self.lies(ids, above: state.newest)
    let isAtFloor = isOrdered && state.floor != nil && !Self.lies(ids, above: state.floor)
    var observation = AlertObservation(alert, [])
    (observation.isTop, observation.isOrdered) = (isTop, isOrdered)
    observation.highest = ids.max()
    (observation.isFixed, observation.marketID) = (isFixed, market)
    (observation.triggered, observation.before) = (triggered, state.position)
    observation.isLast = page.next == nil || isAtFloor
    if isNew { newPages += 1 } else if !isAbove { pages += 1 }
    position = observation.isLast ? nil : next(behind: page, isNew: isNew)
    observation.after = state.position
    isTop = false
    return observation
  }

  /// Ends the scan at a position that the market does not know any more.
  func cancel() -> AlertObservation {
    var observation = AlertObservation(alert, [])
    (observation.isTop, observation.isLast) = (false, false)
    observation.before = state.position
    return observation
  }

  /// Whether a page is in order of age: some markets claim so and are not.
  private mutating func seemsOrdered(_ ids: [Product.ID], hasNext: Bool) -> Bool {
    guard zip(ids, ids.dropFirst()).allSatisfy({ $0 > $1 }) else { return false }
    if isTop {
      top = ids.first
      return ids.count > 1 || !hasNext
    }
    guard let top, let first = ids.first, position != .number(1) else { return true }
    return first <= top
  }

  /// Whether all ids of a page are above a bound; false if it is empty or there is no bound.
  private static func lies(_ ids: [Product.ID], above bound: Product.ID?) -> Bool {
    guard let bound, let lowest = ids.min() else { return false }
    return lowest > bound
  }

  private mutating func next(behind page: ProductPage, isNew: Bool) -> PagePosition? {
    if isAbove, let location = state.position {
      guard !isNew || newPages >= Self.maxNewPages else { return page.next }
      isAbove = false
      // Products may have moved to the page before in the meantime.
      return Self.earlier(location.next, by: 1)
    }
    let hasFallen = hasFallen(page.total)
    guard let next = hasFallen ? page.next.map({ Self.earlier($0, by: 2) }) : page.next else {
      return nil
    }
    let top = state.position?.top ?? page.products.map(\.id).max() ?? Product.ID(rawValue: 0)
    state.position = Alert.Position(top: top, next: next)
    return next
  }

  /// Whether the count has fallen, so that products may have moved to the page before.
  private mutating func hasFallen(_ now: ProductTotal) -> Bool {
    defer { total = now }
    guard case .exactly(let now) = now, case .exactly(let before)? = total, now < before,
      stepsBack < Self.maxStepsBack
    else { return false }
    stepsBack += 1
    return true
  }

  /// The position some pages earlier, for pages by number; others are still valid.
  private static func earlier(_ position: PagePosition, by pages: Int) -> PagePosition {
    guard case .number(let number) = position else { return position }
    return .number(max(1, number - pages))
  }
}
