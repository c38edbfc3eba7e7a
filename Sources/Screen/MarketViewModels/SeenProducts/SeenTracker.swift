package import MarketModel

/// Tracker of seen products: which are new since the last visit, and which prices have changed.
///
/// A product counts as seen after a second on the screen.
///
/// One timer runs while a visible product has to be recorded. The store is queried after the first
/// frame, once for each page, and keys do not wait for it.
package final class SeenTracker: ListObserver {
  @Observed private(set) var state = SeenState()
  /// Prices of the product in the detail; nil until they are read.
  @Observed package private(set) var history: PriceHistory?
  /// End of the last visit; nil until it is read, and without one.
  package var lastVisit: Timestamp? { state.visit?.ended }

  private enum Phase { case waiting, opening, open }

  private let list: ProductList
  private let detail: DetailModel
  private let clock: any Clock<Duration>
  private var personal: PersonalData?
  private var market = MarketKey.local
  private var now: () -> Timestamp = { Timestamp(seconds: 0) }
  private var phase = Phase.waiting
  /// Products on the screen.
  private var shown: [Product] = []
  private var timer: Task<Void, Never>?
  /// Product whose prices are shown or being read; nil for none.
  private var wantedHistory: Product.ID?
  private var search: NewSearch?

  /// Time on the screen after which a product counts as seen.
  private static let glance = Duration.seconds(1)

  init(
    _ list: ProductList, detail: DetailModel, clock: any Clock<Duration>
  ) {
    self.list = list
    self.detail = detail
    self.clock = clock
  }

  /// Sets the store and the market.
  func join(_ personal: PersonalData, market: MarketKey, now: @escaping () -> Timestamp) {
    self.personal = personal
    self.market = market
    self.now = now
  }

  private var store: (any PersonalDataStore)? { personal?.store }

  // MARK: State

  /// Number of new products; nil if there are none.
  package var newCount: NewCount? { state.count }

  package func isNew(_ id: Product.ID) -> Bool { state.fresh.contains(id) }

  /// Price to pay before this visit; nil if it is unknown.
  package func previousPrice(of id: Product.ID) -> Money? { state.previousPrice(of: id) }

  // MARK: Events of the list

  /// Sets the products of the next frame: those of the list, or that of the detail.
  package func didLayOut(showsList: Bool) {
    guard store != nil else { return }
    let product = detail.product
    if showsList {
      let feed = list.feed
      show(list.viewport.visible.compactMap { feed[$0]?.product })
    } else {
      show(detail.isShown ? [product?.product].compactMap(\.self) : [])
    }
    if detail.isShown, let product { readHistory(of: product.id) }
  }

  /// Sets the products on the screen.
  func show(_ products: [Product]) {
    let isOther = !products.elementsEqual(shown) { $0.id == $1.id }
    shown = products
    if isOther { stopTimer() }
    guard phase == .open else { return readLastVisit() }
    startTimer()
  }

  /// Queries the store about newly loaded rows.
  func didRead(isTop: Bool) { learn() }

  /// Queries the store about rows that it was not asked for.
  private func learn() {
    guard phase == .open, let store else { return }
    let unknown = state.ask(for: list.feed.rows)
    guard !unknown.isEmpty else { return didLearn() }
    Task.immediate {
      let seenProducts = await store.seenProducts(of: unknown, in: market, before: lastVisit)
      state.add(seenProducts, of: unknown)
      didLearn()
    }
  }

  func didReceive(_ news: ListNews) {
    if case .changedHere(.registered(let detail)) = news { state.didRegister(detail.id) }
  }

  /// Stops the timer; called when the market is not on the screen.
  func pause() {
    stopTimer()
    shown = []
    search = nil
  }

  /// Reads the last visit again, after personal data was moved to this market.
  func restart() {
    guard phase == .open else { return }
    phase = .waiting
    state = SeenState()
    wantedHistory = nil
    readLastVisit()
  }

  /// Compares the visit with the store: after half an hour without a key another one has begun, and
  /// another program may have marked all as seen.
  func didNoteVisit() {
    guard phase == .open, let store else { return }
    Task.immediate {
      let visit = await store.lastVisit(to: market)
      guard phase == .open, let visit, visit != state.visit else { return }
      guard visit.ended == lastVisit else { return restart() }
      if let newest = visit.newest { state.markAllSeen(through: newest) }
    }
  }

  /// Reads the last visit from the store, after the first frame.
  private func readLastVisit() {
    guard phase == .waiting, !shown.isEmpty, let store else { return }
    phase = .opening
    Task {
      let visit = await store.lastVisit(to: market)
      phase = .open
      state.startVisit(after: visit)
      learn()
    }
  }

  /// Updates the count and the timer after a query.
  private func didLearn() {
    update()
    startTimer()
    if search != nil, !state.isAsking { goOn() }
  }

  /// Updates the number of new products, if the list has all products, newest first.
  private func update() {
    guard list.feed.showsNewestOfAll else { return }
    state.update(list.feed.head, isWhole: list.feed.phase == .ended)
  }

  // MARK: Seeing

  private func startTimer() {
    guard timer == nil else { return }
    let (state, now) = (state, now())
    guard shown.contains(where: { state.isDue($0, at: now) }) else { return }
    timer = Task {
      try? await clock.sleep(for: Self.glance)
      if !Task.isCancelled { didLook() }
    }
  }

  private func stopTimer() {
    timer?.cancel()
    timer = nil
  }

  /// Records the products that were on the screen for a second.
  private func didLook() {
    timer = nil
    let now = now()
    let due = shown.filter { state.isDue($0, at: now) }
    guard !due.isEmpty, let store else { return }
    state.record(due, at: now)
    let seen = due.map { SeenProduct(id: $0.id, price: $0.pricing.price?.toPay) }
    Task.immediate {
      await store.didSee(seen, in: market)
      guard let id = wantedHistory, due.contains(where: { $0.id == id }) else { return }
      wantedHistory = nil
      readHistory(of: id)
    }
  }

  // MARK: Prices

  private func readHistory(of id: Product.ID) {
    guard phase == .open, id != wantedHistory, let store else { return }
    wantedHistory = id
    if history?.id != id, history != nil { history = nil }
    Task.immediate {
      let points = await store.prices(of: id, in: market)
      guard wantedHistory == id else { return }
      let history = PriceHistory(id: id, points: points)
      if history != self.history { self.history = history }
    }
  }
}

