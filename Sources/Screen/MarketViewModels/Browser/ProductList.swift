package import MarketModel
internal import SafeTextKit

/// List of a market's products: holds the feed, the selection and the viewport, and runs the feed's
/// requests.
package final class ProductList {
  @Observed package private(set) var feed: ProductFeed
  @Observed package private(set) var viewport = Viewport()
  /// Capabilities of the repository; nil until it has reported them.
  @Observed package private(set) var capabilities: RepositoryCapabilities?
  /// Runs while a page or a count is awaited.
  package let spinner: Spinner
  /// Changes by others that the rows do not show yet.
  var changes = LiveChanges()
  let repository: any ProductRepository
  /// Cache of earlier responses of the same repository; nil for a repository without a network.
  let seen: (any ProductCache)?
  /// Account of this seller; nil without selling.
  var account: SellerAccountModel?
  let connection: ConnectionStatus
  let observers: ListObservers
  let notices = NoticeBoard()
  /// All cached products of a market that does not answer; nil until its first search and after an
  /// answer.
  var seenProducts: Cached<[Product]>?

  private let clock: any Clock<Duration>
  /// Number of keys pressed so far; what the next key ends is valid while it stays the same.
  private(set) var keyPresses = 0
  /// The last jump; nil after its end.
  private var lastJump: Jump?
  /// Product that is selected when a page contains it, until the number of key presses changes; nil
  /// without one.
  private var wanted: (product: Product.ID, keyPresses: Int)?
  /// Last request for the first page of a query.
  private var firstPage: FeedRequest?
  /// Task of each page in progress.
  private var reading: [FeedRequest: Task<Void, Never>] = [:]
  /// Pages whose task has started and is not in `reading` yet: a response without a wait ends it at
  /// once.
  private var starting: Set<FeedRequest> = []
  /// Prefetch that waits for the end of the keys typed so far.
  private var prefetching: Task<Void, Never>?
  private var counting: Task<Void, Never>?

  /// Jump of the selection to a row that may have to be loaded first; the next key ends it.
  private struct Jump {
    let index: Int
    /// Whether the target is the last row, whose index is not known yet.
    var isEnd = false
    let keyPresses: Int
  }

  /// Maximum number of rows that one jump loads, if pages cannot be skipped.
  static let maxJump = 1_000
  /// Pause after the last move before the next page is requested, if a request for a page that was
  /// passed is still running.
  private static let prefetchDelay = Duration.milliseconds(60)

  init(
    of repository: any ProductRepository, seen: (any ProductCache)?, pageSize: Int,
    clock: any Clock<Duration>, jitter: Jitter
  ) {
    self.repository = repository
    self.seen = seen
    self.clock = clock
    feed = ProductFeed(pageSize: pageSize)
    spinner = Spinner(clock: clock)
    observers = ListObservers()
    connection = ConnectionStatus(
      Reconnection(clock: clock, jitter: jitter, observers: observers), observers: observers)
    connection.list = self
    spinner.didSlow = { [weak self] in self?.previewLate() }
  }

  /// The selected product; nil if its row is not loaded.
  package var selected: ListedProduct? { feed[viewport.selected] }

  /// Loaded rows on the screen, with the one that is cut at the bottom.
  var shownRows: [LiveChanges.ShownRow] {
    let feed = feed
    return viewport.visibleWithCutRow.compactMap { index in
      feed[index].map { LiveChanges.ShownRow(index: index, id: $0.id) }
    }
  }

  // MARK: Moving

  /// Ends a jump that is still loading pages; called for each key.
  package func didPressKey() { keyPresses += 1 }

  /// The jump that waits for rows; nil without one.
  private var jump: Jump? { lastJump.flatMap { $0.keyPresses == keyPresses ? $0 : nil } }

  private func beginJump(to index: Int, isEnd: Bool = false) {
    lastJump = Jump(index: index, isEnd: isEnd, keyPresses: keyPresses)
  }

  /// Moves the selection `times` times, at most `maxJump`; a row that is not loaded is jumped to.
  ///
  /// A move further down adds to the target of the jump that its key has ended; beyond a jump to the
  /// last row it cannot lead.
  package func move(_ move: Viewport.Move, times: Int = 1) {
    if move == .last { return jumpToEnd() }
    let distance = viewport.distance(of: move) * min(times, Self.maxJump)
    let ended = lastJump.flatMap { $0.keyPresses == keyPresses - 1 ? $0 : nil }
    if distance > 0, let ended, ended.isEnd {
      beginJump(to: ended.index, isEnd: true)
      return continueJump()
    }
    let target = (ended?.index ?? viewport.selected) + distance
    if distance > 0, target >= feed.count, !feed.knowsEnd { return jump(to: target) }
    for _ in 0..<min(times, max(1, feed.count)) { viewport.move(move) }
    didMove()
  }

  /// Selects a loaded row.
  package func select(_ index: Int) {
    viewport.select(index)
    didMove()
  }

  package func scroll(by rows: Int) {
    lastJump = nil
    viewport.scroll(by: rows)
    didMove()
  }

  /// Selects a row; without pages by number, at most `maxJump` further rows are read for it.
  package func jump(to index: Int) {
    let reached = feed.knowsEnd ? index : min(index, feed.count + Self.maxJump - 1)
    beginJump(to: reached, isEnd: index == .max)
    continueJump()
    didMove()
  }

  /// Selects the last row; the market is first asked for the count if that lets the jump skip pages.
  private func jumpToEnd() {
    let query = feed.query
    guard feed.shouldCount, canCount(query) else { return jump(to: .max) }
    beginJump(to: .max, isEnd: true)
    count { [repository] in try? await repository.total(of: query) }
  }

  /// Jumps to a row and selects the product `id` wherever it is found; nil, or a missing product,
  /// selects the row.
  func jump(backTo index: Int, of id: Product.ID?) {
    wanted = id.map { ($0, keyPresses) }
    jump(to: index)
  }

  /// Selects a product as soon as a page contains it.
  func selectWhenRead(_ id: Product.ID) {
    lastJump = nil
    wanted = (id, keyPresses)
  }

  /// Whether a jump waits for rows.
  var isJumping: Bool { jump != nil }

  /// Continues a jump as far as rows are loaded.
  func continueJump() {
    guard !selectWanted(), let jump else { return }
    viewport.select(jump.isEnd && feed.knowsEnd ? feed.count - 1 : jump.index)
    guard feed.knowsEnd || jump.index < feed.count else { return }
    // The last row may still move until it is loaded.
    if !jump.isEnd || selected != nil { lastJump = nil }
    if jump.isEnd, !feed.knowsEnd { notices.show(.cameTo(row: feed.count)) }
  }

  /// Selects the wanted product; false if no loaded page contains it.
  private func selectWanted() -> Bool {
    guard !feed.isStale, let wanted, wanted.keyPresses == keyPresses,
      let index = feed.index(of: wanted.product, hint: viewport.selected)
    else { return false }
    (self.wanted, lastJump) = (nil, nil)
    viewport.select(index)
    return true
  }

  /// Called after each move of the selection or the viewport.
  func didMove() {
    schedulePrefetch()
    observers.didSelect(selected)
  }

  /// Sets the layout of the screen, in products and rows; `scrollStep` is the number of rows that a
  /// step off the screen scrolls.
  package func didLayOut(columns: Int, visibleRows: Int, scrollStep: Int = 1) {
    var shaped = viewport
    shaped.reshape(columns: columns, visibleRows: visibleRows, scrollStep: scrollStep)
    guard shaped != viewport else { return }
    viewport = shaped
    prefetch()
  }

  /// Keeps the product `id` selected at its position on the screen when rows are added or removed.
  ///
  /// If it is gone, its neighbor is selected.
  private func keepPlace(of id: Product.ID?) {
    let index = id.flatMap { feed.index(of: $0, hint: viewport.selected) } ?? viewport.selected
    viewport.didChange(count: feed.count, selected: index)
  }

  // MARK: Snapshots

  /// Snapshot of the list, to be restored later.
  package struct Snapshot {
    fileprivate let feed: ProductFeed
    fileprivate let viewport: Viewport

    package var query: ProductQuery { feed.query }
    /// The selected row, from 0, and its product; nil if the row is not loaded.
    var row: Int { viewport.selected }
    var product: Product.ID? { feed[viewport.selected]?.id }
  }

  package var snapshot: Snapshot { Snapshot(feed: feed, viewport: viewport) }

  /// Whether the list has had no other query since a snapshot.
  func isUnchanged(since snapshot: Snapshot) -> Bool {
    snapshot.feed.generation == feed.generation
  }

  /// Restores a snapshot with its rows; without rows it requests them and returns false.
  func restore(_ snapshot: Snapshot) -> Bool {
    cancelAll()
    guard !snapshot.feed.isStale else {
      start(snapshot.query)
      return false
    }
    feed.restore(snapshot.feed)
    let shape = viewport
    viewport = snapshot.viewport
    viewport.reshape(
      columns: shape.columns, visibleRows: shape.visibleRows, scrollStep: shape.scrollStep)
    return true
  }

  // MARK: Requests

  /// Requests the first page of a query, and the capabilities unless there is a cache: then they are
  /// read after the page.
  func startFirst(_ query: ProductQuery) {
    start(query)
    if seen == nil { askCapabilities() }
  }

  private func start(_ query: ProductQuery) { run(feed.start(query)) }

  /// Shows a query whose rows are still shown, else requests its first page and returns false.
  func show(_ query: ProductQuery) -> Bool {
    cancelAll()
    connection.setNeedsReport()
    if query == feed.shownQuery, feed.restoreShown() { return true }
    start(query)
    return false
  }

  /// Requests the first page and the visible rows again.
  func reload() {
    // A scan starts again, with one request at a time.
    if feed.scan != nil { cancelAll() }
    for request in feed.refresh(visible: viewport.visibleWithCutRow) { run(request) }
  }

  /// Whether rows failed to load or come from the cache.
  var areRowsDue: Bool { feed.failure != nil || feed.seenAt != nil }

  /// Requests failed or cached rows again.
  func readDueRows() {
    if feed.seenAt != nil, feed.phase != .loading { return reload() }
    resume()
    prefetch()
  }

  /// Continues after a failure or a stop.
  package func resume() { if let request = feed.retry() { run(request) } }

  /// Stops a scan; the rows stay.
  package func stopScan() {
    cancelAll()
    feed.stop()
    stopSpinnerIfIdle()
  }

  /// Requests the pages of the visible rows and of one screen ahead.
  private func prefetch() {
    let shown = viewport.visibleWithCutRow
    let ahead = max(shown.count, feed.query.text.isEmpty ? 20 : 10)
    // An unchanged feed is not assigned, so that no frame is drawn for it.
    var asked = feed
    let prefetch = asked.prefetch(shown, selected: viewport.selected, ahead: ahead)
    if !prefetch.isEmpty || asked.phase != feed.phase { feed = asked }
    cancel(prefetch.cancels)
    for request in prefetch.loads { run(request) }
    stopSpinnerIfIdle()
    observers.didShow()
  }

  /// Prefetches when all keys typed so far are handled, so that pages which were only passed are not
  /// requested.
  private func schedulePrefetch() {
    let isSuperseded = reading.keys.contains { $0.purpose.isFill }
    guard prefetching == nil || isSuperseded else { return }
    prefetching?.cancel()
    prefetching = Task {
      if isSuperseded { try? await clock.sleep(for: Self.prefetchDelay) }
      guard !Task.isCancelled else { return }
      prefetching = nil
      prefetch()
    }
  }

  private func run(_ request: FeedRequest) {
    if request.purpose.isTop { changes.willRead() }
    if request.purpose == .replace { firstPage = request }
    starting.insert(request)
    let task = Task.immediate {
      await read(request)
      starting.remove(request)
      // A new task for the same request may have started.
      guard !Task.isCancelled else { return }
      reading[request] = nil
      stopSpinnerIfIdle()
    }
    guard starting.remove(request) != nil else { return }
    reading[request] = task
    spinner.start()
  }

  private func cancel(_ requests: some Sequence<FeedRequest>) {
    for request in requests { reading.removeValue(forKey: request)?.cancel() }
  }

  /// Cancels all requests.
  func cancelAll() {
    cancel(Array(reading.keys))
    for task in [prefetching, counting] { task?.cancel() }
    (prefetching, counting) = (nil, nil)
  }

  /// Stops the spinner if nothing is awaited.
  func stopSpinnerIfIdle() {
    if reading.isEmpty, counting == nil { spinner.stop() }
  }

  /// Counts the matches of a search whose first page has a lower bound only.
  private func countAll(of query: ProductQuery) {
    let request = PageRequest(query: query, size: 1, countsExactly: true)
    count { [repository] in try? await repository.page(request).total }
  }

  private func count(_ ask: @escaping () async -> ProductTotal?) {
    let generation = feed.generation
    let task = Task.immediate {
      let total = await ask()
      guard !Task.isCancelled else { return }
      counting = nil
      stopSpinnerIfIdle()
      if generation == feed.generation { didCount(total) }
    }
    counting?.cancel()
    counting = task
    spinner.start()
  }

  /// Sets the number of rows, nil if it could not be read; a jump to the end continues.
  private func didCount(_ total: ProductTotal?) {
    if let total { feed.didCount(total) }
    keepPlace(of: selected?.id)
    if jump?.isEnd == true { jump(to: .max) }
  }

  private func askCapabilities() {
    guard capabilities?.isProvisional != false else { return }
    Task.immediate {
      // A repository that cannot report them now is asked again after its next page.
      guard let capabilities = try? await repository.capabilities() else { return }
      self.capabilities = capabilities
      // The query that was sent without the capabilities is sent again if they change its requests.
      let query = feed.query
      if !canCount(query) && feed.scan == nil || groups(of: query) != nil { start(query) }
    }
  }

  // MARK: Responses

  private func read(_ request: FeedRequest) async {
    if request.purpose == .replace {
      await preview(request, searches: connection.reconnection.isNeeded)
    }
    do throws(RepositoryError) {
      let page = try await page(request) { feed.didScan($0, for: request) }
      seenProducts = nil
      didReceive(page, for: request)
      askCapabilities()
      connection.didReceive()
    } catch {
      await fallBack(on: error, for: request)
    }
  }

  /// Shows cached rows until the page arrives.
  private func preview(_ request: FeedRequest, searches: Bool) async {
    guard let found = await seenPage(request.page, searches: searches),
      feed.preview(
        Cached(found.page.value.page, at: found.page.seconds), among: found.count, for: request)
    else { return }
    feed.isGrouped = found.page.value.isGrouped
    viewport.reset(count: feed.count)
    observers.didSelect(selected)
  }

  /// Searches the cache while a market is slow to answer.
  private func previewLate() {
    let isPending = feed.isStale && feed.shownQuery != feed.query
    guard let firstPage, isCurrent(firstPage), isPending else { return }
    Task.immediate { await preview(firstPage, searches: true) }
  }

  /// Uses cached rows in place of a page if the market cannot be reached.
  private func fallBack(on error: RepositoryError, for request: FeedRequest) async {
    guard isCurrent(request) else { return }
    let isNews = connection.didMissPage(error)
    if case .unreachable = error, request.purpose == .replace || request.purpose == .append,
      let found = await seenPage(request.page, searches: request.purpose == .replace)
    {
      guard isCurrent(request) else { return }
      let page = found.page
      didReceive(page.value, seenAt: page.seconds, among: found.count, for: request)
      if request.purpose == .replace, isNews { notices.show(.failed(error)) }
    } else {
      didFail(error, for: request, isNews: isNews)
    }
  }

  private func isCurrent(_ request: FeedRequest) -> Bool { feed.generation == request.generation }

  /// Takes a page in; one of an earlier query is dropped.
  private func didReceive(
    _ page: MarketPage, seenAt: Int64? = nil, among count: Int? = nil, for request: FeedRequest
  ) {
    guard isCurrent(request) else { return }
    let wasRefreshing = feed.isRefreshing
    let followUps = merge(page, seenAt: seenAt, among: count, for: request)
    for followUp in followUps { run(followUp) }
    let query = request.page.query
    // A jump to the end counts already.
    if request.purpose.isTop, seenAt == nil, query.isSearch, feed.shouldCount,
      jump?.isEnd != true, canCount(query), case .atLeast = page.page.total
    {
      countAll(of: query)
    }
    if wasRefreshing, !feed.isRefreshing, connection.needsReport {
      notices.show(.refreshed(newProducts: feed.newCount))
    }
    continueJump()
    prefetch()
    observers.didSelect(selected)
    observers.didRead(isTop: request.purpose.isTop)
  }

  /// Merges a page into the rows and returns the requests to send next.
  ///
  /// The first page also removes rows of products that were deleted before it was requested.
  private func merge(
    _ page: MarketPage, seenAt: Int64?, among count: Int?, for request: FeedRequest
  ) -> [FeedRequest] {
    let selectedID = selected?.id
    let replacesOther = request.purpose == .replace && feed.seenAt == nil
    if request.purpose.isTop { for id in changes.takeDeletedIDs() { feed.removeRow(of: id) } }
    let followUps = feed.didReceive(
      page.page, scan: page.scan, seenAt: seenAt, among: count, for: request)
    feed.isGrouped = page.isGrouped
    if request.purpose == .renew, viewport.selected >= feed.count {
      beginJump(to: viewport.selected)
    }
    if replacesOther { viewport.reset(count: feed.count) } else { keepPlace(of: selectedID) }
    if request.purpose.isTop { changes.didRead(feed) }
    return followUps
  }

  private func didFail(_ error: RepositoryError, for request: FeedRequest, isNews: Bool) {
    guard error != .cancelled else { return }
    let wasRefreshing = feed.isRefreshing
    feed.didFail(error, for: request)
    keepPlace(of: selected?.id)
    let hidesFailure = feed.isStale && feed.count > 0
    if isNews, hidesFailure || (wasRefreshing && !feed.isRefreshing) {
      notices.show(.failed(error))
    }
    // The feed may be able to continue in another way.
    prefetch()
    observers.didRead(isTop: false)
  }

  // MARK: Changes that are known without reading a page

  /// Inserts a product at the top after its registration; the selection stays.
  func putOnTop(_ product: Product) {
    let id = selected?.id
    feed.putOnTop(product)
    keepPlace(of: id)
  }

  /// Replaces products in their rows; a row moves only to another group.
  ///
  /// The selection stays.
  func replaceRows(with products: [Product]) {
    let id = selected?.id
    for product in products {
      feed.replaceRow(with: product)
      feed.moveToItsGroup(product)
    }
    if feed.isGrouped { keepPlace(of: id) }
  }

  /// Updates which rows show deleted products; the rows stay.
  func didMark(deleted: Set<Product.ID>, present: Set<Product.ID>) {
    let counted = feed.deleted.union(deleted.filter(feed.holds)).subtracting(present)
    if counted != feed.deleted { feed.deleted = counted }
  }

  /// Removes a row; its neighbor is selected.
  func removeRow(of id: Product.ID) {
    feed.removeRow(of: id)
    viewport.didChange(count: feed.count, selected: viewport.selected)
    didMove()
  }
}
