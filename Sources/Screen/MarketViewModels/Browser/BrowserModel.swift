package import MarketModel
import Observation

/// The list of products that a person browses: what is loaded, what is on the screen, what is
/// selected, and the detail that follows the selection.
@Observable
package final class BrowserModel: Layer {
  /// Arrangement of the products.
  package nonisolated enum Arrangement: String, Hashable, Sendable {
    case grid
    case list
  }

  package private(set) var feed: ProductFeed
  package private(set) var viewport = Viewport()
  package private(set) var arrangement: Arrangement
  /// What the repository can do; nil until it has said so.
  package private(set) var capabilities: RepositoryCapabilities?
  package let spinner: Spinner
  package let detail: DetailModel
  /// Asks again by itself where the market does not answer.
  package let reconnection: Reconnection
  /// What changes in the market while one looks.
  package let live: LiveMarket
  /// How large its parts are.
  package let looks: LookBook

  /// The program around, which is made after the browser.
  @ObservationIgnored package weak var delegate: (any BrowserDelegate)?

  /// Where the products come from; other layers read there too.
  let repository: any ProductRepository
  /// What was read of the same repository earlier; nil where everything is at hand.
  private let seen: (any CachedProducts)?
  @ObservationIgnored let tasks: FeedTasks
  @ObservationIgnored private var jump = Jump()
  /// Whether somebody asked just now and has to be told what came of it.
  @ObservationIgnored private var owesWord = false

  package init(
    repository: any ProductRepository, seen: (any CachedProducts)? = nil,
    changes: (any ChangeSource)? = nil, arrangement: Arrangement,
    pageSize: Int, clock: any Clock<Duration>, looks: LookBook = LookBook(),
    random: @escaping () -> Double = { .random(in: 0...1) }
  ) {
    self.repository = repository
    self.seen = seen
    self.arrangement = arrangement
    self.looks = looks
    spinner = Spinner(clock: clock)
    tasks = FeedTasks(spinner: spinner, clock: clock)
    reconnection = Reconnection(clock: clock, random: random)
    live = LiveMarket(changes, clock: clock, random: random)
    feed = ProductFeed(pageSize: pageSize)
    detail = DetailModel(repository: repository, seen: seen, clock: clock)
    detail.didAsk = { [weak self] error in self?.didAsk(error) }
    live.browser = self
  }

  var pages: MarketPages {
    MarketPages(
      repository: repository, capabilities: capabilities, registered: delegate?.registered ?? [],
      own: delegate?.ownSeller)
  }

  /// The selected product; nil where its row has not been read.
  package var selected: ListedProduct? { feed[viewport.selected] }

  /// Reads the first page, asks what the repository can do, and follows what changes.
  package func start() {
    run(feed.start(feed.query))
    live.start()
    if seen == nil { askCapabilities() }
  }

  // MARK: What a person does

  /// A key was read: a jump that is still loading pages ends where it is.
  package func didPressKey() { jump.didPressKey() }

  package func move(_ move: Viewport.Move, times: Int = 1) {
    if move == .last { return jumpToEnd() }
    let distance = viewport.distance(of: move) * min(times, Jump.mostRows)
    if distance > 0, jump.goOnToEnd() { return goOnToGoal() }
    let target = jump.start(selected: viewport.selected) + distance
    if distance > 0, target >= feed.count, !feed.knowsEnd { return jump(to: target) }
    for _ in 0..<min(times, max(1, feed.count)) { viewport.move(move) }
    didMove()
  }

  package func select(_ index: Int) {
    viewport.select(index)
    didMove()
  }

  /// Selects a row; where it can only be reached page by page, these are read, up to a limit.
  package func jump(to index: Int) {
    jump.begin(to: index, in: feed)
    goOnToGoal()
    didMove()
  }

  /// Selects the last row, which the market may have to be asked for first.
  private func jumpToEnd() {
    guard feed.shouldCount, pages.canCount(feed.query) else { return jump(to: .max) }
    jump.beginToEnd()
    let (query, generation) = (feed.query, feed.generation)
    tasks.count { [repository] in
      try? await repository.total(of: query)
    } then: { [weak self] total in
      guard let self, generation == feed.generation else { return }
      if let total { feed.didCount(total) }
      keepPlace(of: selected?.id)
      if jump.goal?.isEnd == true { jump(to: .max) }
    }
  }

  package func scroll(by rows: Int) {
    jump.end()
    viewport.scroll(by: rows)
    didMove()
  }

  /// Switches between grid and list; the selected product stays.
  package func toggleArrangement() {
    arrange(as: arrangement == .grid ? .list : .grid)
    looks.choose(arrangement, for: \.arrangement)
  }

  /// Shows the products in an arrangement that the next run need not take up.
  package func arrange(as arrangement: Arrangement) {
    if arrangement != self.arrangement { self.arrangement = arrangement }
  }

  /// Shows another query; the old rows stay until its first page comes.
  package func show(_ query: ProductQuery) {
    guard query != feed.query || feed.isStale else { return }
    tasks.cancelAll()
    owesWord = true
    if query == feed.shownQuery, feed.takeUpShown() { return showWhatIsThere() }
    run(feed.start(query))
  }

  /// Place in the products, to come back to.
  package struct Place {
    fileprivate let feed: ProductFeed
    fileprivate let viewport: Viewport

    package var query: ProductQuery { feed.query }
  }

  package var place: Place { Place(feed: feed, viewport: viewport) }

  /// Goes back to a place with what was loaded there; where it is the present one nothing changes.
  package func restore(_ place: Place) {
    guard place.feed.generation != feed.generation else { return }
    tasks.cancelAll()
    guard !place.feed.isStale else { return run(feed.start(place.query)) }
    feed.restore(place.feed)
    let (columns, visibleRows, leap) = (viewport.columns, viewport.visibleRows, viewport.leap)
    viewport = place.viewport
    viewport.reshape(columns: columns, visibleRows: visibleRows, leap: leap)
    showWhatIsThere()
  }

  /// Goes on with rows that are there, with nothing on its way.
  private func showWhatIsThere() {
    spinner.stop()
    live.didReturn()
    didMove()
    if reconnection.phase == .asking { askAgain() }
  }

  /// Reads the first page and what is on the screen again.
  package func refresh() {
    detail.reload()
    refreshRows()
  }

  func refreshRows() {
    owesWord = true
    reconnection.didAsk()
    live.hurry()
    readAgain()
  }

  func readAgain() {
    // What was sifted is sifted anew, by one request at a time.
    if feed.sift != nil { tasks.cancelAll() }
    for request in feed.refresh(visible: viewport.visibleWithCutRow) { run(request) }
  }

  /// Asks again for what failed: the page that did not come, or the detail.
  package func retry() {
    owesWord = true
    reconnection.didAsk()
    live.hurry()
    askAgain()
  }

  /// Stops the sifting of pages for the list; what was found stays.
  package func stopSifting() {
    tasks.cancelAll()
    feed.stop()
    tasks.stopSpinner()
  }

  /// Goes on where that was stopped.
  package func goOnSifting() {
    if let request = feed.retry() { run(request) }
  }

  /// Asks for what failed or is old; where that is nothing, for what is there, which moves nothing
  /// unless somebody asked.
  private func askAgain() {
    let isDetailDue = detail.isDue
    if isDetailDue { detail.reload() }
    if feed.failure != nil || feed.seenAt != nil {
      askForRows()
    } else if live.isFollowed, !owesWord {
      live.catchUp()
    } else if !isDetailDue {
      readAgain()
    }
  }

  private func askForRows() {
    if feed.seenAt != nil, feed.phase != .loading { return readAgain() }
    if let request = feed.retry() { run(request) }
    loadAhead()
  }

  /// Whether a search, a seller or filters keep products from the list.
  package var showsLess: Bool { feed.query.isNarrowed }

  /// Ends the search whose results are shown; where there is none, the view of one seller alone, and
  /// then the filters.
  package func showMore() { show(feed.query.widened) }

  // MARK: What selling does

  /// Reads the newest products anew, with one on top that was registered just now.
  package func showOnTop(_ detail: ProductDetail) {
    tasks.cancelAll()
    live.didChange(detail.id, to: detail.version)
    run(feed.start(ProductQuery(), pinning: detail.product))
    // At once: the next key must not meet what was selected before.
    viewport.reset(count: feed.count)
    self.detail.take(detail)
  }

  /// Takes a product's new values over; nothing moves.
  package func didChange(_ detail: ProductDetail) {
    live.didChange(detail.id, to: detail.version)
    replaceRows(with: [detail.product])
    if self.detail.product?.id == detail.id { self.detail.take(detail) }
  }

  /// Puts products' values in their rows; nothing moves.
  func replaceRows(with products: [Product]) {
    for product in products { feed.replaceRow(with: product) }
  }

  /// Takes a product out; its neighbour is selected.
  func didDelete(_ id: Product.ID) {
    live.didChange(id, to: nil)
    feed.removeRow(of: id)
    viewport.didChange(count: feed.count, selected: viewport.selected)
    didMove()
  }

  // MARK: What the screen does

  /// Says how many products fit on the screen, and how far a step scrolls that leaves it.
  package func didLayOut(columns: Int, visibleRows: Int, leap: Int = 1) {
    guard
      columns != viewport.columns || visibleRows != viewport.visibleRows || leap != viewport.leap
    else { return }
    viewport.reshape(columns: columns, visibleRows: visibleRows, leap: leap)
    loadAhead()
  }
}

