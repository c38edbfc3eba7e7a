package import MarketModel
internal import SafeTextKit

/// Check of all alerts of one market, with few requests however many there are.
///
/// The products of a seller or a search are gone through page by page, the newest first, in rounds: a
/// look begins with what came since the last one and then goes on with its round, which takes as many
/// looks as it needs. What each page brings is noted before the next one is read.
package struct AlertCheck {
  /// Something that is asked by itself.
  private enum Question {
    case products([Product.ID])
    case product(Product.ID)
    /// The pages of a seller or a search.
    case pages(Alert)
  }

  /// Takes note of a page, and gives what has come of it; nil where that is nothing.
  package typealias Note = (AlertObservation) async -> TriggeredAlert?

  private let repository: any ProductRepository
  private let identity: (any IdentifiedMarket)?
  private let now: Timestamp
  private let pageSize: Int?
  private let end: ContinuousClock.Instant?

  /// Requests of one look while somebody works with the program, beside those for what is new.
  package static let usualRequests = 20
  /// Products of a page where the next one is found by a cursor, and by its number.
  private static let (pageByCursor, pageByNumber) = (500, 100)

  /// - Parameters:
  ///   - repository: the market.
  ///   - identity: says the market's own id; nil where it has none.
  ///   - now: the time from which ages of a search count.
  ///   - pageSize: products of a page; nil leaves that to the way of paging.
  ///   - end: when there is time for no further page; nil is never.
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

  /// Asks the market, with so many requests at most; a further round begins where the one before it
  /// ended.
  ///
  /// What it cannot tell of one alert is left out.
  ///
  /// - Returns: why it did not say all of it; nil where it did.
  /// - Throws: why it says nothing at all.
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
          let product = try await repository.detail(of: id).product
          await self.note([product], for: alerts, note)
        case .pages(let alert): try await follow(alert, pages: max(1, limit / due.count), note)
        }
        hasReceived = true
      } catch {
        switch error {
        case .notFound, .unsupported: continue
        // A market that fails at one thing may tell the others.
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
    await self.note(page.products, for: alerts, note)
  }

  private func note(_ products: [Product], for alerts: [Alert], _ note: Note) async {
    let products = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
    let id = await marketID()
    for alert in alerts {
      guard case .product(let number) = alert.subject, let product = products[number] else {
        continue
      }
      var observation = AlertObservation(alert.id, [product])
      observation.marketID = id
      _ = await note(observation)
    }
  }

  private func marketID() async -> MarketID? { (try? await identity?.marketID()) ?? nil }
}

// MARK: Sellers and searches

extension AlertCheck {
  /// The parts of a query that no edit of a product makes true.
  private static let fixedParts: Set<QueryPart> = [.seller, .since, .ids]

  /// The query for a seller or a search, without the parts that the market does not answer; nil where
  /// nobody has the name that the search says.
  private func query(
    for alert: Alert, _ capabilities: RepositoryCapabilities
  ) async throws(RepositoryError) -> (
    asked: ProductQuery, sieve: ProductFilterEvaluator, isFixed: Bool
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
    // What cannot be had now has to be known to be back one day.
    if alert.condition == .backInStock { query.filters.subtract([.inStock, .available]) }
    guard let lacking = capabilities.scannedParts(of: query) else { throw .unsupported }
    // A server that passes over what it does not know sends everybody's.
    let sieve = ProductFilterEvaluator(query, parts: lacking.union([.seller]))
    let isFixed = alert.condition == .anythingNew && query.parts.isSubset(of: Self.fixedParts)
    for part in lacking { query.remove(part) }
    return (query, sieve, isFixed)
  }

  /// Reads the pages of one alert: what came since the last check, then so many of the round.
  private func follow(
    _ alert: Alert, pages limit: Int, _ note: Note
  ) async throws(RepositoryError) {
    let capabilities = try await repository.capabilities()
    guard let (query, sieve, isFixed) = try await query(for: alert, capabilities) else {
      // Whatever comes from who has this name one day is new.
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
      var observation = round.take(page, of: await marketID())
      observation.products = page.products.filter(sieve.keeps)
      if let triggered = await note(observation), round.triggered == nil {
        round.triggered = triggered.id
      }
      guard round.mayGoOn(pages: limit), !isOver else { return }
    }
  }
}

/// Way of one check through the pages of an alert: first what came since the last check, then the
/// round goes on.
private struct AlertScan {
  /// What is read next; nil at the end.
  private(set) var position: PagePosition? = .first
  var triggered: TriggeredAlert.ID?

  private let alert: Alert.ID
  private let isFixed: Bool
  private var state: Alert.State
  private var isTop = true
  /// Whether the place of the round is still to be gone to.
  private var isAbove: Bool
  private var isOrdered = true
  /// The first product of the first page.
  private var top: Product.ID?
  /// Pages of what came since the last look that were read, and others.
  private var (newPages, pages) = (0, 0)
  private var total: ProductTotal?
  private var stepsBack = 0

  /// Pages of what came since the last look; the round comes to the others.
  private static let maxNewPages = 200
  /// How often one goes back because products may have moved to the page before.
  private static let maxStepsBack = 3

  init(_ alert: Alert, isFixed: Bool) {
    self.alert = alert.id
    self.isFixed = isFixed
    state = alert.state
    isAbove = alert.state.position != nil
  }

  /// Whether a further page is read, where so many beside those of what is new may be.
  func mayGoOn(pages limit: Int) -> Bool { pages < limit && newPages <= Self.maxNewPages }

  /// Goes on behind a page, and says what is to be noted of it but its products.
  mutating func take(_ page: ProductPage, of market: MarketID?) -> AlertObservation {
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

  /// Gives up a place that is none of the market any more.
  func cancel() -> AlertObservation {
    var observation = AlertObservation(alert, [])
    (observation.isTop, observation.isLast) = (false, false)
    observation.before = state.position
    return observation
  }

  /// Whether a page may be one of a market that begins with the newest: some say so and do not.
  private mutating func seemsOrdered(_ ids: [Product.ID], hasNext: Bool) -> Bool {
    guard zip(ids, ids.dropFirst()).allSatisfy({ $0 > $1 }) else { return false }
    if isTop {
      top = ids.first
      return ids.count > 1 || !hasNext
    }
    guard let top, let first = ids.first, position != .number(1) else { return true }
    return first <= top
  }

  /// Whether all products of a page have higher numbers; false of an empty one.
  private static func lies(_ ids: [Product.ID], above bound: Product.ID?) -> Bool {
    guard let bound, let lowest = ids.min() else { return false }
    return lowest > bound
  }

  private mutating func next(behind page: ProductPage, isNew: Bool) -> PagePosition? {
    if isAbove, let location = state.position {
      guard !isNew || newPages >= Self.maxNewPages else { return page.next }
      isAbove = false
      // Products may have moved to the page before since then.
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

  /// Whether there are fewer products than before, so that some may have moved to the page before.
  private mutating func hasFallen(_ now: ProductTotal) -> Bool {
    defer { total = now }
    guard case .exactly(let now) = now, case .exactly(let before)? = total, now < before,
      stepsBack < Self.maxStepsBack
    else { return false }
    stepsBack += 1
    return true
  }

  /// A page that is found by its number, so many before; other positions stay right.
  private static func earlier(_ position: PagePosition, by pages: Int) -> PagePosition {
    guard case .number(let number) = position else { return position }
    return .number(max(1, number - pages))
  }
}
