internal import MarketModel

/// Changes of a market that the rows do not show yet: a pure state machine that says what to read,
/// one question at a time, and takes the responses in.
///
/// Rows are identified by id; only rows of the list are remembered.
struct LiveChanges: Sendable {
  /// Request for changed rows.
  enum Question: Hashable, Sendable {
    /// First page of the list, for new products.
    case top
    /// Rows by id.
    case rows([Product.ID])
    /// Newly listed products, of which the response has those that match the list's query.
    case finds([Product.ID])
    /// Page of this number, for these rows.
    case page(number: Int, [Product.ID])
  }

  /// Row on the screen.
  struct ShownRow: Hashable, Sendable {
    let index: Int
    let id: Product.ID
  }

  /// Rows that are older than their products.
  private(set) var stale: Set<Product.ID> = []
  /// Rows of deleted products; they keep their places.
  private(set) var gone: Set<Product.ID> = []
  private(set) var pendingProducts = PendingNewProducts()
  /// Newly listed products that may match the list's query.
  private(set) var candidates: Set<Product.ID> = []
  private var isTopDue = false
  /// State when a reload of the list began; nil without a reload.
  private var begun:
    (pendingProducts: PendingNewProducts, candidates: Set<Product.ID>, gone: Set<Product.ID>)?

  /// Maximum number of candidates; further new products are counted as a guess.
  private static let maxCandidates = 1_000

  // MARK: Changes

  /// Records changes by others.
  mutating func record(
    _ changes: [MarketChange], in feed: ProductFeed, parts: Set<QueryPart>
  ) {
    for change in changes {
      switch change {
      case .product(let change): record(change, in: feed, parts: parts)
      case .seller(let seller):
        stale.formUnion(feed.rows.filter { $0.product.seller.id == seller }.map(\.id))
      // Rows show no questions.
      case .question: break
      }
    }
  }

  /// Records that anything may have changed: all rows and the top.
  mutating func noteReset(in feed: ProductFeed) {
    stale = Set(feed.rows.map(\.id))
    isTopDue = true
  }

  private mutating func record(
    _ change: ProductChange, in feed: ProductFeed, parts: Set<QueryPart>
  ) {
    let id = change.id
    switch change.kind {
    case .deleted:
      stale.remove(id)
      candidates.remove(id)
      pendingProducts.remove(id)
      if feed.holds(id) { gone.insert(id) }
    case .changed: if feed.holds(id) { stale.insert(id) }
    case .listed: if !feed.holds(id) { noteListed(id, in: feed.query, parts: parts) }
    }
  }

  /// Records a newly listed product.
  ///
  /// For a narrowed list the market is asked by ids; without such queries the first page shows it in
  /// order of age, and in other orders it can only be guessed.
  private mutating func noteListed(
    _ id: Product.ID, in query: ProductQuery, parts: Set<QueryPart>
  ) {
    if !query.isNarrowed { return pendingProducts.insert(id) }
    // A list of products registered on this computer gets none from others.
    guard query.parts.isSubset(of: parts) else { return }
    guard parts.contains(.ids) else {
      if query.order == .newest { isTopDue = true } else { pendingProducts.guess() }
      return
    }
    if candidates.count < Self.maxCandidates {
      candidates.insert(id)
    } else {
      pendingProducts.guess()
    }
  }

  /// Drops the changes of a product whose row this program has updated itself.
  mutating func forget(_ id: Product.ID) {
    stale.remove(id)
    gone.remove(id)
    candidates.remove(id)
    pendingProducts.remove(id)
  }

  // MARK: Questions

  /// Next question; nil if nothing on the screen is outdated.
  func question(
    in feed: ProductFeed, shown: @autoclosure () -> [ShownRow], parts: Set<QueryPart>
  ) -> Question? {
    guard !feed.isStale, !feed.isRefreshing, feed.seenAt == nil else { return nil }
    // For a query that the market cannot evaluate, its first page is that of all products.
    if isTopDue, feed.query.parts.isSubset(of: parts) { return .top }
    if !candidates.isEmpty {
      return .finds(Array(candidates.sorted(by: >).prefix(ProductQuery.maxIDs)))
    }
    guard !stale.isEmpty else { return nil }
    let due = shown().filter { stale.contains($0.id) && !gone.contains($0.id) }
    guard let first = due.first else { return nil }
    if parts.contains(.ids) { return .rows(due.prefix(ProductQuery.maxIDs).map(\.id)) }
    let number = first.index / feed.pageSize + 1
    return .page(
      number: number, due.filter { $0.index / feed.pageSize + 1 == number }.map(\.id))
  }