// MARK: Moving to new products

/// Search for a new product that loads further rows.
private struct NewSearch {
  /// Index of the row at which it began.
  let start: Int
  /// Number of key presses at its begin; a further one ends it.
  let keyPresses: Int
}

extension SeenTracker {
  /// Maximum number of rows that are searched for one key.
  private static let reach = 2_000

  /// Selects the next new product, loading rows until there is one; a notice appears if there is
  /// none.
  package func goToNext() {
    search = NewSearch(start: list.viewport.selected, keyPresses: list.keyPresses)
    goOn()
  }

  /// Selects the new product before the selected one.
  package func goToPrevious() {
    let selected = list.viewport.selected
    let near = max(0, selected - Self.reach)..<selected
    let head = 0..<min(near.lowerBound, list.feed.head.count)
    let index = [near, head].lazy.compactMap { rows in rows.last { self.isNew(at: $0) } }.first
    guard let index else { return announceNone() }
    list.select(index)
  }

  private func isNew(at index: Int) -> Bool {
    list.feed[index].map { isNew($0.id) } ?? false
  }

  private func goOn() {
    guard let search, search.keyPresses == list.keyPresses else { return }
    let feed = list.feed
    let start = search.start + 1
    let rows = start..<max(start, min(feed.count, start + Self.reach))
    if let index = rows.first(where: { isNew(at: $0) }) {
      self.search = nil
      return list.select(index)
    }
    if state.isAsking { return }
    guard mayHoldMore(feed), (1..<ProductList.maxJump).contains(feed.head.count - search.start)
    else {
      self.search = nil
      if list.viewport.selected != search.start { list.select(search.start) }
      return announceNone()
    }
    list.jump(to: feed.head.count)
  }

  private func announceNone() { list.notices.show(.hint(.nothingNew)) }

  /// Whether rows that are not loaded may be new.
  private func mayHoldMore(_ feed: ProductFeed) -> Bool {
    guard phase == .open, let newest = state.newest, !feed.hasReadEnd, feed.failure == nil else {
      return false
    }
    guard feed.shownQuery.order == .newest, let first = feed.head.first, let last = feed.head.last
    else { return true }
    return last.id > newest || last.id > first.id
  }

  /// Marks all current products of the market as seen.
  package func markAllSeen() {
    guard let store, let newest = state.newest else { return announceNone() }
    let (known, waiting) = (state.count, list.changes.pendingProducts)
    let count = NewCount(
      count: (known?.count ?? 0) + waiting.count, isMore: known?.isMore == true || waiting.hasMore)
    guard known != nil || !waiting.isEmpty else { return announceNone() }
    let loaded = list.feed.rows.map(\.id).max() ?? newest
    state.markAllSeen(through: loaded)
    list.notices.show(.markedSeen(count))
    let isAtTop = list.feed.showsNewestOfAll && waiting.isEmpty
    Task.immediate {
      let found = isAtTop ? nil : await newestOfAll()
      let through = max(loaded, found ?? loaded)
      state.markAllSeen(through: through)
      await store.didSeeAll(through: through, in: market)
    }
  }

  /// Newest product of the market; nil if it does not answer.
  private func newestOfAll() async -> Product.ID? {
    let first = PageRequest(query: ProductQuery(), size: list.feed.pageSize)
    return try? await list.repository.page(first).products.map(\.id).max()
  }
}

extension ProductFeed {
  /// Whether the list begins with the newest products of the whole market.
  fileprivate var showsNewestOfAll: Bool {
    !isStale && seenAt == nil && shownQuery == ProductQuery()
  }
}
