package import MarketModel

/// A market as it changes under the eyes of who looks: rows change where they stand, deleted ones grey
/// out, and new ones wait to be asked for.
///
/// It follows what the market tells, and reads only what the screen shows, with never more than one
/// request on its way. It wakes only for news, and to take marks away.
package final class LiveMarket {
  /// News of a row, which it is marked with.
  package enum RowChange: Hashable, Sendable {
    case changed, deleted
  }

  /// News of all rows at one moment.
  struct ChangeMarks {
    fileprivate let gone: Set<Product.ID>
    fileprivate let marked: [Product.ID: Int]

    func news(of id: Product.ID) -> RowChange? {
      gone.contains(id) ? .deleted : marked[id] == nil ? nil : .changed
    }
  }

  /// Products that wait behind the list.
  @Observed package private(set) var pendingProducts = PendingNewProducts()
  @Observed private var gone: Set<Product.ID> = []
  /// Rows that changed a moment ago, each with the round in which it was marked.
  @Observed private var marked: [Product.ID: Int] = [:]

  private let source: (any ChangeSource)?
  private let list: BrowsedList
  private let reader: ListReader
  private let contact: ConnectionStatus
  private let observers: ListObservers
  private let clock: any Clock<Duration>
  private let jitter: Jitter
  private var own = LocalEdits()
  /// Time since this was made, by which the program's own changes are forgotten.
  private let elapsed: () -> Duration
  private var cursor: ChangeCursor?
  private var rounds = 0
  /// Whether it is followed as soon as a page has come, or has not.
  private var startsWhenRead = false
  private var following: Task<Void, Never>?
  private var waiting: Task<Void, Never>?
  private var reading: Task<Void, Never>?
  /// How often in a row the watch was lost soon after it began.
  private var losses = 0
  private var stopwatch: (() -> Duration)?

  /// How long a row is marked.
  private static let markTime = Duration.seconds(4)
  /// No more than chance spreads questions over; and the rest between two of them.
  private static let maxJitter = 1_000
  private static let rest = Duration.seconds(1)
  /// A watch that lasted so long was none that is refused.
  private static let longWatch = Duration.seconds(60)

  /// `jitter` spreads the clients of a server over a second.
  init(
    _ source: (any ChangeSource)?, of list: BrowsedList, by reader: ListReader,
    contact: ConnectionStatus, observers: ListObservers, clock: any Clock<Duration>, jitter: Jitter
  ) {
    self.source = source
    self.list = list
    self.reader = reader
    self.contact = contact
    self.observers = observers
    self.clock = clock
    self.jitter = jitter
    elapsed = Reconnection.stopwatch(on: clock)
  }

  /// Whether the market tells what changes.
  var isFollowed: Bool { source != nil }

  var news: ChangeMarks { ChangeMarks(gone: gone, marked: marked) }

  package func news(of id: Product.ID) -> RowChange? { news.news(of: id) }

  // MARK: Following

  /// Follows the market as soon as its first page is there, which is asked for just now; what happens
  /// until then is read again.
  func startBehindFirstPage() { startsWhenRead = following == nil }

  /// Follows the market, from where it was followed last.
  func start() {
    startsWhenRead = false
    guard let source, following == nil else { return }
    waiting?.cancel()
    waiting = nil
    stopwatch = Reconnection.stopwatch(on: clock)
    following = Task { for await news in source.news(after: cursor) { didReceive(news) } }
  }

  /// Nobody looks: nothing is followed and nothing read until `start()`.
  func stop() {
    startsWhenRead = false
    for task in [following, waiting, reading] { task?.cancel() }
    (following, waiting, reading) = (nil, nil, nil)
  }

  /// What happened since the last place follows, for somebody looks again or the market answers again.
  func resume() {
    start()
    schedule()
  }

  /// Follows the market again at once, where that is due later.
  func reconnectNow() { if waiting != nil { start() } }

  private func didReceive(_ news: ChangeEvent) {
    switch news {
    case .watching(let cursor):
      // What happened between the first page and this place was told nobody.
      if self.cursor == nil { noteReset() }
      self.cursor = cursor
    case .changes(let batch):
      losses = 0
      cursor = batch.cursor
      if batch.isReset { noteReset() }
      note(batch.changes)
    case .lost(let error): didLose(error)
    }
  }

  private func noteReset() {
    list.changes.noteReset(in: list.feed)
    schedule()
  }

  private func note(_ news: [MarketChange]) {
    guard !news.isEmpty else { return }
    let now = elapsed()
    let news = news.filter { change in change.product.map { !own.takes($0, at: now) } ?? true }
    list.changes.note(news, in: list.feed, parts: parts)
    observers.tell(.changed(news))
    publish()
    schedule()
  }

  // MARK: A watch that is lost

  /// Follows again after a while; whether the market is there at all, a page tells.
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

  /// Where the market itself is counted down for, that is waited for instead.
  private func didWait() {
    waiting = nil
    if !contact.reconnection.isNeeded { start() }
  }

  /// Asks at once for what may have changed while nobody told.
  func catchUp() {
    list.changes.noteReset(in: list.feed)
    reading?.cancel()
    reading = Task { await read() }
  }

  // MARK: Reading

  private var parts: Set<QueryPart> { reader.capabilities?.parts ?? [] }

  private var question: LiveChanges.Question? {
    guard isFollowed else { return nil }
    return list.changes.question(in: list.feed, shown: list.shownRows, parts: parts)
  }

  /// Asks after a moment, which is longer right after another question.
  private func schedule(resting: Duration = .zero) {
    guard reading == nil, question != nil, !contact.reconnection.isNeeded else { return }
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
    list.changes.begin(question)
    var failure: RepositoryError?
    do throws(RepositoryError) {
      let page = try await page(for: question)
      guard !Task.isCancelled else { return list.changes.giveBack(question) }
      // The rows of another query are newer than this.
      if generation == list.feed.generation { take(page, for: question) }
    } catch {
      guard !Task.isCancelled else { return list.changes.giveBack(question) }
      failure = error
    }
    reading = nil
    contact.didAsk(failure)
    // What no waiting heals is not asked again.
    if failure != nil, contact.reconnection.isNeeded { list.changes.giveBack(question) }
    schedule(resting: Self.rest)
  }

  /// Reads what a question asks for, in one request.
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
    return try await reader.pages.page(PageRequest(query: query, position: position, size: size))
  }

  private func take(_ page: ProductPage, for question: LiveChanges.Question) {
    let values = list.changes.take(page, for: question, in: list.feed)
    let (changed, visibly) = list.feed.differing(from: values)
    let reserved = changed.filter { product in
      let before = list.feed.index(of: product.id).flatMap { list.feed[$0]?.product }
      return product.isReserved && before?.isReserved == false
    }
    if !changed.isEmpty { list.replaceRows(with: changed) }
    observers.tell(.readRows(changed))
    if !reserved.isEmpty { observers.tell(.reserved(reserved)) }
    mark(visibly)
    publish()
  }

  /// Marks rows for a while.
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

  /// Shows what there is to see of it, where that has changed.
  private func publish() {
    let changes = list.changes
    if gone != changes.gone {
      let (before, now) = (gone, changes.gone)
      gone = now
      list.didMark(deleted: now.subtracting(before), present: before.subtracting(now))
      observers.tell(.gone(now.subtracting(before)))
    }
    if pendingProducts != changes.pendingProducts { pendingProducts = changes.pendingProducts }
    if list.feed.phase == .ended, list.feed.count == 0, !pendingProducts.isEmpty {
      // Nothing is there that could move.
      reader.readAgain()
    }
  }

  /// Rows came back that were left for others: what happened meanwhile is not known.
  func didReturn() { if isFollowed { noteReset() } }
}