  /// Records that a question is sent: changes from now on need a new one.
  mutating func didAsk(_ question: Question) {
    switch question {
    case .top: isTopDue = false
    case .rows(let ids), .page(_, let ids): stale.subtract(ids)
    case .finds(let ids): candidates.subtract(ids)
    }
  }

  /// Restores a question that failed.
  mutating func giveBack(_ question: Question) {
    switch question {
    case .top: isTopDue = true
    case .rows(let ids), .page(_, let ids): stale.formUnion(ids)
    case .finds(let ids): candidates.formUnion(ids)
    }
  }

  /// Takes a response in and returns the products to be put in their rows.
  mutating func apply(
    _ page: ProductPage, for question: Question, in feed: ProductFeed
  ) -> [Product] {
    let found = Set(page.products.map(\.id))
    switch question {
    case .top:
      recordTop(of: page, in: feed)
      // A later change may be newer than the page.
      return page.products.filter { feed.holds($0.id) && stale.remove($0.id) != nil }
    case .rows(let ids):
      noteMissing(ids.filter { !found.contains($0) }, of: page, in: feed)
      return page.products
    case .finds: for id in found where !feed.holds(id) { pendingProducts.insert(id) }
    case .page(_, let ids): return page.products.filter { ids.contains($0.id) }
    }
    return []
  }

  /// Records unknown products before the last known one of the first page as new.
  private mutating func recordTop(of page: ProductPage, in feed: ProductFeed) {
    let last = page.products.lastIndex { feed.holds($0.id) }
    let above = page.products[..<(last ?? page.products.endIndex)]
    for product in above where !feed.holds(product.id) { pendingProducts.insert(product.id) }
    if last == nil, page.next != nil { pendingProducts.insertUncounted() }
  }

  /// Records rows that a response lacks as deleted, unless it is incomplete or partly unreadable.
  private mutating func noteMissing(
    _ ids: [Product.ID], of page: ProductPage, in feed: ProductFeed
  ) {
    if page.next != nil, !page.products.isEmpty { return stale.formUnion(ids) }
    guard page.next == nil, page.unreadableRows == 0 else { return }
    for id in ids where feed.holds(id) { gone.insert(id) }
  }

  // MARK: Reloading the list

  /// Records that a reload of the list begins.
  mutating func willRead() { begun = (pendingProducts, candidates, gone) }

  /// Rows that were deleted before the reload began; they can be removed now.
  mutating func takeDeletedIDs() -> Set<Product.ID> {
    guard let begun else { return [] }
    gone.subtract(begun.gone)
    return begun.gone
  }

  /// Drops the changes that a reload of the list has brought in.
  mutating func didRead(_ feed: ProductFeed) {
    if let begun {
      pendingProducts.subtract(begun.pendingProducts)
      candidates.subtract(begun.candidates)
    }
    begun = nil
    pendingProducts.keep { !feed.holds($0) }
    candidates = candidates.filter { !feed.holds($0) }
    stale = stale.filter(feed.holds)
    gone = gone.filter(feed.holds)
  }
}

extension ProductFeed {
  /// All loaded rows.
  var rows: [ListedProduct] { head + far.all }

  /// Whether a product's row is loaded.
  func holds(_ id: Product.ID) -> Bool { known.contains(id) || far.place(of: id) != nil }

  /// The products that differ from their rows, and those of them that differ by more than the
  /// seller's name.
  func differing(from products: [Product]) -> (all: [Product], visibly: [Product.ID]) {
    var (all, visibly): ([Product], [Product.ID]) = ([], [])
    for product in products {
      guard let index = index(of: product.id), var before = self[index]?.product,
        before != product
      else { continue }
      all.append(product)
      before.seller = product.seller
      if before != product { visibly.append(product.id) }
    }
    return (all, visibly)
  }
}
