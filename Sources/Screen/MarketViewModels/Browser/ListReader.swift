internal import MarketModel
internal import SafeTextKit

/// Loader of the list: requests the pages that the list and its moves need, hands them to the list,
/// and calls the observers.
final class ListReader {
  /// Capabilities of the repository; nil until it has reported them.
  @Observed private(set) var capabilities: RepositoryCapabilities?
  let repository: any ProductRepository
  /// Account of this seller; nil without selling.
  var account: SellerAccountModel?

  private let list: BrowsedList
  private let contact: ConnectionStatus
  private let observers: ListObservers
  private let notices: NoticeBoard
  /// Cache of earlier responses of the same repository; nil for a repository without a network.
  private let seen: (any ProductCache)?
  private let tasks: FeedTasks
  /// All cached products of a market that does not answer; nil until its first search and after an
  /// answer.
  private var seenProducts: Cached<[Product]>?
  /// Last request for the first page of a query.
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

  /// Seller of the own products; nil if nothing was registered on this computer.
  var ownSeller: Seller.ID? {
    guard let account else { return nil }
    if capabilities?.queriesBySeller == true { return account.seller?.id }
    return account.registered.isEmpty ? nil : account.seller?.id ?? Seller.guest.id
  }

  // MARK: Requests

  /// Requests the first page of a query.
  func start(_ query: ProductQuery) { run(list.start(query)) }

  /// Requests the capabilities, unless there is a cache: then they are read after the first page.
  func askCapabilitiesFirst() { if seen == nil { askCapabilities() } }

  /// Requests the first page and the visible rows again.
  func readAgain() {
    // A scan starts again, with one request at a time.
    if list.feed.scan != nil { tasks.cancelAll() }
    for request in list.refresh() { run(request) }
  }

  /// Whether rows failed to load or come from the cache.
  var areRowsDue: Bool { list.feed.failure != nil || list.feed.seenAt != nil }

  /// Requests failed or cached rows again.
  func readDueRows() {
    if list.feed.seenAt != nil, list.feed.phase != .loading { return readAgain() }
    goOn()
    loadAhead()
  }

  /// Continues after a failure or a stop.
  func goOn() { if let request = list.retry() { run(request) } }

  /// Cancels all requests.
  func cancelAll() { tasks.cancelAll() }

  /// Stops a scan; the rows stay.
  func stopScan() {
    tasks.cancelAll()
    list.stop()
    tasks.stopSpinner()
  }

  // MARK: Moving

  /// Selects a loaded row.
  func select(_ index: Int) {
    list.select(index)
    didMove()
  }

  /// Selects a row; without pages by number, at most `Jump.maxRows` further rows are read for it.
  func jump(to index: Int) {
    list.begin(jumpTo: index)
    goOnToGoal()
    didMove()
  }

  /// Selects the last row; the market is first asked for the count if that lets the jump skip pages.
  func jumpToEnd() {
    let query = list.feed.query
    guard list.feed.shouldCount, pages.canCount(query) else { return jump(to: .max) }
    list.beginJumpToEnd()
    count { [repository] in try? await repository.total(of: query) }
  }

  /// Counts the matches of a search whose first page has a lower bound only.
  private func countAll(of query: ProductQuery) {
    let request = PageRequest(query: query, size: 1, countsExactly: true)
    count { [repository] in try? await repository.page(request).total }
  }

  private func count(_ ask: @escaping () async -> ProductTotal?) {
    let generation = list.feed.generation
    tasks.hold(
      counting: Task.immediate {
        let total = await ask()
        guard !Task.isCancelled else { return }
        tasks.didCount()
        guard generation == list.feed.generation else { return }
        if list.didCount(total) { jump(to: .max) }
      })
  }

  /// Called after each move of the selection or the viewport.
  func didMove() {
    tasks.rest(before: self)
    observers.didSelect(list.selected)
  }

  /// Continues a jump as far as rows are loaded.
  func goOnToGoal() {
    if let row = list.goOnToGoal() { notices.show(.cameTo(row: row)) }
  }

  /// Requests the pages of the visible rows and of one screen ahead.
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

  /// Shows cached rows until the page arrives.
  private func preview(_ request: FeedRequest, searches: Bool) async {
    guard let found = await seenPage(request, searches: searches),
      list.preview(found.page.value, seenAt: found.page.seconds, among: found.count, for: request)
    else { return }
    observers.didSelect(list.selected)
  }

  /// Searches the cache while a market is slow to answer.
  private func previewLate() {
    let isPending = list.feed.isStale && list.feed.shownQuery != list.feed.query
    guard let asked, isCurrent(asked), isPending else { return }
    Task.immediate { await preview(asked, searches: true) }
  }

  /// Uses cached rows in place of a page if the market cannot be reached.
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

  /// Cached page; else, with `searches`, the matches among all cached products, with the number of
  /// these.
  ///
  /// Nil if the cache has neither.
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
    guard capabilities?.isProvisional != false else { return }
    Task.immediate {
      // A repository that cannot report them now is asked again after its next page.
      guard let capabilities = try? await repository.capabilities() else { return }
      self.capabilities = capabilities
      // The query that was sent without the capabilities is sent again if they change its requests.
      let query = list.feed.query
      if !pages.canCount(query) && list.feed.scan == nil || pages.groups(of: query) != nil {
        start(query)
      }
    }
  }

  /// Takes a page in; one of an earlier query is dropped.
  private func didReceive(
    _ page: MarketPage, seenAt: Int64? = nil, among count: Int? = nil, for request: FeedRequest
  ) {
    guard isCurrent(request) else { return }
    let wasRefreshing = list.feed.isRefreshing
    let followUps = list.take(page, seenAt: seenAt, among: count, for: request)
    for followUp in followUps { run(followUp) }
    let query = request.page.query
    if request.purpose.isTop, seenAt == nil, query.isSearch, list.shouldCount,
      pages.canCount(query), case .atLeast = page.page.total
    {
      countAll(of: query)
    }
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
    // The feed may be able to continue in another way.
    loadAhead()
    observers.didRead(isTop: false)
  }
}
