package import MarketModel
import Observation

/// The list of products that a person browses, with what belongs to it: the detail that follows the
/// selection, the market's changes, and the way to a market that does not answer.
///
/// It passes on what people, sellers and the screen do. What the rows are and where one stands in them
/// the list knows, how they are read its reader, and what follows from that its followers.
@Observable
package final class BrowserModel: Layer {
  /// Arrangement of the products.
  package nonisolated enum Arrangement: String, Hashable, Sendable {
    case grid
    case list
  }

  package private(set) var arrangement: Arrangement
  package let list: BrowsedList
  package let spinner: Spinner
  package let detail: DetailModel
  /// What changes in the market while one looks.
  package let live: LiveMarket
  /// What was seen of the market, and what is new.
  package let seenTracker: SeenTracker
  /// Share of the market's products that searches find by the folding of today; nil for all.
  package var indexedShare: Double?
  /// How large its parts are.
  package let viewStates: ViewStateModel
  /// What a seller has marked among the own products.
  package let marked = MarkedProducts()

  private let contact: ConnectionStatus
  let reader: ListReader
  /// What follows the list, in the order in which it hears.
  private let followers: [any ListObserver]
  let restorer: NavigationRestorer
  private let registered: RegisteredRow

  package init(
    repository: any ProductRepository, seen: (any ProductCache)? = nil,
    changes: (any ChangeSource)? = nil, arrangement: Arrangement,
    pageSize: Int, clock: any Clock<Duration>, viewStates: ViewStateModel = ViewStateModel(),
    random: @escaping () -> Double = { .random(in: 0...1) }
  ) {
    self.arrangement = arrangement
    self.viewStates = viewStates
    list = BrowsedList(pageSize: pageSize)
    spinner = Spinner(clock: clock)
    contact = ConnectionStatus(Reconnection(clock: clock, random: random))
    live = LiveMarket(changes, clock: clock, random: random)
    detail = DetailModel(repository: repository, seen: seen, clock: clock)
    let favorites = FavoritesListObserver()
    seenTracker = SeenTracker(clock: clock)
    restorer = NavigationRestorer(list)
    registered = RegisteredRow(list)
    followers = [live, detail, favorites, seenTracker, restorer, registered]
    reader = ListReader(
      list, from: repository, seen: seen, contact: contact,
      tasks: FeedTasks(spinner: spinner, clock: clock), followers: followers)
    detail.didAsk = { [weak self] error in self?.didAsk(error) }
    registered.announce = { [weak self] in self?.delegate?.didPlace($0, $1) }
    live.browser = self
    favorites.browser = self
    seenTracker.browser = self
    contact.askAgain = { [weak self] in self?.askAgain() }
    contact.didReturn = { [weak self] in self?.didReceive() }
  }

  /// The program around, which is made after the browser.
  package var delegate: (any BrowserDelegate)? {
    get { reader.delegate }
    set { reader.delegate = newValue }
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

  /// Goes to the product that was selected, or to its row where it is gone; `open` is called with the
  /// product whose detail was open when that is there.
  func restore(to place: NavigationState, open: @escaping (Product.ID) -> Void) {
    restorer.begin(opening: place.opened, by: open)
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
    detail.cancel()
    rest()
  }

  // MARK: Moving

  /// A key was read: a jump that is still loading pages ends where it is.
  package func didPressKey() {
    list.didPressKey()
    seenTracker.didPressKey()
    restorer.didPressKey()
    registered.didPressKey()
  }

  package func move(_ move: Viewport.Move, times: Int = 1) {
    if move == .last { return jumpToEnd() }
    switch list.move(move, times: times) {
    case .moved: reader.didMove()
    case .beyond(let target): jump(to: target)
    case .toEnd: reader.goOnToGoal()
    }
  }

  package func select(_ index: Int) {
    list.select(index)
    reader.didMove()
  }

  /// Selects a row; where it can only be reached page by page, these are read, up to a limit.
  package func jump(to index: Int) {
    list.begin(jumpTo: index)
    reader.goOnToGoal()
    reader.didMove()
  }

  /// Selects the last row, which the market may have to be asked for first.
  private func jumpToEnd() {
    let asks = reader.count { [weak self] in self?.jump(to: .max) }
    if !asks { jump(to: .max) }
  }

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
    contact.setNeedsReport()
    if list.restoreShown(query) { return showWhatIsThere() }
    reader.start(query)
  }

  package var place: BrowsedList.Position { list.place }

  /// Goes back to a place with what was loaded there; where it is the present one nothing changes.
  package func restore(_ place: BrowsedList.Position) {
    guard !list.isAt(place) else { return }
    reader.cancelAll()
    if list.restore(place) { showWhatIsThere() } else { reader.start(place.query) }
  }

  /// Goes on with rows that are there, with nothing on its way.
  private func showWhatIsThere() {
    spinner.stop()
    for follower in followers { follower.didReturn() }
    reader.didMove()
    if reconnection.phase == .asking { askAgain() }
  }

  /// Whether a search, a seller or filters keep products from the list.
  package var showsLess: Bool { feed.query.isNarrowed }

  /// Shows all products: without search, seller and filters, in the same order.
  package func showAll() { show(feed.query.unnarrowed) }

  // MARK: Asking again

  /// Reads the first page and what is on the screen again.
  package func refresh() {
    detail.reload()
    refreshRows()
  }

  func refreshRows() {
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

  /// The market answers after it had not: everything that is due is asked again.
  private func didReceive() {
    if detail.isDue { detail.reload() }
    if reader.areRowsDue { reader.readDueRows() }
    for follower in followers { follower.didReceive() }
    delegate?.marketDidAnswer()
  }

  /// Takes note of what came of a question that was no page of the list.
  func didAsk(_ error: RepositoryError?) {
    if let error {
      contact.didNotHear(error)
    } else if reconnection.isNeeded {
      contact.didReceive(isThrough: !feed.isRefreshing)
    }
  }

  // MARK: What selling does

  /// Takes in a product that was registered just now: on top where the newest stand there, elsewhere
  /// where the market lists it; what is selected stays so.
  package func didRegister(_ detail: ProductDetail, isOnTop: Bool) {
    for follower in followers { follower.didRegister(detail) }
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
    registered.didRead()
  }

  /// Takes a product's new values over; nothing moves.
  package func didChange(_ detail: ProductDetail) {
    list.replaceRows(with: [detail.product])
    for follower in followers { follower.didChange(detail) }
  }

  /// Takes a product out; its neighbour is selected.
  func didDelete(_ id: Product.ID) {
    for follower in followers { follower.didDelete(id) }
    list.removeRow(of: id)
    reader.didMove()
  }
}
