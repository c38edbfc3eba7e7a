package import MarketModel
package import SafeText

/// The products of one query, page by page: a pure machine that answers events with the requests to
/// run and puts late, repeated and shifted pages in order.
///
/// Products are told apart by id. Nothing here waits: the owner runs the requests and comes back
/// with `didReceive` or `didFail`.
package struct ProductFeed: Sendable {
  package internal(set) var query: ProductQuery
  /// The products that are known, in the order of the query.
  package internal(set) var rows: [ListedProduct] = []
  package internal(set) var phase: FeedPhase = .loading
  package internal(set) var total: ProductTotal = .unknown
  /// Products that the last refresh found above the ones that were there.
  package internal(set) var newCount = 0
  /// True until the first page of the present query has come; `rows` are then those of the query
  /// before.
  package internal(set) var isStale = true
  /// Where the rows are what was seen earlier: when the oldest of them were read, in seconds since
  /// 1970.
  package internal(set) var seenAt: Int64?
  package internal(set) var isRefreshing = false
  /// Rows that the source sent and nobody could read.
  package internal(set) var unreadableRows = 0

  package let pageSize: Int
  var generation = 0
  var next: PagePosition?
  var known: Set<Product.ID> = []
  /// The cursor behind the last product of each page, to read the page after it again.
  var cursors: [Product.ID: PageCursor] = [:]
  /// Pages in a row that brought nothing new; a source that repeats itself is not asked for ever.
  var fruitlessPages = 0
  /// The count when the last page at the end was read; a smaller one later says that pages by number
  /// have shifted towards the front.
  var totalAtEnd: ProductTotal = .unknown
  /// A page that is not yet known to adjoin the rows.
  var waitingPage: ProductPage?
  /// Registered just now, and shown on top of a source whose order is its own.
  var pinned: Product?
  /// The pinned product, where it stands in a row of its own because the source does not list it.
  package internal(set) var newlyRegistered: Product.ID?
  /// Index of the first row on the screen when a refresh began.
  var refreshedRow = 0

  package init(query: ProductQuery = ProductQuery(), pageSize: Int = 20) {
    self.query = query
    self.pageSize = pageSize
  }

  /// Index of a product among `rows`; `hint` is where it was last.
  package func index(of id: Product.ID, hint: Int? = nil) -> Int? {
    if let hint, rows.indices.contains(hint), rows[hint].id == id { return hint }
    guard known.contains(id) else { return nil }
    return rows.firstIndex { $0.id == id }
  }

  /// Whether rows behind those that are known are on their way.
  package var awaitsRows: Bool { phase == .loading && (!isStale || rows.isEmpty) }

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
    phase = .loading
    isStale = true
    isRefreshing = false
    return request(.first, .replace)
  }

  /// Takes up an earlier state of itself; what has been asked for since is dropped when it comes.
  mutating func restore(_ earlier: ProductFeed) {
    let generation = generation + 1
    self = earlier
    self.generation = generation
    isRefreshing = false
    waitingPage = nil
    if phase == .loading { phase = .idle }
  }

  /// Says how far the rows are looked at; asks for the next page when it should be on its way.
  ///
  /// - Parameters:
  ///   - lastVisible: index of the last row on the screen.
  ///   - ahead: rows that should be known behind it, at least one screen.
  /// - Returns: the next page's request, once, however often it is asked for.
  package mutating func didShow(lastVisible: Int, ahead: Int) -> FeedRequest? {
    guard phase == .idle, !isStale, lastVisible + ahead >= rows.count - 1 else { return nil }
    return loadNext()
  }

  /// Asks again for what failed.
  package mutating func retry() -> FeedRequest? {
    guard case .failed = phase else { return nil }
    if isStale { return start(query) }
    phase = .idle
    return loadNext()
  }

  /// Reads the first page again and the page in which `visible` begins.
  package mutating func refresh(visible: Range<Int>) -> [FeedRequest] {
    guard !isStale, seenAt == nil else { return [start(query)] }
    guard !isRefreshing else { return [] }
    isRefreshing = true
    newCount = 0
    refreshedRow = visible.lowerBound
    return [request(.first, .refreshTop(pagesRead: 1))]
  }

  // MARK: Answers

  /// Shows what was seen of the first page until the page itself comes; false where something newer
  /// is shown already.
  package mutating func preview(_ page: Cached<ProductPage>, for request: FeedRequest) -> Bool {
    guard request.generation == generation, isStale, request.purpose == .replace else {
      return false
    }
    seenAt = page.seconds
    show(page.value)
    return true
  }

  /// Takes a page in and says what must be read next so that no product is missed.
  ///
  /// One of an earlier query is dropped. `seenAt` is when a remembered page was read, in seconds since
  /// 1970.
  package mutating func didReceive(
    _ page: ProductPage, seenAt: Int64? = nil, for request: FeedRequest
  ) -> [FeedRequest] {
    guard request.generation == generation else { return [] }
    if let seenAt {
      self.seenAt = min(seenAt, self.seenAt ?? seenAt)
    } else if request.purpose == .replace {
      self.seenAt = nil
    }
    switch request.purpose {
    case .replace: return replace(with: page)
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
    case .refreshTop, .refreshAround: isRefreshing = false
    }
  }

  // MARK: Changes that are known without reading a page

  /// Puts a product's new values in its row; nothing moves.
  mutating func replaceRow(with product: Product) {
    guard let index = index(of: product.id) else { return }
    rows[index] = ListedProduct(product)
  }

  /// Takes a product out; the rest stays in order.
  mutating func removeRow(of id: Product.ID) {
    guard let index = index(of: id) else { return }
    rows.remove(at: index)
    known.remove(id)
    if case .exactly(let count) = total { total = .exactly(max(0, count - 1)) }
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
  }

  /// Counts the queries of a feed; an answer of an earlier one is dropped.
  package let generation: Int
  package let page: PageRequest
  package let purpose: Purpose
}

/// A product of a list with its foreign texts made drawable once, when it arrived.
package struct ListedProduct: Hashable, Sendable, Identifiable {
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
