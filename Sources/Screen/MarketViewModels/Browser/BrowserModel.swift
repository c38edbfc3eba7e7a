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
  /// How large its parts are.
  package let looks: LookBook

  /// The program around, which is made after the browser.
  @ObservationIgnored package weak var delegate: (any BrowserDelegate)?

  /// Where the products come from; other layers read there too.
  let repository: any ProductRepository
  /// What was read of the same repository earlier; nil where everything is at hand.
  private let seen: (any CachedProducts)?
  @ObservationIgnored private var tasks: [FeedRequest: Task<Void, Never>] = [:]
  /// The row that a jump is on its way to, page by page; the next key ends it.
  @ObservationIgnored private var goal: Int?
  /// The goal that the key which is handled now has ended; a key that leads further down adds to it.
  @ObservationIgnored private var endedGoal: Int?

  /// How many rows one jump loads at most.
  private static let rowsPerJump = 1_000

  package init(
    repository: any ProductRepository, seen: (any CachedProducts)? = nil, arrangement: Arrangement,
    pageSize: Int, clock: any Clock<Duration>, looks: LookBook = LookBook()
  ) {
    self.repository = repository
    self.seen = seen
    self.arrangement = arrangement
    self.looks = looks
    spinner = Spinner(clock: clock)
    feed = ProductFeed(pageSize: pageSize)
    detail = DetailModel(repository: repository, seen: seen, clock: clock)
  }

  package var selected: ListedProduct? {
    feed.rows.indices.contains(viewport.selected) ? feed.rows[viewport.selected] : nil
  }

  /// Reads the first page, and asks what the repository can do.
  package func start() {
    run(feed.start(feed.query))
    if seen == nil { askCapabilities() }
  }

  // MARK: What a person does

  /// A key was read: a jump that is still loading pages ends where it is.
  package func didPressKey() { (endedGoal, goal) = (goal, nil) }

  package func move(_ move: Viewport.Move, times: Int = 1) {
    if move == .last { return jump(to: .max) }
    let distance = viewport.distance(of: move) * min(times, Self.rowsPerJump)
    let target = (endedGoal ?? viewport.selected) + distance
    if distance > 0, target >= feed.rows.count, feed.phase != .ended { return jump(to: target) }
    for _ in 0..<min(times, max(1, feed.rows.count)) { viewport.move(move) }
    didMove()
  }

  package func select(_ index: Int) {
    viewport.select(index)
    didMove()
  }

  /// Selects a row that may not be loaded yet; pages are read until it is, or up to a limit.
  package func jump(to index: Int) {
    goal = min(index, feed.rows.count + Self.rowsPerJump - 1)
    goOnToGoal()
    didMove()
  }

  package func scroll(by rows: Int) {
    goal = nil
    viewport.scroll(by: rows)
    didMove()
  }

  /// Switches between grid and list; the selected product stays.
  package func toggleArrangement() {
    arrangement = arrangement == .grid ? .list : .grid
    looks.choose(arrangement, for: \.arrangement)
  }

  /// Shows another query; the old rows stay until its first page comes.
  package func show(_ query: ProductQuery) {
    guard query != feed.query || feed.isStale else { return }
    cancelAll()
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
    cancelAll()
    guard !place.feed.isStale else { return run(feed.start(place.query)) }
    feed.restore(place.feed)
    let (columns, visibleRows, leap) = (viewport.columns, viewport.visibleRows, viewport.leap)
    viewport = place.viewport
    viewport.reshape(columns: columns, visibleRows: visibleRows, leap: leap)
    spinner.stop()
    didMove()
  }

  /// Reads the first page and what is on the screen again.
  package func refresh() {
    detail.reload()
    for request in feed.refresh(visible: viewport.visibleWithCutRow) { run(request) }
  }

  /// Asks again for what failed and can be seen: the page that did not come, or the detail.
  package func retry() {
    switch (feed.phase, detail.phase) {
    case (.failed, _): if let request = feed.retry() { run(request) }
    case (_, .failed) where detail.isShown: detail.reload()
    default: refresh()
    }
  }

  /// Whether a search or a seller keeps products from the list.
  package var showsLess: Bool { !feed.query.text.isEmpty || feed.query.seller != nil }

  /// Ends the search whose results are shown; where there is none, the view of one seller alone.
  package func showMore() {
    guard showsLess else { return }
    var query = feed.query
    if query.text.isEmpty { query.seller = nil } else { query.text = "" }
    show(query)
  }

  // MARK: What selling does

  /// Reads the newest products anew, with one on top that was registered just now.
  package func showOnTop(_ detail: ProductDetail) {
    cancelAll()
    run(feed.start(ProductQuery(), pinning: detail.product))
    // At once: the next key must not meet what was selected before.
    viewport.reset(count: feed.rows.count)
    self.detail.take(detail)
  }

  /// Takes a product's new values over; nothing moves.
  package func didChange(_ detail: ProductDetail) {
    feed.replaceRow(with: detail.product)
    if self.detail.product?.id == detail.id { self.detail.take(detail) }
  }

  /// Takes a product out; its neighbour is selected.
  func didDelete(_ id: Product.ID) {
    feed.removeRow(of: id)
    viewport.didChange(count: feed.rows.count, selected: viewport.selected)
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

  private func cancelAll() {
    for task in tasks.values { task.cancel() }
    tasks = [:]
  }
}

