internal import MarketModel

/// Changes of a market that the rows of a list do not show yet: a pure machine that says what to read,
/// one question at a time, and takes the answers in.
///
/// Rows are told apart by id. It remembers no more of them than the list holds.
struct LiveChanges: Sendable {
  /// What is asked of the market.
  enum Question: Hashable, Sendable {
    /// The first page of the list, which shows what is new.
    case top
    /// Just these rows.
    case rows([Product.ID])
    /// Which of these newly listed products the list would have.
    case finds([Product.ID])
    /// The page of this number, for these rows.
    case page(number: Int, [Product.ID])
  }

  /// Row on the screen.
  struct ShownRow: Hashable, Sendable {
    let index: Int
    let id: Product.ID
  }

  /// Rows that are older than their products.
  private(set) var stale: Set<Product.ID> = []
  /// Rows whose products were deleted; they stand where they were.
  private(set) var gone: Set<Product.ID> = []
  private(set) var pendingProducts = PendingNewProducts()
  /// Newly listed products of which the market has to say whether they are for the list.
  private(set) var candidates: Set<Product.ID> = []
  private var isTopDue = false
  /// What was known when the list began to be read again.
  private var begun:
    (pendingProducts: PendingNewProducts, candidates: Set<Product.ID>, gone: Set<Product.ID>)?

  private static let maxCandidates = 1_000

  // MARK: What happened

  /// Notes what others changed.
  mutating func note(
    _ changes: [MarketChange], in feed: ProductFeed, parts: Set<QueryPart>
  ) {
    for change in changes {
      switch change {
      case .product(let change): note(change, in: feed, parts: parts)
      case .seller(let seller):
        stale.formUnion(feed.rows.filter { $0.product.seller.id == seller }.map(\.id))
      // No row shows what was asked.
      case .question: break
      }
    }
  }

  /// Notes that anything may have changed: every row, and what stands above them.
  mutating func noteReset(in feed: ProductFeed) {
    stale = Set(feed.rows.map(\.id))
    isTopDue = true
  }

  private mutating func note(
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

  /// A narrowed list has what the market says; where that cannot be asked for numbers, the first page
  /// of the newest tells, and in another order nothing does.
  private mutating func noteListed(
    _ id: Product.ID, in query: ProductQuery, parts: Set<QueryPart>
  ) {
    if !query.isNarrowed { return pendingProducts.insert(id) }
    // What was registered from here alone is not listed by others.
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

  /// Takes back what is known of a product, for its row is what this program made of it.
  mutating func forget(_ id: Product.ID) {
    stale.remove(id)
    gone.remove(id)
    candidates.remove(id)
    pendingProducts.remove(id)
  }

  // MARK: Questions

  /// What to ask now; nil where nothing on the screen is old.
  func question(
    in feed: ProductFeed, shown: @autoclosure () -> [ShownRow], parts: Set<QueryPart>
  ) -> Question? {
    guard !feed.isStale, !feed.isRefreshing, feed.seenAt == nil else { return nil }
    // The top of what a market does not understand is that of all its products.
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

  /// The question is asked: what changes from now on has to be asked for again.
  mutating func begin(_ question: Question) {
    switch question {
    case .top: isTopDue = false
    case .rows(let ids), .page(_, let ids): stale.subtract(ids)
    case .finds(let ids): candidates.subtract(ids)
    }
  }

  /// The question was not answered, and is to be asked again.
  mutating func giveBack(_ question: Question) {
    switch question {
    case .top: isTopDue = true
    case .rows(let ids), .page(_, let ids): stale.formUnion(ids)
    case .finds(let ids): candidates.formUnion(ids)
    }
  }

  /// Takes an answer in, and says which rows it has new values for.
  mutating func take(
    _ page: ProductPage, for question: Question, in feed: ProductFeed
  ) -> [Product] {
    let found = Set(page.products.map(\.id))
    switch question {
    case .top:
      noteTop(of: page, in: feed)
      // A change that came meanwhile may be newer than the page.
      return page.products.filter { feed.holds($0.id) && stale.remove($0.id) != nil }
    case .rows(let ids):
      noteMissing(ids.filter { !found.contains($0) }, of: page, in: feed)
      return page.products
    case .finds: for id in found where !feed.holds(id) { pendingProducts.insert(id) }
    case .page(_, let ids): return page.products.filter { ids.contains($0.id) }
    }
    return []
  }

  /// What stands before the last known product of the first page and is not known is new.
  private mutating func noteTop(of page: ProductPage, in feed: ProductFeed) {
    let last = page.products.lastIndex { feed.holds($0.id) }
    let above = page.products[..<(last ?? page.products.endIndex)]
    for product in above where !feed.holds(product.id) { pendingProducts.insert(product.id) }
    if last == nil, page.next != nil { pendingProducts.insertUncounted() }
  }

  /// Rows that an answer lacks are gone, unless it had no room for them or parts of it are unreadable.
  private mutating func noteMissing(
    _ ids: [Product.ID], of page: ProductPage, in feed: ProductFeed
  ) {
    if page.next != nil, !page.products.isEmpty { return stale.formUnion(ids) }
    guard page.next == nil, page.unreadableRows == 0 else { return }
    for id in ids where feed.holds(id) { gone.insert(id) }
  }

  // MARK: Reading the list again

  /// The list begins to be read again.
  mutating func willRead() { begun = (pendingProducts, candidates, gone) }

  /// The rows that were deleted before the list began to be read again, which can go now.
  mutating func takeDeletedIDs() -> Set<Product.ID> {
    guard let begun else { return [] }
    gone.subtract(begun.gone)
    return begun.gone
  }

  /// The list was read again: it shows what had happened when that began.
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
  /// All rows that have been read.
  var rows: [ListedProduct] { head + far.all }

  /// Whether a product is among them.
  func holds(_ id: Product.ID) -> Bool { known.contains(id) || far.place(of: id) != nil }

  /// Those of these products that are other than their rows, and which of them by more than the
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
