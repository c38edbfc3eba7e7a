package import MarketModel
package import SafeTextKit

/// Rows of one query, page by page (infinite scroll): a pure state machine that returns the requests
/// to send and merges late, repeated and shifted pages.
///
/// The head is contiguous and extended by cursor. If the source counts its products and has pages by
/// number, any other place can be shown: its page is read when it is shown, and places between stay
/// unread.
///
/// Products are identified by id. The owner runs the requests and calls `didReceive` or `didFail`.
package struct ProductFeed: Sendable {
  package internal(set) var query: ProductQuery
  /// Query of the rows: the previous one until the first page of `query` arrives.
  package internal(set) var shownQuery: ProductQuery
  /// The contiguous beginning of the list, in the order of the query.
  package internal(set) var head: [ListedProduct] = []
  /// Loaded pages behind the head.
  var far = DetachedPages()
  package internal(set) var phase: FeedPhase = .loading
  /// Number of places, as far as the market reports it.
  package internal(set) var total: ProductTotal = .unknown
  /// Products deleted since `total` was read; they keep their places until the list is read again.
  var deleted: Set<Product.ID> = []
  /// Number of products that the last refresh added above the known ones.
  package internal(set) var newCount = 0
  /// True until the first page of `query` has arrived; the rows then belong to the previous query.
  package internal(set) var isStale = true
  /// Time at which the oldest cached row was read, in seconds since 1970; nil if the rows are not
  /// cached.
  package internal(set) var seenAt: Int64?
  /// Number of cached products that were searched for the rows; nil if the rows are no such matches.
  package internal(set) var seenCount: Int?
  package internal(set) var isRefreshing = false
  /// Whether the rows are in groups by state of sale, each newest first.
  package internal(set) var isGrouped = false
  /// Progress of the client-side scan for the rows; nil if the market filters.
  package internal(set) var scan: ScanProgress?
  /// Number of rows that the source sent and that could not be decoded.
  package internal(set) var unreadableRows = 0

  package let pageSize: Int
  var generation = 0
  var next: PagePosition?
  var known: Set<Product.ID> = []
  /// Cursor behind the last product of each page, with which the next page can be read again.
  var cursors: [Product.ID: PageCursor] = [:]
  /// Number of pages in a row without a new product; limited, for a source that repeats itself.
  var emptyPages = 0
  /// Count when the last page of the head was read; a smaller one later means that pages by number
  /// have shifted forwards.
  var totalAtEnd: ProductTotal = .unknown
  /// Page that may not adjoin the rows and waits for the one before it; nil if none waits.
  var waitingPage: ProductPage?
  /// Registered product that is shown at the top of a source with an order of its own; nil for none.
  var pinned: Product?
  /// The pinned product, if it has a row of its own because the source does not list it; else nil.
  package internal(set) var newlyRegistered: Product.ID?
  /// State of the end of the previous query's rows; nil if none have arrived.
  var phaseShown: FeedPhase?
  /// Rows on the screen when a refresh began.
  var refreshedRows = 0..<0

  package init(query: ProductQuery = ProductQuery(), pageSize: Int = 20) {
    self.query = query
    shownQuery = query
    self.pageSize = pageSize
  }

  // MARK: Rows

  /// Number of places that can be shown: the whole list if that is known, else the head.
  package var count: Int {
    guard canJump, phase != .ended else { return head.count }
    return max(head.count, far.end ?? counted)
  }

  /// Product at a place; nil if it is not loaded.
  package subscript(index: Int) -> ListedProduct? {
    head.indices.contains(index) ? head[index] : far[index]
  }

  /// Index of a product, nil if it is not loaded; `hint` is checked first.
  package func index(of id: Product.ID, hint: Int? = nil) -> Int? {
    if let hint, self[hint]?.id == id { return hint }
    guard known.contains(id) else { return far.place(of: id) }
    return head.firstIndex { $0.id == id }
  }

  /// Whether the number of rows is known, so that the last one can be selected.
  package var knowsEnd: Bool {
    if case .exactly = total, canJump { return true }
    return phase == .ended
  }

  /// Whether the last row is loaded, in the head or on the last page.
  package var hasReadEnd: Bool {
    phase == .ended || canJump && far.end == count
  }

  /// Whether a separate request may find the number of rows.
  var shouldCount: Bool {
    if case .exactly = total { return false }
    return !isStale && phase != .ended
  }

  /// Whether rows behind all known ones are being loaded.
  package var awaitsRows: Bool {
    phase == .loading && scan == nil && (!isStale || head.isEmpty) && count == head.count
  }

  /// Whether the rows are cached ones whose page is being loaded.
  package var isPreview: Bool { seenAt != nil && isStale && phase == .loading }

  /// Error of the last failed page; nil if none failed.
  package var failure: RepositoryError? {
    phase.failure ?? far.failures.min { $0.key < $1.key }?.value
  }

  /// Whether the page of a row failed to load, or waits for one that did.
  package func hasFailed(at index: Int) -> Bool {
    if index < reach { return phase.failure != nil && index >= head.count }
    guard let number = far.number(at: index) else { return false }
    return far.failures[number] != nil || (phase.failure != nil && !far.fills.contains(number))
  }

  /// Last loaded place before an unread one; nil if there is none.
  func lastRead(before index: Int) -> Int? {
    let before = far.neighbors(of: index).before ?? head.count - 1
    return before < 0 ? nil : before
  }

  /// Unread places from one on, up to the next loaded one.
  package func unread(from index: Int) -> Range<Int> {
    index..<max(index + 1, far.neighbors(of: index).behind ?? count)
  }

  /// Number of products, without deleted ones that keep their places.
  package var productTotal: ProductTotal {
    switch total {
    case .exactly(let count): .exactly(max(0, count - deleted.count))
    case .atLeast(let count): .atLeast(max(0, count - deleted.count))
    case .unknown: .unknown
    }
  }

  // MARK: Events that ask for pages

  /// Starts a query; the old rows stay until its first page arrives.
  ///
  /// `pinned` is shown at the top even if the source does not list it there; nil for none.
  package mutating func start(_ query: ProductQuery, pinning pinned: Product? = nil) -> FeedRequest
  {
    self.query = query
    self.pinned = pinned
    pin()
    generation += 1
    if !isStale { phaseShown = phase }
    phase = .loading
    isStale = true
    isRefreshing = false
    far.forgetFills()
    if head.isEmpty { shownQuery = query }
    return request(.first, .replace)
  }

  /// Restores the query whose rows are still shown; false if there are none.
  mutating func restoreShown() -> Bool {
    guard isStale, let phaseShown else { return false }
    generation += 1
    query = shownQuery
    isStale = false
    phase = phaseShown == .loading ? .idle : phaseShown
    return true
  }

  /// Restores an earlier state; responses to requests since then are dropped.
  mutating func restore(_ earlier: ProductFeed) {
    let generation = generation + 1
    self = earlier
    self.generation = generation
    isRefreshing = false
    waitingPage = nil
    far.forgetFills()
    if phase == .loading { phase = .idle }
  }

  /// Repeats the failed or stopped request at the end of the head, nil if there is none; failed pages
  /// elsewhere are requested with the next prefetch.
  package mutating func retry() -> FeedRequest? {
    far.forgetFailures()
    guard phase == .stopped || phase.failure != nil else { return nil }
    if isStale { return start(query) }
    phase = .idle
    return loadNext()
  }

  /// Requests the first page and the page at the start of `visible` again.
  package mutating func refresh(visible: Range<Int>) -> [FeedRequest] {
    guard !isStale, scan == nil else { return [start(query, pinning: pinned)] }
    guard !isRefreshing else { return [] }
    isRefreshing = true
    newCount = 0
    refreshedRows = visible
    return [request(.first, seenAt == nil ? .refreshTop(pagesRead: 1) : .renew)]
  }

  func request(_ position: PagePosition, _ purpose: FeedRequest.Purpose) -> FeedRequest {
    // Pages by number are put in order by their counts; others do not wait for one.
    let countsExactly = if case .number = position { true } else { false }
    let page = PageRequest(
      query: query, position: position, size: pageSize, countsExactly: countsExactly)
    return FeedRequest(generation: generation, page: page, purpose: purpose)
  }

  mutating func loadNext() -> FeedRequest? {
    guard let next else {
      phase = .ended
      return nil
    }
    phase = .loading
    return request(next, .append)
  }

  // MARK: Answers

  /// Shows a cached first page until the response arrives; false if newer rows are shown.
  ///
  /// `count` is the number of cached products that were searched for the rows; nil for a cached page.
  package mutating func preview(
    _ page: Cached<ProductPage>, among count: Int? = nil, for request: FeedRequest
  ) -> Bool {
    guard request.generation == generation, isStale, request.purpose == .replace else {
      return false
    }
    (seenAt, seenCount) = (page.seconds, count)
    show(page.value)
    return true
  }

  /// Takes a page in and returns the requests that are needed so that no product is missed.
  ///
  /// A page of an earlier query is dropped. `scan` is the progress of the scan for it, `seenAt` the
  /// time of a cached page in seconds since 1970, and `count` the number of cached products that were
  /// searched.
  package mutating func didReceive(
    _ page: ProductPage, scan: ScanProgress? = nil, seenAt: Int64? = nil, among count: Int? = nil,
    for request: FeedRequest
  ) -> [FeedRequest] {
    guard request.generation == generation else { return [] }
    defer { if let scan { didTake(scan) } }
    if let seenAt {
      self.seenAt = min(seenAt, self.seenAt ?? seenAt)
      if request.purpose == .replace { seenCount = count }
    } else if request.purpose == .replace || request.purpose == .renew {
      (self.seenAt, seenCount) = (nil, nil)
    }
    switch request.purpose {
    case .replace: return replace(with: page)
    case .renew:
      isRefreshing = false
      newCount = page.products.count { !known.contains($0.id) }
      return replace(with: page)
    case .fill(let number): return takeFill(page, number: number)
    case .append: return append(page, at: request.page.position)
    case .confirm(let number): return confirm(with: page, before: number)
    case .refreshTop(let pagesRead): return refreshTop(page, pagesRead: pagesRead)
    case .refreshAround(let id):
      if let index = index(of: id) { splice(page, at: .around(index)) }
      return []
    }
  }

  /// Records that a request failed; the rows stay.
  package mutating func didFail(_ error: RepositoryError, for request: FeedRequest) {
    guard request.generation == generation else { return }
    if error == .unknownCursor, case .after = request.page.position { return loseCursors(request) }
    switch request.purpose {
    case .replace, .append, .confirm: phase = .failed(error)
    case .refreshTop, .refreshAround, .renew: isRefreshing = false
    case .fill(let number): far.didFail(error, number: number)
    }
  }

  // MARK: Changes that are known without reading a page

  /// Inserts a registered product at the top.
  package mutating func putOnTop(_ product: Product) {
    pinned = product
    let before = head.count
    pin()
    if head.count > before, case .exactly(let count) = total { total = .exactly(count + 1) }
  }

  /// Sets the count that the source returned to a separate request.
  mutating func didCount(_ total: ProductTotal) {
    self.total = total
    deleted = []
  }

  /// Replaces a product in its row; nothing moves.
  mutating func replaceRow(with product: Product) {
    if pinned?.id == product.id { pinned = product }
    far.replace(with: product)
    guard known.contains(product.id), let index = index(of: product.id) else { return }
    head[index] = ListedProduct(product)
  }

  /// Moves the row of a product to its group, and adds one if it now belongs among the loaded rows.
  ///
  /// A row that belongs behind them is held at their end until its page arrives.
  mutating func moveToItsGroup(_ product: Product) {
    guard isGrouped else { return }
    let wasKnown = known.contains(product.id)
    if wasKnown, let index = index(of: product.id) {
      head.remove(at: index)
      // The next page no longer follows this product.
      cursors[product.id] = nil
    } else {
      let finds = ProductFilterEvaluator(shownQuery, parts: shownQuery.parts)
      guard !isStale, finds.keeps(product) else { return }
    }
    let place = head.firstIndex { SaleGroup.precedes(product, $0.product) }
    guard wasKnown || place != nil || phase == .ended else { return }
    head.insert(ListedProduct(product), at: place ?? head.count)
    known.insert(product.id)
  }

  /// Index of the first row of each group; empty if the rows are not grouped.
  package var groupStarts: [(group: SaleGroup, index: Int)] {
    guard isGrouped else { return [] }
    var starts: [(group: SaleGroup, index: Int)] = []
    for (index, row) in head.enumerated() {
      let group = SaleGroup(of: row.product)
      if starts.last.map({ $0.group < group }) ?? true { starts.append((group, index)) }
    }
    return starts
  }

  /// Removes a row; the others stay in order.
  package mutating func removeRow(of id: Product.ID) {
    if pinned?.id == id { pinned = nil }
    guard let index = index(of: id) else { return }
    if known.remove(id) != nil { head.remove(at: index) } else { far.remove(at: index) }
    far.shift(by: -1, from: index)
    deleted.remove(id)
    if case .exactly(let count) = total { total = .exactly(max(0, count - 1)) }
  }
}

