package import MarketModel
import Observation

/// The list of products that a person browses: what is loaded, what is on the screen, what is
/// selected, and the detail that follows the selection.
@Observable
package final class BrowserModel {
  /// How products are laid out.
  package enum Arrangement: Hashable, Sendable {
    case grid
    case list
  }

  package private(set) var feed: ProductFeed
  package private(set) var viewport = Viewport()
  package private(set) var arrangement: Arrangement
  /// What the repository can do; nil until it has said so.
  package private(set) var capabilities: RepositoryCapabilities?
  /// Whether a page has been on its way long enough to say so.
  package private(set) var showsSpinner = false
  package let detail: DetailModel

  /// Called with what a refresh found or why it failed.
  @ObservationIgnored package var didAnnounce: (Notice) -> Void = { _ in }

  private let repository: any ProductRepository
  private let clock: any Clock<Duration>
  @ObservationIgnored private var tasks: [FeedRequest: Task<Void, Never>] = [:]
  @ObservationIgnored private var spinner: Task<Void, Never>?
  /// Rows that may still be loaded because `G` was pressed; any other key ends it.
  @ObservationIgnored private var rowsToEnd = 0

  private static let spinnerDelay = Duration.milliseconds(150)
  /// How far one press of `G` loads at most.
  private static let rowsPerJumpToEnd = 1_000

  package init(
    repository: any ProductRepository, arrangement: Arrangement, pageSize: Int,
    clock: any Clock<Duration>
  ) {
    self.repository = repository
    self.arrangement = arrangement
    self.clock = clock
    feed = ProductFeed(pageSize: pageSize)
    detail = DetailModel(repository: repository, clock: clock)
  }

  package var selected: ListedProduct? {
    feed.rows.indices.contains(viewport.selected) ? feed.rows[viewport.selected] : nil
  }

  /// Reads the first page, and asks what the repository can do.
  package func start() {
    run(feed.start(feed.query))
    Task.immediate {
      capabilities = try? await repository.capabilities()
    }
  }

  // MARK: What a person does

  package func move(_ move: Viewport.Move, times: Int = 1) {
    for _ in 0..<min(times, max(1, feed.rows.count)) { viewport.move(move) }
    rowsToEnd = move == .last ? Self.rowsPerJumpToEnd : 0
    didMove()
  }

  package func select(_ index: Int) {
    rowsToEnd = 0
    viewport.select(index)
    didMove()
  }

  package func scroll(by rows: Int) {
    rowsToEnd = 0
    viewport.scroll(by: rows)
    didMove()
  }

  /// Switches between grid and list; the selected product stays.
  package func toggleArrangement() {
    arrangement = arrangement == .grid ? .list : .grid
  }

  /// Shows another query; the old rows stay until its first page comes.
  package func show(_ query: ProductQuery) {
    guard query != feed.query || feed.isStale else { return }
    cancelAll()
    run(feed.start(query))
  }

  /// Reads the first page and what is on the screen again.
  package func refresh() {
    for request in feed.refresh(visible: viewport.visibleWithCutRow) { run(request) }
  }

  /// Asks again for the page that did not come.
  package func retry() {
    if let request = feed.retry() { run(request) }
  }

  // MARK: What the screen does

  /// Says how many products fit on the screen.
  package func didLayOut(columns: Int, visibleRows: Int) {
    guard columns != viewport.columns || visibleRows != viewport.visibleRows else { return }
    viewport.reshape(columns: columns, visibleRows: visibleRows)
    loadAhead()
  }

  package func cancelAll() {
    for task in tasks.values { task.cancel() }
    tasks = [:]
  }
}

extension BrowserModel {
  private func didMove() {
    loadAhead()
    if let selected { detail.follow(selected) }
  }

  /// Asks for the next page one screen before it is needed.
  private func loadAhead() {
    let shown = viewport.visibleWithCutRow
    let ahead = max(shown.count, feed.query.text.isEmpty ? 20 : 10)
    if let request = feed.didShow(lastVisible: shown.upperBound, ahead: ahead) { run(request) }
  }

  private func run(_ request: FeedRequest) {
    tasks[request] = Task.immediate {
      do throws(RepositoryError) {
        let page = try await repository.page(request.page)
        didReceive(page, for: request)
      } catch {
        didFail(error, for: request)
      }
      tasks[request] = nil
      endSpinnerIfIdle()
    }
    startSpinner()
  }

  private func didReceive(_ page: ProductPage, for request: FeedRequest) {
    let wasRefreshing = feed.isRefreshing
    let selectedID = selected?.id
    let replaces = request.purpose == .replace
    let followUps = feed.didReceive(page, for: request)
    keepPlace(of: replaces ? nil : selectedID)
    for followUp in followUps { run(followUp) }
    if wasRefreshing, !feed.isRefreshing { didAnnounce(.refreshed(newProducts: feed.newCount)) }
    goOnToEnd()
    loadAhead()
    if let selected { detail.follow(selected) }
  }

  private func didFail(_ error: RepositoryError, for request: FeedRequest) {
    guard error != .cancelled else { return }
    let wasRefreshing = feed.isRefreshing
    feed.didFail(error, for: request)
    if wasRefreshing, !feed.isRefreshing { didAnnounce(.failed(error)) }
  }

  /// Keeps the selected product at its place on the screen while rows come and go.
  ///
  /// Without it its neighbour is selected; a new query begins at its top.
  private func keepPlace(of id: Product.ID?) {
    guard let id else { return viewport.reset(count: feed.rows.count) }
    let index = feed.index(of: id, hint: viewport.selected) ?? viewport.selected
    viewport.didChange(count: feed.rows.count, selected: index)
  }

  /// Goes on to the end after `G`, page by page.
  private func goOnToEnd() {
    guard rowsToEnd > 0 else { return }
    rowsToEnd -= feed.pageSize
    viewport.move(.last)
    if feed.phase == .ended { rowsToEnd = 0 }
  }

  private func startSpinner() {
    guard spinner == nil else { return }
    spinner = Task.immediate {
      try? await clock.sleep(for: Self.spinnerDelay)
      guard !Task.isCancelled else { return }
      showsSpinner = true
    }
  }

  private func endSpinnerIfIdle() {
    guard tasks.isEmpty else { return }
    spinner?.cancel()
    spinner = nil
    if showsSpinner { showsSpinner = false }
  }
}
