package import MarketModel

/// Live changes of a market: rows change in place, deleted ones are greyed out, and new products are
/// counted until the user loads them.
///
/// It follows the market's change events and reads only visible rows, with one request at a time. It
/// wakes only for events and to remove marks.
package final class LiveMarket {
  /// Mark of a row.
  package enum RowChange: Hashable, Sendable {
    case changed, deleted
  }

  /// Marks of all rows at one moment.
  struct ChangeMarks {
    fileprivate let gone: Set<Product.ID>
    fileprivate let marked: [Product.ID: Int]

    func news(of id: Product.ID) -> RowChange? {
      gone.contains(id) ? .deleted : marked[id] == nil ? nil : .changed
    }
  }

  /// New products that the list does not show yet.
  @Observed package private(set) var pendingProducts = PendingNewProducts()
  @Observed private var gone: Set<Product.ID> = []
  /// Rows that changed within `markTime`, each with the round in which it was marked.
  @Observed private var marked: [Product.ID: Int] = [:]

  private let source: (any ChangeSource)?
  private let list: ProductList
  private let clock: any Clock<Duration>
  private let jitter: Jitter
  private var own = LocalEdits()
  /// Time since this was made, by which own changes expire.
  private let elapsed: () -> Duration
  private var cursor: ChangeCursor?
  private var rounds = 0
  /// Whether following starts when the first page has arrived or failed.
  private var startsWhenRead = false
  private var following: Task<Void, Never>?
  private var waiting: Task<Void, Never>?
  private var reading: Task<Void, Never>?
  /// Number of subscriptions in a row that were lost within `longWatch`.
  private var losses = 0
  private var stopwatch: (() -> Duration)?

  /// Time for which a row is marked.
  private static let markTime = Duration.seconds(4)
  /// Maximum random delay of a question, in milliseconds, and the pause between two of them.
  private static let maxJitter = 1_000
  private static let minPause = Duration.seconds(1)
  /// A subscription that lasted this long resets `losses`.
  private static let longWatch = Duration.seconds(60)

  /// `jitter` spreads the requests of a server's clients over a second.
  init(
    _ source: (any ChangeSource)?, of list: ProductList, clock: any Clock<Duration>,
    jitter: Jitter
  ) {
    self.source = source
    self.list = list
    self.clock = clock
    self.jitter = jitter
    elapsed = Reconnection.stopwatch(on: clock)
  }

  /// Whether the market reports changes.
  var isFollowed: Bool { source != nil }

  var news: ChangeMarks { ChangeMarks(gone: gone, marked: marked) }

  package func news(of id: Product.ID) -> RowChange? { news.news(of: id) }

  // MARK: Following

  /// Starts following when the first page, which is being requested, has arrived; changes until then
  /// are read again.
  func startBehindFirstPage() { startsWhenRead = following == nil }

  /// Starts following the market at the last cursor.
  func start() {
    startsWhenRead = false
    guard let source, following == nil else { return }
    waiting?.cancel()
    waiting = nil
    stopwatch = Reconnection.stopwatch(on: clock)
    following = Task { for await news in source.news(after: cursor) { didReceive(news) } }
  }

  /// Stops following and reading until `start()`.
  func stop() {
    startsWhenRead = false
    for task in [following, waiting, reading] { task?.cancel() }
    (following, waiting, reading) = (nil, nil, nil)
  }

  /// Resumes following at the last cursor; called when the market is shown or answers again.
  func resume() {
    start()
    schedule()
  }

  /// Starts following at once if a reconnection is scheduled.
  func reconnectNow() { if waiting != nil { start() } }

  private func didReceive(_ news: ChangeEvent) {
    switch news {
    case .watching(let cursor):
      // Changes between the first page and this cursor were not reported.
      if self.cursor == nil { noteReset() }
      self.cursor = cursor
    case .changes(let batch):
      losses = 0
      cursor = batch.cursor
      if batch.isReset { noteReset() }
      apply(batch.changes)
    case .lost(let error): didLose(error)
    }
  }

  private func noteReset() {
    list.changes.noteReset(in: list.feed)
    schedule()
  }

  private func apply(_ news: [MarketChange]) {
    guard !news.isEmpty else { return }
    let now = elapsed()
    let news = news.filter { change in change.product.map { !own.isOwn($0, at: now) } ?? true }
    list.changes.record(news, in: list.feed, parts: parts)
    list.observers.report(.changed(news))
    publish()
    schedule()
  }

  // MARK: Lost subscriptions

  /// Schedules a new subscription; a page request shows whether the market answers.
  private func didLose(_ error: RepositoryError) {
    following = nil
    guard error != .unsupported, error != .cancelled else { return }
    if let stopwatch, stopwatch() >= Self.longWatch { losses = 0 }
    losses += 1
    let pause = ReconnectionBackoff.after(tries: losses, error, jitter: jitter)
    waiting = Task {
      try? await clock.sleep(for: pause)
      if !Task.isCancelled { didWait() }
    }
    if losses > 1 { catchUp() }
  }

  /// If the market itself is being retried, its answer starts following.
  private func didWait() {
    waiting = nil
    if !list.connection.reconnection.isNeeded { start() }
  }

  /// Reads the visible rows again, for changes that were not reported.
  func catchUp() {
    list.changes.noteReset(in: list.feed)
    reading?.cancel()
    reading = Task { await read() }
  }

  // MARK: Reading

  private var parts: Set<QueryPart> { list.capabilities?.parts ?? [] }

  private var question: LiveChanges.Question? {
    guard isFollowed else { return nil }
    return list.changes.question(in: list.feed, shown: list.shownRows, parts: parts)
  }

  /// Schedules the next question, after a random delay and `resting`.
  private func schedule(resting: Duration = .zero) {
    guard reading == nil, question != nil, !list.connection.reconnection.isNeeded else { return }
    let jitter = Duration.milliseconds(Int(Double(Self.maxJitter) * jitter.next()))
    reading = Task {
      try? await clock.sleep(for: resting + jitter)
      if !Task.isCancelled { await read() }
    }
  }

  private func read() async {
    guard let question else {
      reading = nil
      return
    }
    let generation = list.feed.generation
    list.changes.didAsk(question)
    var failure: RepositoryError?
    do throws(RepositoryError) {
      let page = try await page(for: question)
      guard !Task.isCancelled else { return list.changes.giveBack(question) }
      // Rows of another query are newer than this response.
      if generation == list.feed.generation { apply(page, for: question) }
    } catch {
      guard !Task.isCancelled else { return list.changes.giveBack(question) }
      failure = error
    }
    reading = nil
    list.connection.didAsk(failure)
    // A question whose error is not transient is not repeated.
    if failure != nil, list.connection.reconnection.isNeeded { list.changes.giveBack(question) }
    schedule(resting: Self.minPause)
  }

  /// Sends the request of a question.
  private func page(
    for question: LiveChanges.Question
  ) async throws(RepositoryError) -> ProductPage {
    var query = ProductQuery()
    var (position, size) = (PagePosition.first, list.feed.pageSize)
    switch question {
    case .top: query = list.feed.query
    case .rows(let ids): (query.ids, size) = (ids, ids.count)
    case .finds(let ids):
      query = list.feed.query
      (query.ids, size) = (ids, ids.count)
    case .page(let number, _):
      query = list.feed.query
      position = number == 1 ? .first : .number(number)
    }
    return try await list.page(PageRequest(query: query, position: position, size: size))
  }

  private func apply(_ page: ProductPage, for question: LiveChanges.Question) {
    let values = list.changes.apply(page, for: question, in: list.feed)
    let (changed, visibly) = list.feed.differing(from: values)
    let reserved = changed.filter { product in
      let before = list.feed.index(of: product.id).flatMap { list.feed[$0]?.product }
      return product.isReserved && before?.isReserved == false
    }
    if !changed.isEmpty { list.replaceRows(with: changed) }
    list.observers.report(.readRows(changed))
    if !reserved.isEmpty { list.observers.report(.reserved(reserved)) }
    mark(visibly)
    publish()
  }

  /// Marks rows for `markTime`.
  private func mark(_ ids: [Product.ID]) {
    guard !ids.isEmpty else { return }
    rounds += 1
    let round = rounds
    for id in ids { marked[id] = round }
    Task {
      try? await clock.sleep(for: Self.markTime)
      marked = marked.filter { $0.value != round }
    }
  }

  /// Publishes the changed marks and counts.
  private func publish() {
    let changes = list.changes
    if gone != changes.gone {
      let (before, now) = (gone, changes.gone)
      gone = now
      list.didMark(deleted: now.subtracting(before), present: before.subtracting(now))
      list.observers.report(.gone(now.subtracting(before)))
    }
    if pendingProducts != changes.pendingProducts { pendingProducts = changes.pendingProducts }
    if list.feed.phase == .ended, list.feed.count == 0, !pendingProducts.isEmpty {
      // An empty list has no rows that could move.
      list.reload()
    }
  }

  /// Called when rows are restored that were not followed in the meantime.
  func didReturn() { if isFollowed { noteReset() } }
}

