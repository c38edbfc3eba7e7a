package import EditorKit
package import MarketModel

/// What search line and filter box share: how a request becomes the query that the products are shown
/// by, and the way back.
///
/// A query holds less than what was asked for: names have become numbers, an age a time. What was
/// asked last is remembered, so that it is said again as it was.
package final class SearchController {
  /// What of a request cannot be had.
  package enum Note: Hashable, Sendable {
    /// Nobody of this name sells here.
    case unknownSeller(String)
    /// The sellers could not be looked up.
    case failed(RepositoryError)
    case unanswered(QueryPart)
    case unsorted(ProductOrder)
  }

  @Observed package private(set) var notes: [Note] = []
  package let browser: BrowserModel

  let clock: any Clock<Duration>
  private let now: () -> Timestamp
  private let sellers: SellerNames
  /// Places of products that were loaded.
  private var places: Set<String> = []
  private var task: Task<Void, Never>?
  /// What was asked for last, as far as the market answers it, and what it became.
  @Observed private var latest = (request: SearchRequest(), query: ProductQuery())

  /// Seconds after which an age is counted anew.
  private static let minStep: Int64 = 60

  package init(
    browser: BrowserModel, clock: any Clock<Duration>, now: @escaping () -> Timestamp
  ) {
    self.browser = browser
    self.clock = clock
    self.now = now
    sellers = SellerNames(repository: browser.repository)
  }

  /// What the products are asked for now.
  package var request: SearchRequest { request(for: browser.feed.query) }

  /// What a query is asked for by: as it was said where that is known.
  package func request(for query: ProductQuery) -> SearchRequest {
    if query == latest.query { return latest.request }
    var request = SearchRequest(query, now: now())
    if SearchRequest(latest.query, now: now()).terms == request.terms {
      request.terms = latest.request.terms
    }
    if query.since == latest.query.since { request.age = latest.request.age }
    if query.sellers == latest.query.sellers { request.sellers = latest.request.sellers }
    // Whose products are told by what was registered from here is no seller of the market's.
    if browser.capabilities?.queriesBySeller == false { request.sellers = [] }
    return request
  }

  /// The request with names in the place of numbers, as far as the rows that are loaded tell them.
  package func named(_ request: SearchRequest) -> SearchRequest {
    var named = request
    named.sellers = request.sellers.map { mention in
      guard case .number(let id) = mention,
        let seller = browser.feed.head.first(where: { $0.product.seller.id == id })?.product.seller
      else { return mention }
      return .name(seller.name)
    }
    return named
  }

  /// Why the market cannot answer a part; nil where it can.
  package func note(for part: QueryPart) -> Note? {
    browser.capabilities?.offers(part) == false ? .unanswered(part) : nil
  }

  /// Why the market cannot be read in an order; nil where it can.
  package func note(for order: ProductOrder) -> Note? {
    let isKnown = browser.capabilities?.orders.contains(order) != false
    return isKnown || order == .newest ? nil : .unsorted(order)
  }

  /// Shows what a request finds, after a pause in which nothing else is asked for.
  package func ask(for request: SearchRequest, after pause: Duration = .zero) {
    task?.cancel()
    task = Task.immediate {
      if pause > .zero {
        try? await clock.sleep(for: pause)
        guard !Task.isCancelled else { return }
      }
      await show(request)
    }
  }

  /// Shows at once what a request finds; where it is about other markets, this one goes back to a place.
  func confirm(_ request: SearchRequest, from position: BrowsedList.Position) -> SearchExit? {
    guard request.scope != .here else {
      ask(for: request)
      return nil
    }
    leave(to: position)
    return .markets(of: request)
  }

  /// Asks for nothing any more, and goes back to a place.
  func leave(to position: BrowsedList.Position) {
    cancel()
    browser.restore(position)
  }

  /// Asks for nothing any more that was not shown yet.
  package func cancel() {
    task?.cancel()
    if !notes.isEmpty { notes = [] }
  }

  /// Forgets who sells under which name, for there may be others by now, and notes the places of what is
  /// loaded before it is narrowed.
  func begin() {
    sellers.forget()
    places.formUnion(loadedPlaces)
  }

  /// The sellers of the rows that are loaded.
  private var loadedSellers: [Seller] { browser.feed.head.map(\.product.seller) }

  /// The names of sellers that begin with a text, in those rows that are loaded.
  func loadedSellers(beginningWith text: String) -> [String] {
    SellerNames.names(of: loadedSellers, beginningWith: text)
  }

  /// The same in the market.
  func sellers(beginningWith text: String) async -> [String] {
    await sellers.names(beginningWith: text, or: loadedSellers)
  }

  /// The places that begin with a text, of those products that are loaded or were before they were
  /// narrowed.
  func places(beginningWith text: String) -> [String] {
    places.formUnion(loadedPlaces)
    let begun = PlaceKey(text)
    guard begun != nil || text.isEmpty else { return [] }
    var found: [PlaceKey: String] = [:]
    for place in places.sorted() where begun?.begins(place) ?? true {
      if let key = PlaceKey(place) { found[key] = found[key] ?? place }
    }
    return found.sorted { $0.key.text < $1.key.text }.map(\.value)
  }

  private var loadedPlaces: [String] { browser.feed.head.compactMap(\.product.place) }

  /// What a place becomes of which the beginning is typed; nil where no product that is loaded has one,
  /// or the text is one.
  package func place(begunBy editor: LineEditor) -> String? {
    let text = editor.text
    guard !text.isEmpty, editor.buffer.caret == text.count else { return nil }
    let place = places(beginningWith: text).first
    return place.flatMap(PlaceKey.init) == PlaceKey(text) ? nil : place
  }

  private func show(_ request: SearchRequest) async {
    var notes = QueryPart.allCases.filter(request.parts.contains).compactMap(note)
    var asked = request
    asked.scope = .here
    if let capabilities = browser.capabilities {
      asked = asked.only(capabilities.parts.union(capabilities.scannable))
    }
    if let note = note(for: request.order) {
      notes.append(note)
      asked.order = .newest
    }
    var ids: [Seller.ID] = []
    for mention in asked.sellers {
      switch mention {
      case .number(let id): ids.append(id)
      case .name(let name):
        do throws(RepositoryError) {
          let found = try await sellers.ids(of: name, or: loadedSellers)
          if found.isEmpty { notes.append(.unknownSeller(name)) }
          ids += found
        } catch {
          notes.append(.failed(error))
        }
        guard !Task.isCancelled else { return }
      }
    }
    show(asked, of: asked.sellers.isEmpty || !ids.isEmpty ? ids : [.nobody])
    if notes != self.notes { self.notes = notes }
  }

  /// The query of a request whose sellers are known; the request is what was asked last from now on.
  func query(of request: SearchRequest, sellers: [Seller.ID]) -> ProductQuery {
    let query = request.query(sellers: sellers, now: now())
    latest = (request, query)
    return query
  }

  private func show(_ asked: SearchRequest, of ids: [Seller.ID]) {
    var query = asked.query(sellers: ids, now: now())
    // A moment later the same age begins a moment later, which is no reason to read all again.
    if asked.age == latest.request.age, let since = query.since, let before = latest.query.since,
      since.seconds - before.seconds < Self.minStep
    {
      query.since = before
    }
    latest = (asked, query)
    browser.show(query)
  }
}

/// Where a search leads that is not about the products of the market that is shown.
package enum SearchExit: Hashable, Sendable {
  /// The markets that a request is about.
  case markets(of: SearchRequest)
  /// The product of a link that was typed in the place of a search.
  case link(ProductAddress)
}

extension Navigator {
  /// Goes where a search leads; nil is nowhere else.
  package func follow(_ exit: SearchExit?) {
    switch exit {
    case .markets(let request): follow(request)
    case .link(let link): follow(link)
    case nil: break
    }
  }
}
