internal import MarketModel

/// Pagination: the effect of each kind of page on the rows.
extension ProductFeed {
  /// Maximum number of pages in a row without a new product, after which the feed ends.
  private static let emptyPageLimit = 10
  /// Maximum number of pages that a refresh reads to find a known product, before the feed starts
  /// again.
  private static let refreshLimit = 5

  mutating func replace(with page: ProductPage) -> [FeedRequest] {
    show(page)
    emptyPages = 0
    unreadableRows = 0
    isStale = false
    far.isRefused = false
    continueAfter(page)
    return []
  }

  /// Replaces all rows by a page.
  mutating func show(_ page: ProductPage) {
    head = []
    known = []
    cursors = [:]
    far.forgetRows()
    far.forgetFills()
    total = page.total
    deleted = []
    scan = nil
    splice(page, at: .exactly(0))
    far.stride = page.next.map { _ in max(1, page.products.count + page.unreadableRows) }
    shownQuery = query
    pin()
  }

  /// Inserts the pinned product at the top, unless it is listed.
  mutating func pin() {
    newlyRegistered = nil
    guard let pinned, known.insert(pinned.id).inserted else { return }
    newlyRegistered = pinned.id
    head.insert(ListedProduct(pinned), at: 0)
    far.shift(by: 1)
  }

  /// Keeps the pinned product at the top until the first page lists it.
  private mutating func pinAgain(above page: ProductPage) {
    guard let pinned else { return }
    if page.products.contains(where: { $0.id == pinned.id }) {
      (self.pinned, newlyRegistered) = (nil, nil)
    } else if !known.contains(pinned.id) {
      pin()
    }
  }

  /// Appends the next page, or requests the one before it again if products may lie between.
  mutating func append(_ page: ProductPage, at position: PagePosition) -> [FeedRequest] {
    switch joint(of: page, at: position) {
    case .adjoins:
      if position == .number(1) { addNewOnTop(of: page) }
      extend(with: page)
      return []
    case .unclear(let number):
      waitingPage = page
      return [request(.number(number - 1), .confirm(before: number))]
    case .gap(let number):
      return stepBack(before: number)
    }
  }

  /// Takes in the page before the waiting one: if it ends as the rows do, no products lie between.
  mutating func confirm(with page: ProductPage, before number: Int) -> [FeedRequest] {
    defer { waitingPage = nil }
    if let waitingPage, let last = page.products.last, last.id == head.last?.id {
      extend(with: waitingPage)
      return []
    }
    guard number == 2 || page.startsKnown(in: known) else { return stepBack(before: number - 1) }
    if number == 2 { addNewOnTop(of: page) }
    extend(with: page)
    return phase == .idle ? loadNext().map { [$0] } ?? [] : []
  }

  /// Continues by number when the source rejects its own cursors, as after it was replaced; the same
  /// cursor would be rejected every time.
  mutating func loseCursors(_ request: FeedRequest) {
    cursors = [:]
    if case .after = next { next = .number(head.count / pageSize + 1) }
    isRefreshing = false
    if request.purpose == .append { phase = .idle }
  }

  private enum Joint {
    case adjoins
    /// Products may lie between the rows and the page of this number.
    case unclear(Int)
    case gap(Int)
  }

  /// Finds out whether products may lie between the rows and a page.
  ///
  /// Pages by number shift forwards when products are deleted; the count is then smaller, and without
  /// a count it may always have happened. A page that begins with a known product leaves no gap.
  private func joint(of page: ProductPage, at position: PagePosition) -> Joint {
    guard case .number(let number) = position, number > 1, !page.startsKnown(in: known) else {
      return .adjoins
    }
    switch (totalAtEnd, page.total) {
    case (.exactly(let earlier), .exactly(let now)): return now < earlier ? .gap(number) : .adjoins
    default: return .unclear(number)
    }
  }

  /// Continues with the page before this number, then forwards again.
  private mutating func stepBack(before number: Int) -> [FeedRequest] {
    next = .number(number - 1)
    emptyPages += 1
    guard emptyPages < Self.emptyPageLimit else {
      phase = .ended
      return []
    }
    return loadNext().map { [$0] } ?? []
  }

  /// Inserts the new products of the first page above the known ones.
  private mutating func addNewOnTop(of page: ProductPage) {
    guard let meeting = page.products.firstIndex(where: { known.contains($0.id) }) else { return }
    var top = page
    top.products = Array(page.products[...meeting])
    splice(top, at: .exactly(0))
  }

  private mutating func extend(with page: ProductPage) {
    let before = head.count
    splice(page, at: .end)
    emptyPages = head.count > before ? 0 : emptyPages + 1
    continueAfter(page)
    if phase == .ended { far.forgetRows() } else { far.join(head) }
  }

  /// Takes in the first page of a refresh.
  ///
  /// If it has no known product, the next page is read too, and after `refreshLimit` pages the feed
  /// starts again.
  mutating func refreshTop(_ page: ProductPage, pagesRead: Int) -> [FeedRequest] {
    let fresh = page.products.prefix { !known.contains($0.id) }.count
    let meetsKnown = fresh < page.products.count
    let top = newCount
    newCount += fresh
    _ = updateTotal(page.total)
    let canReadOn = page.next != nil && pagesRead < Self.refreshLimit && !head.isEmpty
    guard meetsKnown || canReadOn else {
      isRefreshing = false
      return pagesRead == 1 ? replace(with: page) : [start(query)]
    }
    splice(page, at: .exactly(top))
    pinAgain(above: page)
    if !meetsKnown, let next = page.next {
      return [request(next, .refreshTop(pagesRead: pagesRead + 1))]
    }
    isRefreshing = false
    return refreshOfVisibleRows()
  }