extension BrowserModel {
  private func didMove() {
    tasks.rest { [weak self] in self?.loadAhead() }
    followSelection()
  }

  private func followSelection() {
    if let selected { detail.follow(selected) } else { detail.clear() }
  }

  /// Asks for pages one screen before they are needed.
  private func loadAhead() {
    let shown = viewport.visibleWithCutRow
    let ahead = max(shown.count, feed.query.text.isEmpty ? 20 : 10)
    // A feed that stays as it is must not be drawn again.
    var asked = feed
    let fill = asked.fill(shown, selected: viewport.selected, ahead: ahead)
    let next = asked.didShow(
      firstVisible: shown.lowerBound, lastVisible: shown.upperBound, ahead: ahead)
    if !fill.isEmpty || asked.phase != feed.phase { feed = asked }
    tasks.cancel(fill.cancels)
    for request in fill.loads + [next].compactMap(\.self) { run(request) }
    tasks.stopSpinner()
    live.didShow()
  }

  private func run(_ request: FeedRequest) {
    if request.purpose.isTop { live.willRead() }
    tasks.run(request) { [self] in
      if request.purpose == .replace, let page = await seen?.cachedPage(request.page) {
        preview(page, for: request)
      }
      do throws(RepositoryError) {
        let answer = try await pages.page(request) { feed.didSift($0, for: request) }
        didReceive(answer.page, sift: answer.sift, for: request)
        askCapabilities()
        didHear()
      } catch {
        await fallBack(on: error, for: request)
      }
    }
  }

