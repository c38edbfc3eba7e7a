package import MarketModel

/// What a person has seen of a market: which products are new since the last visit, whose price moved,
/// and what was on the screen for a second, which is noted.
///
/// One timer waits for what is on the screen now, and for nothing where all of that is noted. The book
/// is asked after the first frame, once for each page, and no key waits for it.
package final class SeenTracker: ListObserver {
  @Observed private(set) var state = SeenState()
  /// The prices of the product in the detail.
  @Observed package private(set) var history: PriceHistory?
  /// When the last visit ended; nil before that is known, and where there was none.
  package var lastVisit: Timestamp? { state.visit?.ended }

  private enum Phase { case waiting, opening, open }

  private let list: BrowsedList
  private let reader: ListReader
  private let detail: DetailModel
  private let notices: NoticeBoard
  private let clock: any Clock<Duration>
  private var personal: PersonalData?
  private var market = MarketKey.local
  private var now: () -> Timestamp = { Timestamp(seconds: 0) }
  private var phase = Phase.waiting
  /// What is on the screen.
  private var shown: [Product] = []
  private var timer: Task<Void, Never>?
  /// The product whose prices are shown or on their way.
  private var wantedHistory: Product.ID?
  private var search: NewSearch?

  /// How long a product is on the screen until it counts as seen.
  private static let glance = Duration.seconds(1)

  init(
    _ list: BrowsedList, by reader: ListReader, detail: DetailModel, notices: NoticeBoard,
    clock: any Clock<Duration>
  ) {
    self.list = list
    self.reader = reader
    self.detail = detail
    self.notices = notices
    self.clock = clock
  }

  /// Says whose list this is, and where what is seen is kept.
  func join(_ personal: PersonalData, market: MarketKey, now: @escaping () -> Timestamp) {
    self.personal = personal
    self.market = market
    self.now = now
  }

  private var store: (any PersonalDataStore)? { personal?.store }

  // MARK: What is shown

  /// How many products are new in this visit; nil where none is.
  package var newCount: NewCount? { state.count }

  package func isNew(_ id: Product.ID) -> Bool { state.fresh.contains(id) }

  /// The price to pay of a product when it was last seen, before this visit.
  package func formerPrice(of id: Product.ID) -> Money? { state.former(of: id) }

  // MARK: What the list does

  /// Says what the next frame shows: the list, or the detail over it.
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

  /// Says which products are on the screen.
  func show(_ products: [Product]) {
    let isOther = !products.elementsEqual(shown) { $0.id == $1.id }
    shown = products
    if isOther { stopTimer() }
    guard phase == .open else { return begin() }
    startTimer()
  }

  /// Pages of the list were read.
  func didRead(isTop: Bool) { learn() }

  /// Asks the book what it knows of the rows of which that is not known yet.
  private func learn() {
    guard phase == .open, let store else { return }
    let unknown = state.ask(for: list.feed.rows)
    guard !unknown.isEmpty else { return didLearn() }
    Task.immediate {
      let seenProducts = await store.seenProducts(of: unknown, in: market, before: lastVisit)
      state.take(seenProducts, of: unknown)
      didLearn()
    }
  }

  func didReceive(_ news: ListNews) {
    if case .changedHere(.registered(let detail)) = news { state.didRegister(detail.id) }
  }

  /// Nobody looks at the list any more.
  func rest() {
    stopTimer()
    shown = []
    search = nil
  }

  /// More is remembered of the market than was known: it is asked for anew.
  func restart() {
    guard phase == .open else { return }
    phase = .waiting
    state = SeenState()
    wantedHistory = nil
    begin()
  }

  /// Compares what is known of the last visit with the book: after half an hour without a key another
  /// visit has begun, and another program may have marked all as seen.
  func didNoteVisit() {
    guard phase == .open, let store else { return }
    Task.immediate {
      let visit = await store.lastVisit(to: market)
      guard phase == .open, let visit, visit != state.visit else { return }
      guard visit.ended == lastVisit else { return restart() }
      if let newest = visit.newest { state.markAllSeen(through: newest) }
    }
  }

  /// A key was pressed: a search for new ones that still reads pages ends where it is.
  func didPressKey() { search = nil }

  /// Opens the book behind the frame that is drawn now.
  private func begin() {
    guard phase == .waiting, !shown.isEmpty, let store else { return }
    phase = .opening
    Task {
      let visit = await store.lastVisit(to: market)
      phase = .open
      state.begin(after: visit)
      learn()
    }
  }

  /// More is known of the rows.
  private func didLearn() {
    update()
    startTimer()
    if search != nil, !state.isAsking { goOn() }
  }

  /// Counts the new ones where the list says how many there are.
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

  /// What is on the screen was there for a while: it is noted, at most once in that time.
  private func didLook() {
    timer = nil
    let now = now()
    let due = shown.filter { state.isDue($0, at: now) }
    guard !due.isEmpty, let store else { return }
    state.note(due, at: now)
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

// MARK: Going to what is new

/// A search for a new product that reads the list on.
private struct NewSearch {
  /// The row from which it began.
  let start: Int
}

extension SeenTracker {
  /// So many rows are looked through for one key: those that have been read around a place.
  private static let reach = 2_000

  /// Goes to the next new product, and reads the list on until there is one; where there is none that is
  /// said.
  package func goToNext() {
    search = NewSearch(start: list.viewport.selected)
    goOn()
  }

  /// Goes to the new product before the selected one.
  package func goToPrevious() {
    let selected = list.viewport.selected
    let near = max(0, selected - Self.reach)..<selected
    let head = 0..<min(near.lowerBound, list.feed.head.count)
    let index = [near, head].lazy.compactMap { rows in rows.last { self.isNew(at: $0) } }.first
    guard let index else { return announceNone() }
    reader.select(index)
  }

  private func isNew(at index: Int) -> Bool {
    list.feed[index].map { isNew($0.id) } ?? false
  }

  private func goOn() {
    guard let search else { return }
    let feed = list.feed
    let start = search.start + 1
    let rows = start..<max(start, min(feed.count, start + Self.reach))
    if let index = rows.first(where: { isNew(at: $0) }) {
      self.search = nil
      return reader.select(index)
    }
    if state.isAsking { return }
    guard mayHoldMore(feed), (1..<Jump.maxRows).contains(feed.head.count - search.start) else {
      self.search = nil
      if list.viewport.selected != search.start { reader.select(search.start) }
      return announceNone()
    }
    reader.jump(to: feed.head.count)
  }

  private func announceNone() { notices.show(.hint(.nothingNew)) }

  /// Whether rows that have not been read may be new.
  private func mayHoldMore(_ feed: ProductFeed) -> Bool {
    guard phase == .open, let newest = state.newest, !feed.hasReadEnd, feed.failure == nil else {
      return false
    }
    guard feed.shownQuery.order == .newest, let first = feed.head.first, let last = feed.head.last
    else { return true }
    return last.id > newest || last.id > first.id
  }

  /// Marks all products as seen that the market has now.
  package func markAllSeen() {
    guard let store, let newest = state.newest else { return announceNone() }
    let (known, waiting) = (state.count, list.changes.pendingProducts)
    let count = NewCount(
      count: (known?.count ?? 0) + waiting.count, isMore: known?.isMore == true || waiting.hasMore)
    guard known != nil || !waiting.isEmpty else { return announceNone() }
    let loaded = list.feed.rows.map(\.id).max() ?? newest
    state.markAllSeen(through: loaded)
    notices.show(.markedSeen(count))
    let isAtTop = list.feed.showsNewestOfAll && waiting.isEmpty
    Task.immediate {
      let found = isAtTop ? nil : await newestOfAll()
      let through = max(loaded, found ?? loaded)
      state.markAllSeen(through: through)
      await store.didSeeAll(through: through, in: market)
    }
  }

  /// The newest product of the market, whatever is shown of it; nil where it does not answer.
  private func newestOfAll() async -> Product.ID? {
    let first = PageRequest(query: ProductQuery(), size: list.feed.pageSize)
    return try? await reader.repository.page(first).products.map(\.id).max()
  }
}

extension ProductFeed {
  /// Whether it begins with the newest products of the whole market.
  fileprivate var showsNewestOfAll: Bool {
    !isStale && seenAt == nil && shownQuery == ProductQuery()
  }
}
