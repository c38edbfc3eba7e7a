package import MarketModel

/// Product list of a market, with the detail of the selection, live changes and reconnection.
///
/// It forwards commands and events: `list` holds rows and selection, `reader` loads them, and the
/// observers react to both.
package final class BrowserModel: Layer {
  /// Layout of the product list.
  package nonisolated enum Arrangement: String, Hashable, Sendable {
    case grid
    case list
  }

  @Observed package private(set) var arrangement: Arrangement
  package let list: BrowsedList
  package let spinner: Spinner
  package let detail: DetailModel
  /// Live changes of the market.
  package let live: LiveMarket
  /// Seen products, from which new ones and changed prices follow.
  package let seenTracker: SeenTracker
  /// Queries with one filter less, offered where nothing was found.
  package let wider: WiderQueries
  /// Share of the market file's products, 0 to 1, that are indexed for searches; nil if all are.
  @Observed package var indexedShare: Double?
  /// Sizes of the panes.
  package let viewStates: ViewStateModel
  /// Own products that are selected for a bulk edit.
  package let marked = MarkedProducts()

  package let notices = NoticeBoard()

  /// Favorites of the market; nil before `join`.
  private(set) var favorites: MarketFavorites?

  private let contact: ConnectionStatus
  let reader: ListReader
  let observers = ListObservers()
  private let registered: RegisteredRow

  package init(
    repository: any ProductRepository, seen: (any ProductCache)? = nil,
    changes: (any ChangeSource)? = nil, arrangement: Arrangement,
    pageSize: Int, clock: any Clock<Duration>, viewStates: ViewStateModel = ViewStateModel(),
    jitter: Jitter = .random
  ) {
    self.arrangement = arrangement
    self.viewStates = viewStates
    list = BrowsedList(pageSize: pageSize)
    spinner = Spinner(clock: clock)
    contact = ConnectionStatus(
      Reconnection(clock: clock, jitter: jitter, observers: observers), to: list,
      observers: observers)
    reader = ListReader(
      list, from: repository, seen: seen, contact: contact,
      tasks: FeedTasks(spinner: spinner, clock: clock), observers: observers, notices: notices)
    live = LiveMarket(
      changes, of: list, by: reader, contact: contact, observers: observers, clock: clock,
      jitter: jitter)
    detail = DetailModel(
      repository: repository, seen: seen, clock: clock, connection: contact, observers: observers)
    seenTracker = SeenTracker(list, by: reader, detail: detail, notices: notices, clock: clock)
    registered = RegisteredRow(list, notices: notices)
    wider = WiderQueries(of: list, by: reader)
    observers.add([self, live, detail, seenTracker, registered, wider])
  }

  /// Adds observers, and sets the seller's account, nil without selling, and the favorites.
  func join(
    _ others: [any ListObserver], account: SellerAccountModel?, favorites: MarketFavorites
  ) {
    observers.add(others)
    reader.account = account
    self.favorites = favorites
  }

  package var feed: ProductFeed { list.feed }
  package var viewport: Viewport { list.viewport }
  /// The selected product; nil if its row is not loaded.
  package var selected: ListedProduct? { list.selected }
  /// Capabilities of the repository; nil until it has reported them.
  package var capabilities: RepositoryCapabilities? { reader.capabilities }
  /// The market's repository, which other layers use as well.
  var repository: any ProductRepository { reader.repository }
  /// Retries while the market does not answer.
  package var reconnection: Reconnection { contact.reconnection }

  /// Loads the first page and the capabilities, and follows changes after the page.
  package func start() { start(feed.query) }

  /// Starts with a query.
  func start(_ query: ProductQuery) {
    reader.start(query)
    live.startBehindFirstPage()
    reader.askCapabilitiesFirst()
  }

  /// Selects the product of a position, or its row if the product is gone.
  func restore(to place: NavigationState) {
    guard place.row > 0 || place.product != nil else { return }
    list.begin(returnTo: place.row, of: place.product)
    reader.goOnToGoal()
    reader.didMove()
  }

  /// Pauses live changes and retries; called when the market is not on the screen.
  func rest() {
    reconnection.rest()
    seenTracker.rest()
    live.stop()
  }

  /// Resumes live changes and retries.
  func wake() {
    reconnection.wake()
    live.resume()
  }

  /// Cancels all requests and releases the observers; called when the market is closed.
  func stop() {
    reader.cancelAll()
    wider.cancel()
    detail.cancel()
    rest()
    observers.end()
  }

  // MARK: Moving

  /// Ends a jump that is still loading pages; called for each key.
  package func didPressKey() {
    list.didPressKey()
    seenTracker.didPressKey()
    registered.didPressKey()
  }

  package func move(_ move: Viewport.Move, times: Int = 1) {
    if move == .last { return reader.jumpToEnd() }
    switch list.move(move, times: times) {
    case .moved: reader.didMove()
    case .beyond(let target): reader.jump(to: target)
    case .toEnd: reader.goOnToGoal()
    }
  }

  package func select(_ index: Int) { reader.select(index) }

  /// Selects a row; without pages by number, at most `Jump.maxRows` further rows are read for it.
  package func jump(to index: Int) { reader.jump(to: index) }

  package func scroll(by rows: Int) {
    list.scroll(by: rows)
    reader.didMove()
  }

  // MARK: Arranging

  /// Switches between grid and list and saves the choice; the selected product stays.
  package func toggleArrangement() {
    arrange(as: arrangement == .grid ? .list : .grid)
    viewStates.choose(arrangement, for: \.arrangement)
  }

  /// Sets the arrangement without saving it.
  package func arrange(as arrangement: Arrangement) {
    if arrangement != self.arrangement { self.arrangement = arrangement }
  }

  /// Sets the layout of the screen, in products and rows; `scrollStep` is the number of rows that a
  /// step off the screen scrolls.
  package func didLayOut(columns: Int, visibleRows: Int, scrollStep: Int = 1) {
    if list.reshape(columns: columns, visibleRows: visibleRows, scrollStep: scrollStep) {
      reader.loadAhead()
    }
  }

  // MARK: Queries

  /// Shows a query; the old rows stay until its first page arrives.
  package func show(_ query: ProductQuery) {
    guard query != feed.query || feed.isStale else { return }
    reader.cancelAll()
    wider.cancel()
    contact.setNeedsReport()
    if list.restoreShown(query) { return showWhatIsThere() }
    reader.start(query)
  }

  package var place: BrowsedList.Position { list.place }

  /// Restores a snapshot with its rows; does nothing if the list has had no other query since.
  package func restore(_ place: BrowsedList.Position) {
    guard !list.isAt(place) else { return }
    reader.cancelAll()
    wider.cancel()
    if list.restore(place) { showWhatIsThere() } else { reader.start(place.query) }
  }

  /// Continues with the rows that are loaded.
  private func showWhatIsThere() {
    spinner.stop()
    live.didReturn()
    reader.didMove()
    if reconnection.phase == .asking { askAgain() }
  }

  /// Whether a search, sellers or filters narrow the list.
  package var showsLess: Bool { feed.query.isNarrowed }

  /// Shows the selected one of the wider queries.
  package func showWider() {
    let choices = wider.choices
    if choices.indices.contains(wider.selected) { show(choices[wider.selected].query) }
  }

  /// Removes search, sellers and filters; the order stays.
  package func showAll() { show(feed.query.unnarrowed) }

  // MARK: Reloading

  /// Reloads the detail, the first page and the visible rows.
  package func refresh() {
    detail.reload()
    refreshRows()
  }

  /// Loads the pending new products; the selection stays.
  package func takeNewcomers() { if !live.pendingProducts.isEmpty { refreshRows() } }

  private func refreshRows() {
    reportPending()
    reader.readAgain()
  }

  /// Retries the failed page or detail; reloads the rows if nothing failed.
  package func retry() {
    reportPending()
    askAgain()
  }

  private func reportPending() {
    contact.reportPending()
    live.reconnectNow()
  }

  /// Stops a scan of the market's pages; the rows stay.
  package func stopScan() { reader.stopScan() }

  /// Continues a stopped scan.
  package func resumeScan() { reader.goOn() }

  /// Requests failed or cached parts again.
  ///
  /// If there are none, live changes are checked, which moves no rows, unless the user asked for a
  /// reload.
  private func askAgain() {
    let isDetailDue = detail.isDue
    if isDetailDue { detail.reload() }
    if reader.areRowsDue {
      reader.readDueRows()
    } else if live.isFollowed, !contact.needsReport {
      live.catchUp()
    } else if !isDetailDue {
      reader.readAgain()
    }
  }

  // MARK: Changes by this program

  /// Adds a registered product: at the top if `isOnTop`, else where the market lists it.
  ///
  /// The selection stays.
  package func didRegister(_ detail: ProductDetail, isOnTop: Bool) {
    observers.tell(.changedHere(.registered(detail)))
    if isOnTop { list.putOnTop(detail.product) }
    // A reload would begin the scan again.
    if feed.scan == nil { reader.readAgain() }
  }

  /// Selects a registered product as soon as a page contains it; if none does, a notice says so.
  package func goToRegistered(_ detail: ProductDetail) {
    registered.begin(detail)
    reader.goOnToGoal()
    reader.didMove()
    registered.didRead(isTop: false)
  }

  /// Replaces a product in its row; nothing moves.
  package func didChange(_ detail: ProductDetail) {
    list.replaceRows(with: [detail.product])
    observers.tell(.changedHere(.changed(detail)))
  }

  /// Removes a product; its neighbor is selected.
  func didDelete(_ id: Product.ID) {
    observers.tell(.changedHere(.deleted(id)))
    list.removeRow(of: id)
    reader.didMove()
  }
}

extension BrowserModel: ListObserver {
  func didReceive(_ news: ListNews) {
    switch news {
    case .countdownEnded: askAgain()
    case .marketAnswered:
      if detail.isDue { detail.reload() }
      if reader.areRowsDue { reader.readDueRows() }
    case .changedHere, .changed, .readRows, .reserved, .gone, .readDetail: break
    }
  }
}