  /// Shows what was seen of a page until the page itself is there.
  private func preview(_ page: Cached<ProductPage>, for request: FeedRequest) {
    guard feed.preview(page, for: request) else { return }
    keepPlace(of: nil, beginning: true)
    followSelection()
  }

  /// Where nobody can be reached, what was seen of a page serves as the page.
  private func fallBack(on error: RepositoryError, for request: FeedRequest) async {
    guard feed.generation == request.generation else { return }
    let isNews = didNotHear(error)
    owesWord = false
    if case .unreachable = error, request.purpose == .replace || request.purpose == .append,
      let page = await seen?.cachedPage(request.page)
    {
      guard feed.generation == request.generation else { return }
      didReceive(page.value, seenAt: page.seconds, for: request)
      if request.purpose == .replace, isNews { delegate?.announce(.failed(error)) }
    } else {
      didFail(error, for: request, isNews: isNews)
    }
  }

  private func askCapabilities() {
    guard capabilities == nil else { return }
    Task.immediate {
      // A repository that cannot say now is asked again after its next page.
      if let capabilities = try? await repository.capabilities() {
        self.capabilities = capabilities
      }
    }
  }

  /// Takes a page in; the late one of a query that was left changes nothing, also not the place.
  private func didReceive(
    _ page: ProductPage, sift: SiftProgress? = nil, seenAt: Int64? = nil, for request: FeedRequest
  ) {
    guard feed.generation == request.generation else { return }
    let wasRefreshing = feed.isRefreshing
    let selectedID = selected?.id
    let replacesOther = request.purpose == .replace && feed.seenAt == nil
    let isTop = request.purpose.isTop
    if isTop { for id in live.takeGone() { feed.removeRow(of: id) } }
    let followUps = feed.didReceive(page, sift: sift, seenAt: seenAt, for: request)
    if isTop { live.didRead(feed) }
    let isLost = request.purpose == .renew && viewport.selected >= feed.count
    if isLost { jump.wait(at: viewport.selected) }
    keepPlace(of: selectedID, beginning: replacesOther)
    for followUp in followUps { run(followUp) }
    if wasRefreshing, !feed.isRefreshing, owesWord {
      delegate?.announce(.refreshed(newProducts: feed.newCount))
    }
    goOnToGoal()
    loadAhead()
    followSelection()
  }

