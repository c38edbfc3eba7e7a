package import MarketModel

/// List of products as one stands in it: what is loaded, what is shown and selected, and where a jump
/// leads.
///
/// It asks nobody: it says what to read, and takes in what was read.
package final class BrowsedList {
  @Observed package private(set) var feed: ProductFeed
  @Observed package private(set) var viewport = Viewport()
  /// What others changed that the rows do not show yet.
  var changes = LiveChanges()
  private var jump = Jump()
  /// The product that a way back leads to, until it is found or a key is pressed.
  private var wanted: Product.ID?

  init(pageSize: Int) {
    feed = ProductFeed(pageSize: pageSize)
  }

  /// The selected product; nil where its row has not been read.
  package var selected: ListedProduct? { feed[viewport.selected] }

  /// The rows on the screen that have been read.
  var shownRows: [LiveChanges.ShownRow] {
    let feed = feed
    return viewport.visibleWithCutRow.compactMap { index in
      feed[index].map { LiveChanges.ShownRow(index: index, id: $0.id) }
    }
  }

  // MARK: Moving

  /// What came of a move.
  enum Moved {
    /// Another row may be selected.
    case moved
    /// It leads to a row that has to be read first.
    case beyond(Int)
    /// It goes on to the last row.
    case toEnd
  }

  /// A key was read: a jump that is still loading pages ends where it is.
  func didPressKey() {
    jump.didPressKey()
    wanted = nil
  }

  /// Moves the selection as far as the rows reach.
  func move(_ move: Viewport.Move, times: Int) -> Moved {
    let distance = viewport.distance(of: move) * min(times, Jump.maxRows)
    if distance > 0, jump.goOnToEnd() { return .toEnd }
    let target = jump.start(selected: viewport.selected) + distance
    if distance > 0, target >= feed.count, !feed.knowsEnd { return .beyond(target) }
    for _ in 0..<min(times, max(1, feed.count)) { viewport.move(move) }
    return .moved
  }

  func select(_ index: Int) { viewport.select(index) }

  func scroll(by rows: Int) {
    jump.end()
    viewport.scroll(by: rows)
  }

  /// Sets out to a row; where it can only be reached page by page, up to a limit.
  func begin(jumpTo index: Int) { jump.begin(to: index, in: feed) }

  /// Sets out to a product that was in this row, which stays where it is gone.
  func begin(returnTo index: Int, of id: Product.ID?) {
    wanted = id
    begin(jumpTo: index)
  }

  /// Sets out to a product, in whichever row a page has it.
  func begin(findOf id: Product.ID) {
    jump.end()
    wanted = id
  }

  /// Whether a jump leads to a row that is not there yet.
  var isOnItsWay: Bool { jump.goal != nil }

  /// Selects the product that is wanted back, as soon as any page has it.
  private func findWanted() -> Bool {
    guard !feed.isStale, let wanted,
      let index = feed.index(of: wanted, hint: viewport.selected)
    else { return false }
    self.wanted = nil
    jump.end()
    viewport.select(index)
    return true
  }

  /// Sets out to the last row, whose number is asked for.
  func beginJumpToEnd() { jump.beginToEnd() }

  /// Takes the number of rows; true where a jump waits for it.
  func didCount(_ total: ProductTotal?) -> Bool {
    if let total { feed.didCount(total) }
    keepPlace(of: selected?.id)
    return jump.goal?.isEnd == true
  }

  /// Goes on with a jump as far as the rows reach; the number of rows where it ends short of the end.
  func goOnToGoal() -> Int? {
    guard !findWanted(), let goal = jump.goal else { return nil }
    viewport.select(goal.isEnd && feed.knowsEnd ? feed.count - 1 : goal.index)
    guard feed.knowsEnd || goal.index < feed.count else { return nil }
    let isShort = goal.isEnd && !feed.knowsEnd
    // The last one may move until it is there.
    if !goal.isEnd || selected != nil { jump.end() }
    return isShort ? feed.count : nil
  }

  /// Keeps the selected product at its place on the screen while rows come and go.
  ///
  /// Without it its neighbour is selected; a new query begins at its top.
  private func keepPlace(of id: Product.ID?, beginning begins: Bool = false) {
    if begins { return viewport.reset(count: feed.count) }
    let index = id.flatMap { feed.index(of: $0, hint: viewport.selected) } ?? viewport.selected
    viewport.didChange(count: feed.count, selected: index)
  }

  /// Takes another shape on; false where it has that already.
  func reshape(columns: Int, visibleRows: Int, scrollStep: Int) -> Bool {
    guard
      columns != viewport.columns || visibleRows != viewport.visibleRows
        || scrollStep != viewport.scrollStep
    else { return false }
    viewport.reshape(columns: columns, visibleRows: visibleRows, scrollStep: scrollStep)
    return true
  }

  // MARK: Places

  /// Place in the products, to come back to.
  package struct Position {
    fileprivate let feed: ProductFeed
    fileprivate let viewport: Viewport

    package var query: ProductQuery { feed.query }
    /// The selected row, and the product in it; nil where that was not read.
    var row: Int { viewport.selected }
    var product: Product.ID? { feed[viewport.selected]?.id }
  }

  package var place: Position { Position(feed: feed, viewport: viewport) }

  /// Whether a place is the present one.
  func isAt(_ place: Position) -> Bool { place.feed.generation == feed.generation }

  /// Goes back to a place with what was loaded there; false where nothing was.
  func restore(_ place: Position) -> Bool {
    guard !place.feed.isStale else { return false }
    feed.restore(place.feed)
    let (columns, visibleRows, scrollStep) = (
      viewport.columns, viewport.visibleRows, viewport.scrollStep
    )
    viewport = place.viewport
    viewport.reshape(columns: columns, visibleRows: visibleRows, scrollStep: scrollStep)
    return true
  }
}

