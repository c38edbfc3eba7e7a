package import MarketModel
package import SafeTextKit

/// The products of one query, page by page: a pure machine that answers events with the requests to
/// run and puts late, repeated and shifted pages in order.
///
/// The beginning is unbroken (`head`) and grows at its end, cursor by cursor. Where the source counts
/// and knows pages by number, every other place can be gone to at once: its pages are read as they
/// are looked at, and what lies between stays unread.
///
/// Products are told apart by id. Nothing here waits: the owner runs the requests and comes back
/// with `didReceive` or `didFail`.
package struct ProductFeed: Sendable {
  package internal(set) var query: ProductQuery
  /// The query that the rows belong to, which is the one before until the first page of the present
  /// one has come.
  package internal(set) var shownQuery: ProductQuery
  /// The unbroken beginning of the list, in the order of the query.
  package internal(set) var head: [ListedProduct] = []
  /// What is known behind it.
  var far = DetachedPages()
  package internal(set) var phase: FeedPhase = .loading
  /// Places of the list, as far as its market says.
  package internal(set) var total: ProductTotal = .unknown
  /// Products that were deleted since that was read, and keep their places until the list is read again.
  var deleted: Set<Product.ID> = []
  /// Products that the last refresh found above the ones that were there.
  package internal(set) var newCount = 0
  /// True until the first page of the present query has come; the rows are then those of the query
  /// before.
  package internal(set) var isStale = true
  /// Where the rows are what was seen earlier: when the oldest of them were read, in seconds since
  /// 1970.
  package internal(set) var seenAt: Int64?
  /// Where the rows were found among products that were seen earlier: how many these are.
  package internal(set) var seenCount: Int?
  package internal(set) var isRefreshing = false
  /// Whether the rows stand in groups, each the newest first.
  package internal(set) var isGrouped = false
  /// Where the market is sifted for the rows: how far that has come.
  package internal(set) var scan: ScanProgress?
  /// Rows that the source sent and nobody could read.
  package internal(set) var unreadableRows = 0

  package let pageSize: Int
  var generation = 0
  var next: PagePosition?
  var known: Set<Product.ID> = []
  /// The cursor behind the last product of each page, to read the page after it again.
  var cursors: [Product.ID: PageCursor] = [:]
  /// Pages in a row that brought nothing new; a source that repeats itself is not asked for ever.
  var emptyPages = 0
  /// The count when the last page at the end was read; a smaller one later says that pages by number
  /// have shifted towards the front.
  var totalAtEnd: ProductTotal = .unknown
  /// A page that is not yet known to adjoin the rows.
  var waitingPage: ProductPage?
  /// Registered just now, and shown on top of a source whose order is its own.
  var pinned: Product?
  /// The pinned product, where it stands in a row of its own because the source does not list it.
  package internal(set) var newlyRegistered: Product.ID?
  /// State of the end of the rows of the query before; nil where none have come.
  var phaseShown: FeedPhase?
  /// The rows on the screen when a refresh began.
  var refreshedRows = 0..<0

  package init(query: ProductQuery = ProductQuery(), pageSize: Int = 20) {
    self.query = query
    shownQuery = query
    self.pageSize = pageSize
  }

  // MARK: Rows

  /// Number of places that can be gone to: those of the whole list where that is known.
  package var count: Int {
    guard canJump, phase != .ended else { return head.count }
    return max(head.count, far.end ?? counted)
  }

  /// The product at a place; nil where it has not been read.
  package subscript(index: Int) -> ListedProduct? {
    head.indices.contains(index) ? head[index] : far[index]
  }

  /// Index of a product; `hint` is where it was last.
  package func index(of id: Product.ID, hint: Int? = nil) -> Int? {
    if let hint, self[hint]?.id == id { return hint }
    guard known.contains(id) else { return far.place(of: id) }
    return head.firstIndex { $0.id == id }
  }

  /// Whether it is known how many rows there are, so that the last one can be gone to.
  package var knowsEnd: Bool {
    if case .exactly = total, canJump { return true }
    return phase == .ended
  }

  /// Whether the last row is known as such: by the head, or by the last page where that was gone to.
  package var hasReadEnd: Bool {
    phase == .ended || canJump && far.end == count
  }

  /// Whether the source may say how many rows there are if it is asked for that alone.
  var shouldCount: Bool {
    if case .exactly = total { return false }
    return !isStale && phase != .ended
  }

  /// Whether rows behind all that are known are on their way.
  package var awaitsRows: Bool {
    phase == .loading && scan == nil && (!isStale || head.isEmpty) && count == head.count
  }

  /// Whether the rows are what was seen earlier, while their page is on its way.
  package var isPreview: Bool { seenAt != nil && isStale && phase == .loading }

  /// Why a page that was asked for last did not come.
  package var failure: RepositoryError? {
    phase.failure ?? far.failures.min { $0.key < $1.key }?.value
  }

  /// Whether the page of a row did not come.
  package func hasFailed(at index: Int) -> Bool {
    if index < reach { return phase.failure != nil && index >= head.count }
    return far.number(at: index).map { far.failures[$0] != nil } ?? false
  }

  /// How many products there are: those that only keep a place are none any more.
  package var productTotal: ProductTotal {
    switch total {
    case .exactly(let count): .exactly(max(0, count - deleted.count))
    case .atLeast(let count): .atLeast(max(0, count - deleted.count))
    case .unknown: .unknown
    }
  }

  // MARK: Events that ask for pages

  /// Starts a query; the old rows stay until its first page comes.
  ///
  /// `pinned` stands on top even where the source does not list it there.
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

  /// Goes back to the query whose rows are still there; false where there are none.
  mutating func restoreShown() -> Bool {
    guard isStale, let phaseShown else { return false }
    generation += 1
    query = shownQuery
    isStale = false
    phase = phaseShown == .loading ? .idle : phaseShown
    return true
  }

  /// Takes up an earlier state of itself; what has been asked for since is dropped when it comes.
  mutating func restore(_ earlier: ProductFeed) {
    let generation = generation + 1
    self = earlier
    self.generation = generation
    isRefreshing = false
    waitingPage = nil
    far.forgetFills()
    if phase == .loading { phase = .idle }
  }

  /// Says how far the rows are looked at; asks for the next page when it should be on its way.
  ///
  /// - Parameters:
  ///   - firstVisible: index of the first row on the screen; from far behind the head, that is not
  ///     read on.
  ///   - lastVisible: index of the last row on the screen.
  ///   - ahead: rows that should be known behind it, at least one screen.
  /// - Returns: the next page's request, once, however often it is asked for.
  package mutating func didShow(
    firstVisible: Int = 0, lastVisible: Int, ahead: Int
  ) -> FeedRequest? {
    guard phase == .idle, !isStale, lastVisible + ahead >= head.count - 1 else { return nil }
    if canJump, isHeadFull || firstVisible >= reach { return nil }
    if case .number(let number) = next, far.fills.contains(number) { return nil }
    return loadNext()
  }

  /// Asks again for what failed or was stopped at the end of the head; what failed elsewhere is wanted
  /// again.
  package mutating func retry() -> FeedRequest? {
    far.forgetFailures()
    guard phase == .stopped || phase.failure != nil else { return nil }
    if isStale { return start(query) }
    phase = .idle
    return loadNext()
  }

  /// Reads the first page again and the page in which `visible` begins.
  package mutating func refresh(visible: Range<Int>) -> [FeedRequest] {
    guard !isStale, scan == nil else { return [start(query, pinning: pinned)] }
    guard !isRefreshing else { return [] }
    isRefreshing = true
    newCount = 0
    refreshedRows = visible
    return [request(.first, seenAt == nil ? .refreshTop(pagesRead: 1) : .renew)]
  }

  // MARK: Answers

  /// Shows what was seen of the first page until the page itself comes; false where something newer
  /// is shown already.
  ///
  /// `count` is among how many products that were seen they were found; nil where the page itself was.
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

  /// Takes a page in and says what must be read next so that no product is missed.
  ///
  /// One of an earlier query is dropped. `scan` is how far the market was sifted for it, `seenAt` when
  /// a remembered page was read, in seconds since 1970, and `count` among how many products that were
  /// seen its rows were found.
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

  /// Notes that a page did not come; the products that are there stay.
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

  /// Puts a product on top that was registered just now; the other rows stay.
  package mutating func putOnTop(_ product: Product) {
    pinned = product
    let before = head.count
    pin()
    if head.count > before, case .exactly(let count) = total { total = .exactly(count + 1) }
  }

  /// Takes the number of products that the source found out when it was asked for that alone.
  mutating func didCount(_ total: ProductTotal) {
    self.total = total
    deleted = []
  }

  /// Puts a product's new values in its row; nothing moves.
  mutating func replaceRow(with product: Product) {
    if pinned?.id == product.id { pinned = product }
    far.replace(with: product)
    guard known.contains(product.id), let index = index(of: product.id) else { return }
    head[index] = ListedProduct(product)
  }

  /// Moves the row of a product where its group has come to be another one, and gives it a row where it
  /// has come to belong among those that were read.
  ///
  /// A row that belongs behind them stands at their end until its page comes.
  mutating func moveToItsGroup(_ product: Product) {
    guard isGrouped else { return }
    let wasKnown = known.contains(product.id)
    if wasKnown, let index = index(of: product.id) {
      head.remove(at: index)
      // The page behind it no longer follows it.
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

  /// The index at which each group of the rows begins; none where they are not grouped.
  package var groupStarts: [(group: SaleGroup, index: Int)] {
    guard isGrouped else { return [] }
    var starts: [(group: SaleGroup, index: Int)] = []
    for (index, row) in head.enumerated() {
      let group = SaleGroup(of: row.product)
      if starts.last.map({ $0.group < group }) ?? true { starts.append((group, index)) }
    }
    return starts
  }

  /// Takes a product out; the rest stays in order.
  package mutating func removeRow(of id: Product.ID) {
    if pinned?.id == id { pinned = nil }
    guard let index = index(of: id) else { return }
    if known.remove(id) != nil { head.remove(at: index) } else { far.remove(at: index) }
    far.shift(by: -1, from: index)
    deleted.remove(id)
    if case .exactly(let count) = total { total = .exactly(max(0, count - 1)) }
  }
}

// MARK: Sifting

extension ProductFeed {
  /// Whether the market is being sifted for more rows.
  package var isScanning: Bool { scan != nil && phase == .loading && !isStale }

  /// Notes how far the market was sifted without a find for the page that is on its way: another
  /// request for it begins there.
  mutating func didScan(_ progress: ScanProgress, for request: FeedRequest) {
    guard request.generation == generation, request.purpose == .append else { return }
    scan = progress
    next = progress.next
  }

  /// Stops sifting; what is on its way is dropped when it comes.
  mutating func stop() {
    guard isScanning else { return }
    generation += 1
    phase = .stopped
  }

  /// Takes note of how far the market was sifted for the rows; at the end all finds are known.
  private mutating func didTake(_ progress: ScanProgress) {
    scan = progress
    if phase == .ended { total = .exactly(head.count) }
  }
}

/// State of a feed's end.
package enum FeedPhase: Hashable, Sendable {
  /// More products may come when they are wanted.
  case idle
  /// A page is on its way.
  case loading
  /// The last page did not come; the products before it stay.
  case failed(RepositoryError)
  /// Somebody stopped the sifting of the market; more is read when that is asked for.
  case stopped
  /// Everything is here.
  case ended

  /// Why the last page did not come.
  package var failure: RepositoryError? {
    if case .failed(let error) = self { error } else { nil }
  }
}

/// A page that a feed wants to be read, with what is needed to recognise its answer.
package struct FeedRequest: Hashable, Sendable {
  /// Purpose of reading the page; it decides where its products go.
  package enum Purpose: Hashable, Sendable {
    /// The first page of a new query: it replaces what is shown.
    case replace
    /// The page after the last one.
    case append
    /// The page before one that came and may not adjoin what is known, which waits meanwhile.
    case confirm(before: Int)
    /// The first page again, and after it more until it meets what is known.
    case refreshTop(pagesRead: Int)
    /// The page that begins at or behind this product again.
    case refreshAround(Product.ID)
    /// The first page again, of rows that were read long ago: it replaces them when it comes.
    case renew
    /// The page of this number, away from the head.
    case fill(number: Int)

    /// Whether the list is read from its top with it.
    var isTop: Bool {
      switch self {
      case .replace, .renew, .refreshTop(1): true
      case .refreshTop, .append, .confirm, .refreshAround, .fill: false
      }
    }
  }

  /// Counts the queries of a feed; an answer of an earlier one is dropped.
  package let generation: Int
  package let page: PageRequest
  package let purpose: Purpose
}

/// A product of a list with its foreign texts made drawable once, when it arrived.
package nonisolated struct ListedProduct: Hashable, Sendable, Identifiable {
  package let product: Product
  /// A dash where nothing of the name can be seen, so that no row seems empty.
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
