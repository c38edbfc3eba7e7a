package import MarketModel

/// The product list of the browser: loaded pages, selection, viewport and jump in progress.
///
/// It sends no requests: it returns the ones to send and takes the responses in.
package final class BrowsedList {
  @Observed package private(set) var feed: ProductFeed
  @Observed package private(set) var viewport = Viewport()
  /// Changes by others that the rows do not show yet.
  var changes = LiveChanges()
  private var jump = Jump()
  /// Product that the restored position selects, until it is found or a key is pressed; nil without
  /// one.
  private var wanted: Product.ID?

  init(pageSize: Int) {
    feed = ProductFeed(pageSize: pageSize)
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

  /// Result of a move.
  enum Moved {
    /// The selection moved, as far as the rows reach.
    case moved
    /// The target row has to be loaded first.
    case beyond(Int)
    /// The jump to the last row continues.
    case toEnd
  }

  /// Ends a jump that is still loading pages; called for each key.
  func didPressKey() {
    jump.didPressKey()
    wanted = nil
  }

  /// Moves the selection `times` times, at most `Jump.maxRows`.
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

  /// Begins a jump to a row; without pages by number it reaches at most `Jump.maxRows` further rows.
  func begin(jumpTo index: Int) { jump.begin(to: index, in: feed) }

  /// Begins a jump to a row and selects the product `id` wherever it is found; nil, or a missing
  /// product, selects the row.
  func begin(returnTo index: Int, of id: Product.ID?) {
    wanted = id
    begin(jumpTo: index)
  }

  /// Selects a product as soon as a page contains it.
  func begin(findOf id: Product.ID) {
    jump.end()
    wanted = id
  }

  /// Whether a jump waits for rows.
  var isOnItsWay: Bool { jump.goal != nil }

  /// Selects the wanted product; false if no loaded page contains it.
  private func findWanted() -> Bool {
    guard !feed.isStale, let wanted,
      let index = feed.index(of: wanted, hint: viewport.selected)
    else { return false }
    self.wanted = nil
    jump.end()
    viewport.select(index)
    return true
  }

  /// Begins a jump to the last row, whose number is not known yet.
  func beginJumpToEnd() { jump.beginToEnd() }

  /// Whether the rows should be counted, which no jump to the end does already.
  var shouldCount: Bool { feed.shouldCount && jump.goal?.isEnd != true }

  /// Sets the number of rows, nil if it could not be read; true if a jump to the end waits for it.
  func didCount(_ total: ProductTotal?) -> Bool {
    if let total { feed.didCount(total) }
    keepPlace(of: selected?.id)
    return jump.goal?.isEnd == true
  }

  /// Continues a jump as far as rows are loaded.
  /// - Returns: the number of rows if a jump to the end stops short of it; else nil.
  func goOnToGoal() -> Int? {
    guard !findWanted(), let goal = jump.goal else { return nil }
    viewport.select(goal.isEnd && feed.knowsEnd ? feed.count - 1 : goal.index)
    guard feed.knowsEnd || goal.index < feed.count else { return nil }
    let isShort = goal.isEnd && !feed.knowsEnd
    // The last row may still move until it is loaded.
    if !goal.isEnd || selected != nil { jump.end() }
    return isShort ? feed.count : nil
  }

  /// Keeps the product `id` selected at its position on the screen when rows are added or removed.
  ///
  /// If it is gone, its neighbor is selected; a new query begins at the top.
  private func keepPlace(of id: Product.ID?, beginning begins: Bool = false) {
    if begins { return viewport.reset(count: feed.count) }
    let index = id.flatMap { feed.index(of: $0, hint: viewport.selected) } ?? viewport.selected
    viewport.didChange(count: feed.count, selected: index)
  }

  /// Sets the layout; false if it is unchanged.
  func reshape(columns: Int, visibleRows: Int, scrollStep: Int) -> Bool {
    guard
      columns != viewport.columns || visibleRows != viewport.visibleRows
        || scrollStep != viewport.scrollStep
    else { return false }
    viewport.reshape(columns: columns, visibleRows: visibleRows, scrollStep: scrollStep)
    return true
  }

  // MARK: Places

  /// Snapshot of the list, to be restored later.
  package struct Position {
    fileprivate let feed: ProductFeed
    fileprivate let viewport: Viewport

    package var query: ProductQuery { feed.query }
    /// The selected row, from 0, and its product; nil if the row is not loaded.
    var row: Int { viewport.selected }
    var product: Product.ID? { feed[viewport.selected]?.id }
  }

  package var place: Position { Position(feed: feed, viewport: viewport) }

  /// Whether the list has had no other query since a snapshot.
  func isAt(_ place: Position) -> Bool { place.feed.generation == feed.generation }

  /// Restores a snapshot with its rows; false if it has none.
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

// MARK: Requests

extension BrowsedList {
  func start(_ query: ProductQuery) -> FeedRequest { feed.start(query) }

  /// Restores the query whose rows are still shown; false if there are no rows of it.
  func restoreShown(_ query: ProductQuery) -> Bool {
    query == feed.shownQuery && feed.restoreShown()
  }

  func refresh() -> [FeedRequest] { feed.refresh(visible: viewport.visibleWithCutRow) }

  func retry() -> FeedRequest? { feed.retry() }

  func stop() { feed.stop() }

  /// Called before a page is requested.
  func willRead(_ request: FeedRequest) { if request.purpose.isTop { changes.willRead() } }

  /// Requests to send one screen ahead, and those to cancel.
  func fill() -> ProductFeed.Fill {
    let shown = viewport.visibleWithCutRow
    let ahead = max(shown.count, feed.query.text.isEmpty ? 20 : 10)
    // An unchanged feed is not assigned, so that no frame is drawn for it.
    var asked = feed
    var fill = asked.fill(shown, selected: viewport.selected, ahead: ahead)
    let next = asked.didShow(
      firstVisible: shown.lowerBound, lastVisible: shown.upperBound, ahead: ahead)
    if !fill.isEmpty || asked.phase != feed.phase { feed = asked }
    if let next { fill.loads.append(next) }
    return fill
  }
}

// MARK: Responses

extension BrowsedList {
  /// Shows a cached page until its response arrives; false if newer rows are shown already.
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

  /// Sets the scan progress of a request in progress.
  func didScan(_ progress: ScanProgress, for request: FeedRequest) {
    feed.didScan(progress, for: request)
  }

  /// Takes a page in and returns the requests to send next.
  ///
  /// The first page also removes rows of products that were deleted before it was requested.
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

  /// Records that a request failed; the rows stay.
  func didFail(_ error: RepositoryError, for request: FeedRequest) {
    feed.didFail(error, for: request)
    keepPlace(of: selected?.id)
  }

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
  }
}