// MARK: What to read

extension BrowsedList {
  func start(_ query: ProductQuery) -> FeedRequest { feed.start(query) }

  /// Goes back to the query whose rows are still there; false where there are none.
  func restoreShown(_ query: ProductQuery) -> Bool {
    query == feed.shownQuery && feed.restoreShown()
  }

  func refresh() -> [FeedRequest] { feed.refresh(visible: viewport.visibleWithCutRow) }

  func retry() -> FeedRequest? { feed.retry() }

  func stop() { feed.stop() }

  /// A page is about to be asked for.
  func willRead(_ request: FeedRequest) { if request.purpose.isTop { changes.willRead() } }

  /// What to read one screen before it is needed, and what is wanted no more.
  func fill() -> ProductFeed.Fill {
    let shown = viewport.visibleWithCutRow
    let ahead = max(shown.count, feed.query.text.isEmpty ? 20 : 10)
    // A feed that stays as it is must not be drawn again.
    var asked = feed
    var fill = asked.fill(shown, selected: viewport.selected, ahead: ahead)
    let next = asked.didShow(
      firstVisible: shown.lowerBound, lastVisible: shown.upperBound, ahead: ahead)
    if !fill.isEmpty || asked.phase != feed.phase { feed = asked }
    if let next { fill.loads.append(next) }
    return fill
  }
}

// MARK: What was read

extension BrowsedList {
  /// Shows what was seen of a page until the page itself is there; false where that is too late.
  func preview(
    _ page: MarketPage, seenAt: Int64, among count: Int?, for request: FeedRequest
  ) -> Bool {
    guard feed.preview(Cached(page.page, at: seenAt), among: count, for: request) else {
      return false
    }
    feed.isGrouped = page.isGrouped
    keepPlace(of: nil, beginning: true)
    return true
  }

  /// Notes how far the market was sifted.
  func didScan(_ progress: ScanProgress, for request: FeedRequest) {
    feed.didScan(progress, for: request)
  }

  /// Takes a page in, and says what must be read next; with the top of the list rows leave whose
  /// products were deleted before it was asked for.
  func take(
    _ page: MarketPage, seenAt: Int64?, among count: Int?, for request: FeedRequest
  ) -> [FeedRequest] {
    let selectedID = selected?.id
    let replacesOther = request.purpose == .replace && feed.seenAt == nil
    if request.purpose.isTop { for id in changes.takeDeletedIDs() { feed.removeRow(of: id) } }
    let followUps = feed.didReceive(
      page.page, scan: page.scan, seenAt: seenAt, among: count, for: request)
    feed.isGrouped = page.isGrouped
    let isLost = request.purpose == .renew && viewport.selected >= feed.count
    if isLost { jump.wait(at: viewport.selected) }
    keepPlace(of: selectedID, beginning: replacesOther)
    if request.purpose.isTop { changes.didRead(feed) }
    return followUps
  }

  /// Notes that a page did not come.
  func didFail(_ error: RepositoryError, for request: FeedRequest) {
    feed.didFail(error, for: request)
    keepPlace(of: selected?.id)
  }

  /// Puts a product on top that was registered just now; what is selected stays so.
  func putOnTop(_ product: Product) {
    let id = selected?.id
    feed.putOnTop(product)
    keepPlace(of: id)
  }

  /// Puts products' values in their rows; nothing moves but to another group, and what is selected stays
  /// so.
  func replaceRows(with products: [Product]) {
    let id = selected?.id
    for product in products {
      feed.replaceRow(with: product)
      feed.moveToItsGroup(product)
    }
    if feed.isGrouped { keepPlace(of: id) }
  }

  /// Takes note of which rows are those of deleted products now, and of which not after all; they stay.
  func didMark(deleted: Set<Product.ID>, present: Set<Product.ID>) {
    let counted = feed.deleted.union(deleted.filter(feed.holds)).subtracting(present)
    if counted != feed.deleted { feed.deleted = counted }
  }

  /// Takes a product out; its neighbour is selected.
  func removeRow(of id: Product.ID) {
    feed.removeRow(of: id)
    viewport.didChange(count: feed.count, selected: viewport.selected)
  }
}