// MARK: Events of the list

extension LiveMarket: ListObserver {
  func didShow() { schedule() }

  func didRead(isTop: Bool) {
    if isTop {
      publish()
      schedule()
    }
    if startsWhenRead { start() }
  }

  func didReceive(_ news: ListNews) {
    switch news {
    case .marketAnswered: resume()
    case .changedHere(.registered(let detail)), .changedHere(.changed(let detail)):
      noteOwn(detail.id, detail.version)
    case .changedHere(.deleted(let id)): noteOwn(id, nil)
    case .changedHere(.question), .countdownEnded, .changed, .readRows, .reserved, .gone,
      .readDetail:
      break
    }
  }

  /// Records a change by this program; `version` is nil if the market reports none.
  private func noteOwn(_ id: Product.ID, _ version: ProductVersion?) {
    own.record(id, version, at: elapsed())
    list.changes.forget(id)
    if marked[id] != nil { marked[id] = nil }
    publish()
  }
}

/// Latest changes by this program, with which their events are recognized.
///
/// An event is recognized by its version. Without one, or for a deleted product, the next event of
/// the product within `lifetime` counts as the program's own.
private struct LocalEdits {
  private struct Change {
    let id: Product.ID
    let version: ProductVersion?
    let time: Duration
  }

  /// Maximum number of changes; the oldest are dropped.
  ///
  /// A bulk edit makes this many.
  private static let most = MarkedProducts.most
  /// Time for which a change is remembered.
  ///
  /// Markets without events are polled each half minute.
  private static let lifetime = Duration.seconds(60)

  private var changes: [Change] = []

  mutating func record(_ id: Product.ID, _ version: ProductVersion?, at now: Duration) {
    changes.append(Change(id: id, version: version, time: now))
    changes.removeFirst(max(0, changes.count - Self.most))
  }

  /// Whether an event belongs to a change of this program; one without a version is then used up.
  mutating func isOwn(_ news: ProductChange, at now: Duration) -> Bool {
    if changes.contains(where: { $0.id == news.id && news.led(to: $0.version) }) { return true }
    let index = changes.firstIndex {
      $0.id == news.id && ($0.version == nil || news.version == nil)
        && now - $0.time < Self.lifetime
    }
    guard let index else { return false }
    changes.remove(at: index)
    return true
  }
}

extension MarketChange {
  /// Change of a product; nil for one of a seller or question.
  var product: ProductChange? {
    if case .product(let change) = self { change } else { nil }
  }
}
