internal import MarketModel
internal import SafeTextKit

/// Reader of a list: it asks the market for the pages that the list wants and that a move leads to,
/// brings them to the list, and tells its observers.
final class ListReader {
  /// What the repository can do; nil until it has said so.
  @Observed private(set) var capabilities: RepositoryCapabilities?
  let repository: any ProductRepository
  /// Who sells from here; nil where nothing is sold.
  var account: SellerAccountModel?

  private let list: BrowsedList
  private let contact: ConnectionStatus
  private let observers: ListObservers
  private let notices: NoticeBoard
  /// What was read of the same repository earlier; nil where everything is at hand.
  private let seen: (any ProductCache)?
  private let tasks: FeedTasks
  /// All that was seen of a market that does not answer, from the first search of it on.
  private var seenProducts: Cached<[Product]>?
  /// What the first page of a query was asked for by last.
  private var asked: FeedRequest?

  init(
    _ list: BrowsedList, from repository: any ProductRepository, seen: (any ProductCache)?,
    contact: ConnectionStatus, tasks: FeedTasks, observers: ListObservers, notices: NoticeBoard
  ) {
    self.list = list
    self.repository = repository
    self.seen = seen
    self.contact = contact
    self.tasks = tasks
    self.observers = observers
    self.notices = notices
    tasks.whenSlow { [weak self] in self?.previewLate() }
  }

  var pages: BrowserPageLoader {
    BrowserPageLoader(
      repository: repository, capabilities: capabilities, registered: account?.registered ?? [],
      own: ownSeller)
  }

  /// Whose products are the own ones; nil where nothing was sold from here.
  var ownSeller: Seller.ID? {
    guard let account else { return nil }
    if capabilities?.queriesBySeller == true { return account.seller?.id }
    return account.registered.isEmpty ? nil : account.seller?.id ?? Seller.guest.id
  }

  // MARK: What to read

  /// Reads the first page of a query.
  func start(_ query: ProductQuery) { run(list.start(query)) }

  /// Asks what the market can do, where its answers are not at hand before.
  func askCapabilitiesFirst() { if seen == nil { askCapabilities() } }

  /// Reads the top and what is on the screen again.
  func readAgain() {
    // What was sifted is sifted anew, by one request at a time.
    if list.feed.scan != nil { tasks.cancelAll() }
    for request in list.refresh() { run(request) }
  }

  /// Whether rows did not come, or are what was seen earlier.
  var areRowsDue: Bool { list.feed.failure != nil || list.feed.seenAt != nil }

  /// Reads these rows.
  func readDueRows() {
    if list.feed.seenAt != nil, list.feed.phase != .loading { return readAgain() }
    goOn()
    loadAhead()
  }

  /// Goes on where reading failed or was stopped.
  func goOn() { if let request = list.retry() { run(request) } }

  /// Leaves off what is on its way.
  func cancelAll() { tasks.cancelAll() }

  /// Stops the sifting of pages; what was found stays.
  func stopScan() {
    tasks.cancelAll()
    list.stop()
    tasks.stopSpinner()
  }

  // MARK: Moving

  /// Selects a row that is there.
  func select(_ index: Int) {
    list.select(index)
    didMove()
  }

  /// Selects a row; where it can only be reached page by page, these are read, up to a limit.
  func jump(to index: Int) {
    list.begin(jumpTo: index)
    goOnToGoal()
    didMove()
  }

  /// Selects the last row, which the market is asked for first where that helps to reach it.
  func jumpToEnd() {
    guard list.feed.shouldCount, pages.canCount(list.feed.query) else { return jump(to: .max) }
    list.beginJumpToEnd()
    tasks.hold(counting: Task.immediate { await count() })
  }

  private func count() async {
    let generation = list.feed.generation
    let total = try? await repository.total(of: list.feed.query)
    guard !Task.isCancelled else { return }
    tasks.didCount()
    guard generation == list.feed.generation else { return }
    if list.didCount(total) { jump(to: .max) }
  }

  /// Rows were moved through.
  func didMove() {
    tasks.rest(before: self)
    observers.didSelect(list.selected)
  }

  /// Goes on with a jump as far as the rows reach.
  func goOnToGoal() {
    if let row = list.goOnToGoal() { notices.show(.cameTo(row: row)) }
  }

  /// Asks for pages one screen before they are needed.
  func loadAhead() {
    let fill = list.fill()
    tasks.cancel(fill.cancels)
    for request in fill.loads { run(request) }
    tasks.stopSpinner()
    observers.didShow()
  }

  // MARK: Reading

