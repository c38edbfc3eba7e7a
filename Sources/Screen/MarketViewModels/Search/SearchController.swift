package import EditorKit
package import MarketModel

/// Search of a market, shared by search line and filter dialog: the conversion between requests and
/// queries.
///
/// A query has less than a request: names were resolved to ids, and ages to times. The last request
/// is kept, so that it can be shown as it was typed.
package final class SearchController {
  /// Reason why a part of a request has no effect.
  package enum Note: Hashable, Sendable {
    /// No seller has this name.
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
  /// Places of loaded products.
  private var places: Set<String> = []
  private var task: Task<Void, Never>?
  /// Last request, without parts that the market lacks, and its query.
  @Observed private var latest = (request: SearchRequest(), query: ProductQuery())

  /// Minimum change in seconds before an age is resolved again.
  private static let minStep: Int64 = 60

  package init(
    browser: BrowserModel, clock: any Clock<Duration>, now: @escaping () -> Timestamp
  ) {
    self.browser = browser
    self.clock = clock
    self.now = now
    sellers = SellerNames(repository: browser.repository)
  }

  /// Request of the list's query.
  package var request: SearchRequest { request(for: browser.feed.query) }

  /// Request of a query, as typed if it is known.
  package func request(for query: ProductQuery) -> SearchRequest {
    if query == latest.query { return latest.request }
    var request = SearchRequest(query, now: now())
    if SearchRequest(latest.query, now: now()).terms == request.terms {
      request.terms = latest.request.terms
    }
    if query.since == latest.query.since { request.age = latest.request.age }
    if query.sellers == latest.query.sellers { request.sellers = latest.request.sellers }
    // A list by local registrations has no seller that the market knows.
    if browser.capabilities?.queriesBySeller == false { request.sellers = [] }
    return request
  }

  /// The request with ids replaced by names, as far as loaded rows have them.
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

  /// Reason why the market cannot evaluate a part; nil if it can.
  package func note(for part: QueryPart) -> Note? {
    browser.capabilities?.offers(part) == false ? .unanswered(part) : nil
  }

  /// Reason why the market lacks an order; nil if it does not.
  package func note(for order: ProductOrder) -> Note? {
    let isKnown = browser.capabilities?.orders.contains(order) != false
    return isKnown || order == .newest ? nil : .unsorted(order)
  }

  /// Shows the results of a request, after a pause in which no other one is made.
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

  /// Shows the results at once; for other markets it restores `position` and returns where the
  /// request leads.
  func confirm(_ request: SearchRequest, from position: ProductList.Snapshot) -> SearchExit? {
    guard request.scope != .here else {
      ask(for: request)
      return nil
    }
    leave(to: position)
    return .markets(of: request)
  }

  /// Cancels a pending request and restores a snapshot of the list.
  func leave(to position: ProductList.Snapshot) {
    cancel()
    browser.restore(position)
  }

  /// Cancels a pending request and clears the notes.
  package func cancel() {
    task?.cancel()
    if !notes.isEmpty { notes = [] }
  }

  /// Prepares a search: forgets seller ids, which may have changed, and records the places of loaded
  /// products.
  func prepare() {
    sellers.forget()
    places.formUnion(loadedPlaces)
  }

  private var loadedSellers: [Seller] { browser.feed.head.map(\.product.seller) }

  /// Names of sellers in loaded rows that begin with a text.
  func loadedSellers(beginningWith text: String) -> [String] {
    SellerNames.names(of: loadedSellers, beginningWith: text)
  }

  /// Names of sellers in the market and in loaded rows that begin with a text.
  func sellers(beginningWith text: String) async -> [String] {
    await sellers.names(beginningWith: text, or: loadedSellers)
  }

  /// Places of which a word begins with a text, in the products that are or were loaded.
  func places(beginningWith text: String) -> [String] {
    places.formUnion(loadedPlaces)
    let begun = PlaceKey(text)
    guard begun != nil || text.isEmpty else { return [] }
    var found: [PlaceKey: String] = [:]
    for place in places.sorted() where begun?.beginsWord(of: place) ?? true {
      if let key = PlaceKey(place) { found[key] = found[key] ?? place }
    }
    return found.sorted { $0.key.text < $1.key.text }.map(\.value)
  }

  private var loadedPlaces: [String] { browser.feed.head.compactMap(\.product.place) }

  /// Completion of a typed place; nil if no loaded product has a matching one, or the text is
  /// complete.
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

  /// Query of a request with resolved sellers, which becomes the last request.
  func query(of request: SearchRequest, sellers: [Seller.ID]) -> ProductQuery {
    let query = request.query(sellers: sellers, now: now())
    latest = (request, query)
    return query
  }

  private func show(_ asked: SearchRequest, of ids: [Seller.ID]) {
    var query = asked.query(sellers: ids, now: now())
    // The same age resolved a moment later is no reason to read the list again.
    if asked.age == latest.request.age, let since = query.since, let before = latest.query.since,
      since.seconds - before.seconds < Self.minStep
    {
      query.since = before
    }
    latest = (asked, query)
    browser.show(query)
  }
}

/// Destination of a search that is not about the shown market's products.
package enum SearchExit: Hashable, Sendable {
  /// Markets in the scope of a request.
  case markets(of: SearchRequest)
  /// Product link that was typed in place of a search.
  case link(ProductAddress)
}

extension Navigator {
  /// Opens the destination of a search; nil does nothing.
  package func follow(_ exit: SearchExit?) {
    switch exit {
    case .markets(let request): follow(request)
    case .link(let link): follow(link)
    case nil: break
    }
  }
}