// MARK: What the list does

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

  /// This program changed a product itself, and shows it as it is now; a version that is nil is any.
  private func noteOwn(_ id: Product.ID, _ version: ProductVersion?) {
    own.note(id, version, at: elapsed())
    list.changes.forget(id)
    if marked[id] != nil { marked[id] = nil }
    publish()
  }
}

/// The latest changes that this program made itself, by which their news are recognized.
///
/// News tell by their version whose they are. Where a market has none, or a product is gone, the next
/// news of the product are the program's own, unless they come too late for that.
private struct LocalEdits {
  private struct Change {
    let id: Product.ID
    let version: ProductVersion?
    let time: Duration
  }

  /// As many as are changed at once.
  private static let most = MarkedProducts.most
  /// Markets that tell nothing are looked at each half minute.
  private static let lifetime = Duration.seconds(60)

  private var changes: [Change] = []

  mutating func note(_ id: Product.ID, _ version: ProductVersion?, at now: Duration) {
    changes.append(Change(id: id, version: version, time: now))
    changes.removeFirst(max(0, changes.count - Self.most))
  }

  /// Whether news are of a change of this program; those without a version are used up by that.
  mutating func takes(_ news: ProductChange, at now: Duration) -> Bool {
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
  /// The change of a product; nil for that of a seller.
  var product: ProductChange? {
    if case .product(let change) = self { change } else { nil }
  }
}