// MARK: Scanning

extension ProductFeed {
  /// Whether a scan for more rows is running.
  package var isScanning: Bool { scan != nil && phase == .loading && !isStale }

  /// Sets the progress of the scan for a request in progress: a further request continues there.
  mutating func didScan(_ progress: ScanProgress, for request: FeedRequest) {
    guard request.generation == generation, request.purpose == .append else { return }
    scan = progress
    next = progress.next
  }

  /// Stops a scan; the response of its request is dropped.
  mutating func stop() {
    guard isScanning else { return }
    generation += 1
    phase = .stopped
  }

  /// Sets the progress of the scan for the rows; at its end the number of rows is known.
  private mutating func didTake(_ progress: ScanProgress) {
    scan = progress
    if phase == .ended { total = .exactly(head.count) }
  }
}

/// State of the end of a feed.
package enum FeedPhase: Hashable, Sendable {
  /// More products can be loaded.
  case idle
  /// A page is being loaded.
  case loading
  /// The last page failed; the rows stay.
  case failed(RepositoryError)
  /// The user stopped the scan; it continues when more rows are requested.
  case stopped
  /// All products are loaded.
  case ended

  /// Error of the last page; nil if it did not fail.
  package var failure: RepositoryError? {
    if case .failed(let error) = self { error } else { nil }
  }
}

