package import MarketModel

/// The list of products that a person browses, with what belongs to it: the detail that follows the
/// selection, the market's changes, and the way to a market that does not answer.
///
/// It passes on what people, sellers and the screen do. What the rows are and where one stands in them
/// the list knows, how they are read its reader, and what follows from that its observers.
package final class BrowserModel: Layer {
  /// Arrangement of the products.
  package nonisolated enum Arrangement: String, Hashable, Sendable {
    case grid
    case list
  }

  @Observed package private(set) var arrangement: Arrangement
  package let list: BrowsedList
  package let spinner: Spinner
  package let detail: DetailModel
  /// What changes in the market while one looks.
  package let live: LiveMarket
  /// What was seen of the market, and what is new.
  package let seenTracker: SeenTracker
  /// What would be found with fewer filters, where nothing is.
  package let wider: WiderQueries
  /// Share of the market's products that searches find by the folding of today; nil for all.
  @Observed package var indexedShare: Double?
  /// How large its parts are.
  package let viewStates: ViewStateModel
  /// What a seller has marked among the own products.
  package let marked = MarkedProducts()

  /// What happened last.
  package let notices = NoticeBoard()

  /// What is kept of the market; nil before the market's screens are there.
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

  /// Has others follow the list, and says who sells from here and what is kept of the market.
  func join(
    _ others: [any ListObserver], account: SellerAccountModel?, favorites: MarketFavorites
  ) {
    observers.add(others)
    reader.account = account
    self.favorites = favorites
  }

  package var feed: ProductFeed { list.feed }
  package var viewport: Viewport { list.viewport }
  /// The selected product; nil where its row has not been read.
  package var selected: ListedProduct? { list.selected }
  /// What the repository can do; nil until it has said so.
  package var capabilities: RepositoryCapabilities? { reader.capabilities }
  /// Where the products come from; other layers read there too.
  var repository: any ProductRepository { reader.repository }
  /// Asks again by itself where the market does not answer.
  package var reconnection: Reconnection { contact.reconnection }

  /// Reads the first page, asks what the repository can do, and follows what changes.
  package func start() { start(feed.query) }

  /// The same with a query.
  func start(_ query: ProductQuery) {
    reader.start(query)
    live.startBehindFirstPage()
    reader.askCapabilitiesFirst()
  }

  /// Goes to the product that was selected, or to its row where it is gone.
  func restore(to place: NavigationState) {
    guard place.row > 0 || place.product != nil else { return }
    list.begin(returnTo: place.row, of: place.product)
    reader.goOnToGoal()
    reader.didMove()
  }

  /// Nobody looks at the list: nothing is followed, and nothing asked again by itself.
  func rest() {
    reconnection.rest()
    seenTracker.rest()
    live.stop()
  }

  /// Somebody looks again.
  func wake() {
    reconnection.wake()
    live.resume()
  }

  /// Leaves off everything that is on its way, for nobody will look at it.
  func stop() {
    reader.cancelAll()
    wider.cancel()
    detail.cancel()
    rest()
    observers.end()
  }

  // MARK: Moving

  /// A key was read: a jump that is still loading pages ends where it is.
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

  /// Selects a row; where it can only be reached page by page, these are read, up to a limit.
  package func jump(to index: Int) { reader.jump(to: index) }

  package func scroll(by rows: Int) {
    list.scroll(by: rows)
    reader.didMove()
  }

  // MARK: Arranging

  /// Switches between grid and list; the selected product stays.
  package func toggleArrangement() {
    arrange(as: arrangement == .grid ? .list : .grid)
    viewStates.choose(arrangement, for: \.arrangement)
  }

  /// Shows the products in an arrangement that the next run need not take up.
  package func arrange(as arrangement: Arrangement) {
    if arrangement != self.arrangement { self.arrangement = arrangement }
  }

  /// Says how many products fit on the screen, and how far a step scrolls that leaves it.
  package func didLayOut(columns: Int, visibleRows: Int, scrollStep: Int = 1) {
    if list.reshape(columns: columns, visibleRows: visibleRows, scrollStep: scrollStep) {
      reader.loadAhead()
    }
  }

  // MARK: Queries

  /// Shows another query; the old rows stay until its first page comes.
  package func show(_ query: ProductQuery) {
    guard query != feed.query || feed.isStale else { return }
    reader.cancelAll()
    wider.cancel()
    contact.setNeedsReport()
    if list.restoreShown(query) { return showWhatIsThere() }
    reader.start(query)
  }

  package var place: BrowsedList.Position { list.place }

  /// Goes back to a place with what was loaded there; where it is the present one nothing changes.
  package func restore(_ place: BrowsedList.Position) {
    guard !list.isAt(place) else { return }
    reader.cancelAll()
    wider.cancel()
    if list.restore(place) { showWhatIsThere() } else { reader.start(place.query) }
  }

  /// Goes on with rows that are there, with nothing on its way.
  private func showWhatIsThere() {
    spinner.stop()
    live.didReturn()
    reader.didMove()
    if reconnection.phase == .asking { askAgain() }
  }

  /// Whether a search, a seller or filters keep products from the list.
  package var showsLess: Bool { feed.query.isNarrowed }

  /// Shows what is found without the part that is selected.
  package func showWider() {
    let choices = wider.choices
    if choices.indices.contains(wider.selected) { show(choices[wider.selected].query) }
  }

  /// Shows all products: without search, seller and filters, in the same order.
  package func showAll() { show(feed.query.unnarrowed) }

  // MARK: Asking again

  /// Reads the first page and what is on the screen again.
  package func refresh() {
    detail.reload()
    refreshRows()
  }

  /// Reads what is new into the list; the selected product stays selected.
  package func takeNewcomers() { if !live.pendingProducts.isEmpty { refreshRows() } }

  private func refreshRows() {
    reportPending()
    reader.readAgain()
  }

  /// Asks again for what failed: the page that did not come, or the detail.
  package func retry() {
    reportPending()
    askAgain()
  }

  private func reportPending() {
    contact.reportPending()
    live.reconnectNow()
  }

  /// Stops the sifting of pages for the list; what was found stays.
  package func stopScan() { reader.stopScan() }

  /// Goes on where that was stopped.
  package func resumeScan() { reader.goOn() }

  /// Asks for what failed or is old; where that is nothing, for what is there, which moves nothing
  /// unless somebody asked.
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

  // MARK: What selling does

  /// Takes in a product that was registered just now: on top where the newest stand there, elsewhere
  /// where the market lists it; what is selected stays so.
  package func didRegister(_ detail: ProductDetail, isOnTop: Bool) {
    observers.tell(.changedHere(.registered(detail)))
    if isOnTop { list.putOnTop(detail.product) }
    // What is sifted would begin at its top again.
    if feed.scan == nil { reader.readAgain() }
  }

  /// Selects a product that was registered just now, as soon as a page has it; where none does that is
  /// said.
  package func goToRegistered(_ detail: ProductDetail) {
    registered.begin(detail)
    reader.goOnToGoal()
    reader.didMove()
    registered.didRead(isTop: false)
  }

  /// Takes a product's new values over; nothing moves.
  package func didChange(_ detail: ProductDetail) {
    list.replaceRows(with: [detail.product])
    observers.tell(.changedHere(.changed(detail)))
  }

  /// Takes a product out; its neighbour is selected.
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