  private func run(_ request: FeedRequest) {
    list.willRead(request)
    if request.purpose == .replace { asked = request }
    tasks.run(request) { [self] in
      if request.purpose == .replace {
        await preview(request, searches: contact.reconnection.isNeeded)
      }
      do throws(RepositoryError) {
        let answer = try await pages.page(request) { list.didScan($0, for: request) }
        seenProducts = nil
        didReceive(answer, for: request)
        askCapabilities()
        contact.didReceive()
      } catch {
        await fallBack(on: error, for: request)
      }
    }
  }

  /// Shows what was seen until the page comes.
  private func preview(_ request: FeedRequest, searches: Bool) async {
    guard let found = await seenPage(request, searches: searches),
      list.preview(found.page.value, seenAt: found.page.seconds, among: found.count, for: request)
    else { return }
    observers.didSelect(list.selected)
  }

  /// A market that lets one wait may be silent: what was seen is searched meanwhile.
  private func previewLate() {
    let isPending = list.feed.isStale && list.feed.shownQuery != list.feed.query
    guard let asked, isCurrent(asked), isPending else { return }
    Task.immediate { await preview(asked, searches: true) }
  }

  /// Where nobody can be reached, what was seen of a page serves as the page.
  private func fallBack(on error: RepositoryError, for request: FeedRequest) async {
    guard isCurrent(request) else { return }
    let isNews = contact.didMissPage(error)
    if case .unreachable = error, request.purpose == .replace || request.purpose == .append,
      let found = await seenPage(request, searches: request.purpose == .replace)
    {
      guard isCurrent(request) else { return }
      let page = found.page
      didReceive(page.value, seenAt: page.seconds, among: found.count, for: request)
      if request.purpose == .replace, isNews { notices.show(.failed(error)) }
    } else {
      didFail(error, for: request, isNews: isNews)
    }
  }

  /// A page as it was seen, else where `searches` is true what a query finds among all that was seen,
  /// with the number of that.
  private func seenPage(
    _ request: FeedRequest, searches: Bool
  ) async -> (page: Cached<MarketPage>, count: Int?)? {
    guard let seen else { return nil }
    if let page = await pages.seenPage(request.page, in: seen) { return (page, nil) }
    let query = request.page.query
    guard searches, query.isNarrowed else { return nil }
    if seenProducts == nil { seenProducts = await seen.cachedProducts() }
    guard let known = seenProducts else { return nil }
    let sieve = ProductFilterEvaluator(query, parts: query.parts)
    let isGrouped = pages.groups(of: query) != nil
    let finds = known.value.filter(sieve.keeps).sorted {
      isGrouped ? SaleGroup.precedes($0, $1) : query.order.precedes($0, $1)
    }
    let page = ProductPage(products: finds, total: .exactly(finds.count), next: nil)
    return (
      Cached(MarketPage(page: page, isGrouped: isGrouped), at: known.seconds), known.value.count
    )
  }

  private func isCurrent(_ request: FeedRequest) -> Bool {
    list.feed.generation == request.generation
  }

  private func askCapabilities() {
    guard capabilities == nil else { return }
    Task.immediate {
      // A repository that cannot say now is asked again after its next page.
      guard let capabilities = try? await repository.capabilities() else { return }
      self.capabilities = capabilities
      // What was asked before that was known is asked as the market can be asked.
      let query = list.feed.query
      if !pages.canCount(query) && list.feed.scan == nil || pages.groups(of: query) != nil {
        start(query)
      }
    }
  }

  /// Takes a page in; the late one of a query that was left changes nothing, also not the place.
  private func didReceive(
    _ page: MarketPage, seenAt: Int64? = nil, among count: Int? = nil, for request: FeedRequest
  ) {
    guard isCurrent(request) else { return }
    let wasRefreshing = list.feed.isRefreshing
    let followUps = list.take(page, seenAt: seenAt, among: count, for: request)
    for followUp in followUps { run(followUp) }
    if wasRefreshing, !list.feed.isRefreshing, contact.needsReport {
      notices.show(.refreshed(newProducts: list.feed.newCount))
    }
    goOnToGoal()
    loadAhead()
    observers.didSelect(list.selected)
    observers.didRead(isTop: request.purpose.isTop)
  }

  private func didFail(_ error: RepositoryError, for request: FeedRequest, isNews: Bool) {
    guard error != .cancelled else { return }
    let wasRefreshing = list.feed.isRefreshing
    list.didFail(error, for: request)
    let hidesFailure = list.feed.isStale && list.feed.count > 0
    if isNews, hidesFailure || (wasRefreshing && !list.feed.isRefreshing) {
      notices.show(.failed(error))
    }
    // A feed that can go on in another way is idle again.
    loadAhead()
    observers.didRead(isTop: false)
  }
}