/// Request for a page of a feed, with the context of its response.
package struct FeedRequest: Hashable, Sendable {
  /// Purpose of a page; it decides where its products go.
  package enum Purpose: Hashable, Sendable {
    /// First page of a new query: replaces the rows.
    case replace
    /// Page after the last one.
    case append
    /// Page before one that may not adjoin the rows and waits.
    case confirm(before: Int)
    /// First page of a refresh, and further ones until a known product is found.
    case refreshTop(pagesRead: Int)
    /// Page that begins at or behind this product, again.
    case refreshAround(Product.ID)
    /// First page again, for cached rows: replaces them when it arrives.
    case renew
    /// Page of this number, away from the head.
    case fill(number: Int)

    var isFill: Bool { if case .fill = self { true } else { false } }

    /// Whether the list is read again from its top.
    var isTop: Bool {
      switch self {
      case .replace, .renew, .refreshTop(1): true
      case .refreshTop, .append, .confirm, .refreshAround, .fill: false
      }
    }
  }

  /// Number of the query within the feed; responses of earlier ones are dropped.
  package let generation: Int
  package let page: PageRequest
  package let purpose: Purpose
}

/// Product of a list, with its foreign texts made safe to draw once, on arrival.
package nonisolated struct ListedProduct: Hashable, Sendable, Identifiable {
  package let product: Product
  /// Name; a dash if it has no visible character.
  package let name: SafeText
  package let seller: SafeText

  package init(_ product: Product) {
    self.product = product
    let name = SafeText(product.name)
    self.name = name.string.allSatisfy(\.isWhitespace) ? "—" : name
    seller = SafeText(product.seller.name)
  }

  package var id: Product.ID { product.id }
}