  private func didFail(_ error: RepositoryError, for request: FeedRequest, isNews: Bool) {
    guard error != .cancelled else { return }
    let wasRefreshing = feed.isRefreshing
    feed.didFail(error, for: request)
    keepPlace(of: selected?.id)
    let hidesFailure = feed.isStale && feed.count > 0
    if isNews, hidesFailure || (wasRefreshing && !feed.isRefreshing) {
      delegate?.announce(.failed(error))
    }
    // A feed that can go on in another way is idle again.
    loadAhead()
  }

  /// Keeps the selected product at its place on the screen while rows come and go.
  ///
  /// Without it its neighbour is selected; a new query begins at its top.
  private func keepPlace(of id: Product.ID?, beginning begins: Bool = false) {
    if begins { return viewport.reset(count: feed.count) }
    let index = id.flatMap { feed.index(of: $0, hint: viewport.selected) } ?? viewport.selected
    viewport.didChange(count: feed.count, selected: index)
  }

  /// Goes on with a jump as far as the rows reach.
  private func goOnToGoal() {
    guard let goal = jump.goal else { return }
    viewport.select(goal.isEnd && feed.knowsEnd ? feed.count - 1 : goal.index)
    guard feed.knowsEnd || goal.index < feed.count else { return }
    if goal.isEnd, !feed.knowsEnd { delegate?.announce(.cameTo(row: feed.count)) }
    // The last one may move until it is there.
    if !goal.isEnd || selected != nil { jump.end() }
  }
}

// MARK: Markets that do not answer

extension BrowserModel {
  /// Takes note that the market was asked in vain; true where that has to be said.
  private func didNotHear(_ error: RepositoryError) -> Bool {
    guard error != .cancelled else { return false }
    let isNews = owesWord || !reconnection.isNeeded
    reconnection.didFail(error) { [weak self] in self?.askAgain() }
    return isNews
  }

  /// Takes note that the market answered; where it had not before, everything else is asked again.
  private func didHear() {
    let wasSilent = reconnection.didAnswer()
    if !feed.isRefreshing { owesWord = false }
    guard wasSilent else { return }
    if detail.isDue { detail.reload() }
    if feed.failure != nil || feed.seenAt != nil { askForRows() }
    live.didHear()
    delegate?.marketDidAnswer()
  }

  /// Takes note of what came of a question that was no page of the list.
  func didAsk(_ error: RepositoryError?) {
    if let error {
      _ = didNotHear(error)
    } else if reconnection.isNeeded {
      didHear()
    }
  }
}
