package import MarketModel

/// Screen of a market's products: its list, with the detail of the selection, live changes and
/// reconnection, which observe the list.
package final class BrowserModel: Layer {
  /// Layout of the product list.
  package nonisolated enum Arrangement: String, Hashable, Sendable {
    case grid
    case list
  }

  @Observed package private(set) var arrangement: Arrangement
  package let list: ProductList
  package let detail: DetailModel
  /// Live changes of the market.
  package let live: LiveMarket
  /// Seen products, from which new ones and changed prices follow.
  package let seenTracker: SeenTracker
  /// Queries with one filter less, offered where nothing was found.
  package let wider: WiderQueries
  /// Share of the market file's products, 0 to 1, that are indexed for searches; nil if all are.
  @Observed package var indexedShare: Double?
  /// Product of this market that `&` shows beside the next one; nil for none.
  @Observed var remembered: Product.ID?
  /// Sizes of the panes.
  package let viewStates: ViewStateModel
  /// Own products that are selected for a bulk edit.
  package let marked = MarkedProducts()

  /// Favorites of the market; nil before `join`.
  private(set) var favorites: MarketFavorites?

  private let registered: RegisteredRow

  package init(
    repository: any ProductRepository, seen: (any ProductCache)? = nil,
    changes: (any ChangeSource)? = nil, arrangement: Arrangement,
    pageSize: Int, clock: any Clock<Duration>, viewStates: ViewStateModel = ViewStateModel(),
    jitter: Jitter = .random
  ) {
    self.arrangement = arrangement
    self.viewStates = viewStates
    list = ProductList(
      of: repository, seen: seen, pageSize: pageSize, clock: clock, jitter: jitter)
    live = LiveMarket(changes, of: list, clock: clock, jitter: jitter)
    detail = DetailModel(
      repository: repository, seen: seen, clock: clock, connection: list.connection,
      observers: list.observers)
    seenTracker = SeenTracker(list, detail: detail, clock: clock)
    registered = RegisteredRow(list)
    wider = WiderQueries(of: list)
    list.observers.add([self, live, detail, seenTracker, registered, wider])
  }

  /// Adds observers, and sets the seller's account, nil without selling, and the favorites.
  func join(
    _ others: [any ListObserver], account: SellerAccountModel?, favorites: MarketFavorites
  ) {
    list.observers.add(others)
    list.account = account
    self.favorites = favorites
  }

  package var feed: ProductFeed { list.feed }
  package var viewport: Viewport { list.viewport }
  /// The selected product; nil if its row is not loaded.
  package var selected: ListedProduct? { list.selected }
  /// Capabilities of the repository; nil until it has reported them.
  package var capabilities: RepositoryCapabilities? { list.capabilities }
  /// The market's repository, which other layers use as well.
  var repository: any ProductRepository { list.repository }
  package var spinner: Spinner { list.spinner }
  package var notices: NoticeBoard { list.notices }
  /// Retries while the market does not answer.
  package var reconnection: Reconnection { list.connection.reconnection }

  /// Loads the first page and the capabilities, and follows changes after the page.
  package func start() { start(feed.query) }

  /// Starts with a query.
  func start(_ query: ProductQuery) {
    list.startFirst(query)
    live.startBehindFirstPage()
  }

  /// Selects the product of a position, or its row if the product is gone.
  func restore(to place: NavigationState) {
    guard place.row > 0 || place.product != nil else { return }
    list.jump(backTo: place.row, of: place.product)
  }

  /// Pauses live changes and retries; called when the market is not on the screen.
  func pause() {
    reconnection.pause()
    seenTracker.pause()
    live.stop()
  }

  /// Resumes live changes and retries.
  func wake() {
    reconnection.wake()
    live.resume()
  }

  /// Cancels all requests and releases the observers; called when the market is closed.
  func stop() {
    list.cancelAll()
    wider.cancel()
    detail.cancel()
    pause()
    list.observers.end()
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

  // MARK: Queries

  /// Shows a query; the old rows stay until its first page arrives.
  package func show(_ query: ProductQuery) {
    guard query != feed.query || feed.isStale else { return }
    wider.cancel()
    if list.show(query) { showWhatIsThere() }
  }

  /// Restores a snapshot with its rows; does nothing if the list has had no other query since.
  package func restore(_ snapshot: ProductList.Snapshot) {
    guard !list.isUnchanged(since: snapshot) else { return }
    wider.cancel()
    if list.restore(snapshot) { showWhatIsThere() }
  }

  /// Continues with the rows that are loaded.
  private func showWhatIsThere() {
    spinner.stop()
    live.didReturn()
    list.didMove()
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
    list.reload()
  }

  /// Retries the failed page or detail; reloads the rows if nothing failed.
  package func retry() {
    reportPending()
    askAgain()
  }

  private func reportPending() {
    list.connection.reportPending()
    live.reconnectNow()
  }

  /// Requests failed or cached parts again.
  ///
  /// If there are none, live changes are checked, which moves no rows, unless the user asked for a
  /// reload.
  private func askAgain() {
    let isDetailDue = detail.isDue
    if isDetailDue { detail.reload() }
    if list.areRowsDue {
      list.readDueRows()
    } else if live.isFollowed, !list.connection.needsReport {
      live.catchUp()
    } else if !isDetailDue {
      list.reload()
    }
  }

  // MARK: Changes by this program

  /// Adds a registered product: at the top if `isOnTop`, else where the market lists it.
  ///
  /// The selection stays.
  package func didRegister(_ detail: ProductDetail, isOnTop: Bool) {
    list.observers.report(.changedHere(.registered(detail)))
    if isOnTop { list.putOnTop(detail.product) }
    // A reload would begin the scan again.
    if feed.scan == nil { list.reload() }
  }

  /// Selects a registered product as soon as a page contains it; if none does, a notice says so.
  package func goToRegistered(_ detail: ProductDetail) {
    registered.expect(detail)
    list.continueJump()
    list.didMove()
    registered.didRead(isTop: false)
  }

  /// Passes a key press to the list; one on the `detail` of a registered product does not end the way
  /// to its row.
  func didPressKey(on top: any Layer) {
    if top !== detail || !registered.isWaiting { list.didPressKey() }
  }

  /// Replaces a product in its row; nothing moves.
  package func didChange(_ detail: ProductDetail) {
    list.replaceRows(with: [detail.product])
    list.observers.report(.changedHere(.changed(detail)))
  }

  /// Removes a product; its neighbor is selected.
  func didDelete(_ id: Product.ID) {
    list.observers.report(.changedHere(.deleted(id)))
    list.removeRow(of: id)
  }
}

extension BrowserModel: ListObserver {
  func didReceive(_ news: ListNews) {
    switch news {
    case .countdownEnded: askAgain()
    case .marketAnswered:
      if detail.isDue { detail.reload() }
      if list.areRowsDue { list.readDueRows() }
    case .changedHere, .changed, .readRows, .reserved, .gone, .readDetail: break
    }
  }
}