  /// Request for the page that was on the screen when the refresh began; empty if that is the first.
  private mutating func refreshOfVisibleRows() -> [FeedRequest] {
    let first = refreshedRows.lowerBound + newCount
    if first >= reach { return rereadFar(first..<refreshedRows.upperBound + newCount) }
    let row = min(first, head.count - 1)
    guard row >= pageSize else { return [] }
    let above = head[...row]
    if let mark = above.last(where: { cursors[$0.id] != nil }), let cursor = cursors[mark.id] {
      return [request(.after(cursor), .refreshAround(mark.id))]
    }
    guard case .number = next else { return [] }
    return [request(.number(row / pageSize + 1), .refreshAround(head[row].id))]
  }

  private mutating func continueAfter(_ page: ProductPage) {
    _ = updateTotal(page.total)
    totalAtEnd = page.total
    next = page.next
    unreadableRows += page.unreadableRows
    phase = page.next == nil || emptyPages >= Self.emptyPageLimit ? .ended : .idle
  }
}

extension ProductPage {
  /// Whether the first product of the page is known.
  fileprivate func startsKnown(in known: Set<Product.ID>) -> Bool {
    products.first.map { known.contains($0.id) } ?? false
  }
}

/// Merging of pages into the rows.
extension ProductFeed {
  /// Place of a page among the rows.
  enum Anchor: Equatable {
    /// Behind all known rows.
    case end
    /// The first product is at this index.
    case exactly(Int)
    /// Near this index; at it if no product is known.
    case around(Int)
  }

  /// Merges a page into the rows.
  ///
  /// A page is a contiguous piece of the order. Between the first and the last row that both have,
  /// the page therefore decides: rows that it lacks are removed, new ones are added, and a product
  /// known elsewhere has moved. Only at the end known products keep their place and get their new
  /// values, because pages by number repeat some when they shift.
  mutating func splice(_ page: ProductPage, at anchor: Anchor) {
    let before = head.count
    defer { if anchor != .end { far.shift(by: head.count - before) } }
    let products = page.products.uniqued()
    let ids = Set(products.map(\.id))
    let shared = sharedRows(with: products, near: anchor)
    if anchor != .end {
      removeRows(of: known.intersection(ids).subtracting(shared.map { head[$0].id }))
    }
    let replaced = replacedRange(of: ids, at: anchor)
    let kept = known.intersection(ids).subtracting(head[replaced].map(\.id))
    for product in products where kept.contains(product.id) { replaceRow(with: product) }
    let fresh = products.filter { !kept.contains($0.id) }.map(ListedProduct.init)
    known.subtract(head[replaced].map(\.id))
    head.replaceSubrange(replaced, with: fresh)
    known.formUnion(fresh.map(\.id))
    // Rows that were held at the end until their page arrives move behind it.
    if isGrouped, anchor == .end { head.sort { SaleGroup.precedes($0.product, $1.product) } }
    remember(page)
  }

  /// Rising indices of the rows near the anchor that the page has in the same order.
  private func sharedRows(with products: [Product], near anchor: Anchor) -> [Int] {
    let window = window(of: anchor)
    let places = Dictionary(uniqueKeysWithValues: window.map { (head[$0].id, $0) })
    return products.compactMap { places[$0.id] }.longestIncreasingRun()
  }

  /// Rows among which a page's products are searched.
  private func window(of anchor: Anchor) -> Range<Int> {
    switch anchor {
    case .end:
      max(0, head.count - 2 * pageSize)..<head.count
    case .exactly(let index):
      min(index, head.count)..<min(head.count, index + 2 * pageSize)
    case .around(let index):
      max(0, min(index, head.count) - 2 * pageSize)..<min(head.count, index + 2 * pageSize)
    }
  }

  private func replacedRange(of ids: Set<Product.ID>, at anchor: Anchor) -> Range<Int> {
    let shared = window(of: anchor).filter { ids.contains(head[$0].id) }
    switch anchor {
    case .end:
      let tail = head.reversed().prefix { ids.contains($0.id) }.count
      return (head.count - tail)..<head.count
    case .exactly(let index):
      let start = min(index, head.count)
      return start..<max(start, shared.last.map { $0 + 1 } ?? start)
    case .around(let index):
      let place = min(index, head.count)
      return (shared.first ?? place)..<(shared.last.map { $0 + 1 } ?? place)
    }
  }

  private mutating func removeRows(of ids: Set<Product.ID>) {
    guard !ids.isEmpty else { return }
    head.removeAll { ids.contains($0.id) }
    known.subtract(ids)
  }

  /// Stores the cursor behind the page, with which the next page can be read again.
  private mutating func remember(_ page: ProductPage) {
    guard case .after(let cursor) = page.next, let last = page.products.last else { return }
    cursors[last.id] = cursor
  }
}

extension [Product] {
  /// The products without repetitions of the same id.
  fileprivate func uniqued() -> [Product] {
    var seen = Set<Product.ID>()
    return filter { seen.insert($0.id).inserted }
  }
}

extension [Int] {
  /// A longest increasing subsequence (patience sorting).
  func longestIncreasingRun() -> [Int] {
    var tops: [Int] = []
    var predecessors = [Int?](repeating: nil, count: count)
    for (position, value) in enumerated() {
      let pile = tops.firstIndex { self[$0] >= value } ?? tops.count
      predecessors[position] = pile > 0 ? tops[pile - 1] : nil
      if pile == tops.count { tops.append(position) } else { tops[pile] = position }
    }
    var run: [Int] = []
    var position = tops.last
    while let current = position {
      run.append(self[current])
      position = predecessors[current]
    }
    return run.reversed()
  }
}
