internal import MarketModel

/// Effects of each kind of page on the rows.
extension ProductFeed {
  /// Pages in a row without anything new after which a source is taken to repeat itself.
  private static let emptyPageLimit = 10
  /// Pages that a refresh reads in search of something known before it starts anew.
  private static let refreshLimit = 5

  func request(_ position: PagePosition, _ purpose: FeedRequest.Purpose) -> FeedRequest {
    FeedRequest(
      generation: generation,
      page: PageRequest(query: query, position: position, size: pageSize), purpose: purpose)
  }

  mutating func loadNext() -> FeedRequest? {
    guard let next else {
      phase = .ended
      return nil
    }
    phase = .loading
    return request(next, .append)
  }

  mutating func replace(with page: ProductPage) -> [FeedRequest] {
    show(page)
    emptyPages = 0
    unreadableRows = 0
    isStale = false
    far.isRefused = false
    continueAfter(page)
    return []
  }

  /// Makes a page all that there is.
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

  /// Puts the pinned product on top, where it is not listed anyway.
  mutating func pin() {
    newlyRegistered = nil
    guard let pinned, known.insert(pinned.id).inserted else { return }
    newlyRegistered = pinned.id
    head.insert(ListedProduct(pinned), at: 0)
    far.shift(by: 1)
  }

  /// Keeps the pinned product on top until the source lists it among its first ones.
  private mutating func pinAgain(above page: ProductPage) {
    guard let pinned else { return }
    if page.products.contains(where: { $0.id == pinned.id }) {
      (self.pinned, newlyRegistered) = (nil, nil)
    } else if !known.contains(pinned.id) {
      pin()
    }
  }

  /// Takes the next page in, or reads the one before it again where products may lie between.
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

  /// Takes the page before the one that waits: where it ends as the rows do, nothing lies between.
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

  /// Goes on by number where the source knows its own cursors no more, as after it was replaced:
  /// the same cursor would be refused for ever.
  mutating func loseCursors(_ request: FeedRequest) {
    cursors = [:]
    if case .after = next { next = .number(head.count / pageSize + 1) }
    isRefreshing = false
    if request.purpose == .append { phase = .idle }
  }

  /// Way in which a page meets the rows.
  private enum Joint {
    case adjoins
    /// Products may lie between the rows and the page of this number.
    case unclear(Int)
    case gap(Int)
  }

  /// Tells whether products may lie between the rows and a page.
  ///
  /// Pages by number shift towards the front when products go: then the count is smaller, and where
  /// the source does not count it may always have happened. A page that begins with something known
  /// leaves no gap.
  private func joint(of page: ProductPage, at position: PagePosition) -> Joint {
    guard case .number(let number) = position, number > 1, !page.startsKnown(in: known) else {
      return .adjoins
    }
    switch (totalAtEnd, page.total) {
    case (.exactly(let earlier), .exactly(let now)): return now < earlier ? .gap(number) : .adjoins
    default: return .unclear(number)
    }
  }

  /// Goes on with the page before the one of this number, and from there forwards again.
  private mutating func stepBack(before number: Int) -> [FeedRequest] {
    next = .number(number - 1)
    emptyPages += 1
    guard emptyPages < Self.emptyPageLimit else {
      phase = .ended
      return []
    }
    return loadNext().map { [$0] } ?? []
  }

  /// Takes from the first page, read again, what was not there before above what was.
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

  /// Takes the first page in again; where it meets nothing known, the one after it is read too,
  /// and after a few of them the feed starts anew.
  mutating func refreshTop(_ page: ProductPage, pagesRead: Int) -> [FeedRequest] {
    let fresh = page.products.prefix { !known.contains($0.id) }.count
    let meetsKnown = fresh < page.products.count
    let top = newCount
    newCount += fresh
    _ = note(page.total)
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

  /// The page that holds what was on the screen when the refresh began, unless that is the first.
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
    _ = note(page.total)
    totalAtEnd = page.total
    next = page.next
    unreadableRows += page.unreadableRows
    phase = page.next == nil || emptyPages >= Self.emptyPageLimit ? .ended : .idle
  }
}

extension ProductPage {
  /// Whether its first product is one of those that are known.
  fileprivate func startsKnown(in known: Set<Product.ID>) -> Bool {
    products.first.map { known.contains($0.id) } ?? false
  }
}
