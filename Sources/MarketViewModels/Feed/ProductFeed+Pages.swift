internal import MarketModel

/// What each kind of page does to the rows.
extension ProductFeed {
  /// Pages in a row without anything new after which a source is taken to repeat itself.
  private static let fruitlessLimit = 5
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
    rows = []
    known = []
    cursors = [:]
    fruitlessPages = 0
    unreadableRows = 0
    isStale = false
    splice(page, at: .exactly(0))
    continueAfter(page)
    return []
  }

  mutating func append(_ page: ProductPage, at position: PagePosition) -> [FeedRequest] {
    let before = rows.count
    let earlierTotal = total
    splice(page, at: .end)
    fruitlessPages = rows.count > before ? 0 : fruitlessPages + 1
    continueAfter(page)
    guard case .number(let number) = position, number > 1,
      mayHaveShiftedUp(from: earlierTotal, to: page.total)
    else { return [] }
    return [request(.number(number - 1), .catchUp(page: number - 1))]
  }

  /// Pages by number shift towards the front when products go: a smaller count says so, and where
  /// the source does not count it may always have happened.
  private func mayHaveShiftedUp(from earlier: ProductTotal, to now: ProductTotal) -> Bool {
    switch (earlier, now) {
    case (.exactly(let earlier), .exactly(let now)): now < earlier
    case (.unknown, _), (_, .unknown): true
    default: false
    }
  }

  /// Takes the page before the newest one, read again: what it adds had slipped by.
  ///
  /// A page that meets nothing known asks for the one before it.
  mutating func catchUp(_ page: ProductPage, number: Int) -> [FeedRequest] {
    let meetsKnown = page.products.contains { known.contains($0.id) }
    splice(page, at: .around(min((number - 1) * pageSize, rows.count)))
    guard !meetsKnown, !page.products.isEmpty, number > 1 else { return [] }
    return [request(.number(number - 1), .catchUp(page: number - 1))]
  }

  /// Takes the first page in again; where it meets nothing known, the one after it is read too,
  /// and after a few of them the feed starts anew.
  mutating func refreshTop(_ page: ProductPage, pagesRead: Int) -> [FeedRequest] {
    let fresh = page.products.prefix { !known.contains($0.id) }.count
    let meetsKnown = fresh < page.products.count
    let start = newCount
    newCount += fresh
    total = page.total
    guard meetsKnown || (page.next != nil && pagesRead < Self.refreshLimit) else {
      isRefreshing = false
      return replace(with: page)
    }
    splice(page, at: .exactly(start))
    if !meetsKnown, let next = page.next {
      return [request(next, .refreshTop(pagesRead: pagesRead + 1))]
    }
    isRefreshing = false
    return refreshOfVisibleRows()
  }

  /// The page that holds what was on the screen when the refresh began, unless that is the first.
  private func refreshOfVisibleRows() -> [FeedRequest] {
    let row = min(refreshedRow + newCount, rows.count - 1)
    guard row >= pageSize else { return [] }
    let above = rows[...row]
    if let mark = above.last(where: { cursors[$0.id] != nil }), let cursor = cursors[mark.id] {
      return [request(.after(cursor), .refreshAround(mark.id))]
    }
    guard case .number = next else { return [] }
    return [request(.number(row / pageSize + 1), .refreshAround(rows[row].id))]
  }

  private mutating func continueAfter(_ page: ProductPage) {
    total = page.total
    next = page.next
    unreadableRows += page.unreadableRows
    phase = page.next == nil || fruitlessPages >= Self.fruitlessLimit ? .ended : .idle
  }
}