extension BrowserModel {
  private func didMove() {
    loadAhead()
    followSelection()
  }

  private func followSelection() {
    if let selected { detail.follow(selected) } else { detail.clear() }
  }

  /// Asks for the next page one screen before it is needed.
  private func loadAhead() {
    let shown = viewport.visibleWithCutRow
    let ahead = max(shown.count, feed.query.text.isEmpty ? 20 : 10)
    if let request = feed.didShow(lastVisible: shown.upperBound, ahead: ahead) { run(request) }
  }

  private func run(_ request: FeedRequest) {
    tasks[request] = Task.immediate {
      if request.purpose == .replace, let page = await seen?.cachedPage(request.page) {
        preview(page, for: request)
      }
      do throws(RepositoryError) {
        let page = try await page(request.page)
        didReceive(page, for: request)
        askCapabilities()
      } catch {
        await fallBack(on: error, for: request)
      }
      tasks[request] = nil
      if tasks.isEmpty { spinner.stop() }
    }
    spinner.start()
  }

  /// Shows what was seen of a page until the page itself is there.
  private func preview(_ page: Cached<ProductPage>, for request: FeedRequest) {
    guard feed.preview(page, for: request) else { return }
    keepPlace(of: nil)
    followSelection()
  }

  /// Where nobody can be reached, what was seen of a page serves as the page.
  private func fallBack(on error: RepositoryError, for request: FeedRequest) async {
    guard feed.generation == request.generation else { return }
    if case .unreachable = error, request.purpose == .replace || request.purpose == .append,
      let page = await seen?.cachedPage(request.page)
    {
      guard feed.generation == request.generation else { return }
      didReceive(page.value, seenAt: page.seconds, for: request)
      if request.purpose == .replace { delegate?.announce(.failed(error)) }
    } else {
      didFail(error, for: request)
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
  private func didReceive(_ page: ProductPage, seenAt: Int64? = nil, for request: FeedRequest) {
    guard feed.generation == request.generation else { return }
    let wasRefreshing = feed.isRefreshing
    let selectedID = selected?.id
    let replacesOther = request.purpose == .replace && feed.seenAt == nil
    let followUps = feed.didReceive(page, seenAt: seenAt, for: request)
    keepPlace(of: replacesOther ? nil : selectedID)
    for followUp in followUps { run(followUp) }
    if wasRefreshing, !feed.isRefreshing {
      delegate?.announce(.refreshed(newProducts: feed.newCount))
    }
    goOnToGoal()
    loadAhead()
    followSelection()
  }

  private func didFail(_ error: RepositoryError, for request: FeedRequest) {
    guard error != .cancelled else { return }
    let wasRefreshing = feed.isRefreshing
    feed.didFail(error, for: request)
    let hidesFailure = feed.isStale && !feed.rows.isEmpty
    if hidesFailure || (wasRefreshing && !feed.isRefreshing) { delegate?.announce(.failed(error)) }
    // A feed that can go on in another way is idle again.
    loadAhead()
  }

  /// Keeps the selected product at its place on the screen while rows come and go.
  ///
  /// Without it its neighbour is selected; a new query begins at its top.
  private func keepPlace(of id: Product.ID?) {
    guard let id else { return viewport.reset(count: feed.rows.count) }
    let index = feed.index(of: id, hint: viewport.selected) ?? viewport.selected
    viewport.didChange(count: feed.rows.count, selected: index)
  }

  /// Goes on with a jump as far as the rows reach.
  private func goOnToGoal() {
    guard let goal else { return }
    viewport.select(goal)
    if feed.phase == .ended || goal < feed.rows.count { self.goal = nil }
  }
}

// MARK: The seller's own products on a market that cannot be asked for them

extension BrowserModel {
  /// A page of a query; where the market does not tell products by seller, those that were
  /// registered from here stand for the seller's.
  private func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    guard request.query.seller != nil, capabilities?.queriesBySeller == false else {
      return try await repository.page(request)
    }
    return try await pageOfRegistered(request)
  }

  /// Reads each product by itself, the latest first; those that are gone are left out.
  private func pageOfRegistered(
    _ request: PageRequest
  ) async throws(RepositoryError) -> ProductPage {
    var rest = Array((delegate?.registered ?? []).reversed())[...]
    if case .after(let cursor) = request.position {
      rest = rest.drop { String($0.rawValue) != cursor.rawValue }.dropFirst()
    }
    let ids = rest.prefix(request.size)
    var products: [Product] = []
    for id in ids {
      do throws(RepositoryError) {
        products.append(try await repository.detail(of: id).product)
      } catch {
        guard error == .notFound else { throw error }
      }
    }
    return ProductPage(
      products: products, total: .unknown,
      next: ids.count < rest.count
        ? ids.last.map { .after(PageCursor(rawValue: String($0.rawValue))) } : nil)
  }
}

/// The program around the browser: it shows notices, and knows who sells.
package protocol BrowserDelegate: AnyObject {
  /// Products that were registered from here, the latest last, for a market that cannot be asked by
  /// seller.
  var registered: [Product.ID] { get }
  /// Shows what a refresh found or why it failed.
  func announce(_ notice: Notice)
}
