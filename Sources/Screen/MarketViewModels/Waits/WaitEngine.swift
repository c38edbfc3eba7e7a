package import MarketModel
import Observation
internal import SafeText

/// Looks for what a person waits for, in all markets that have waits: soon after news of an open one, and
/// every few minutes while somebody is there.
///
/// What has come is told by the one program that noted it first.
@Observable
package final class WaitEngine {
  /// Hits that nobody has looked at.
  package private(set) var unseen = 0
  /// All waits, the latest first, as far as they were read.
  package private(set) var waits: [Wait] = []
  /// Since when markets have not answered that were asked in vain.
  package private(set) var silent: [MarketKey: Timestamp] = [:]

  /// Tells what has come, the oldest first.
  @ObservationIgnored package var tell: ([WaitHit]) -> Void = { _ in }

  package let book: any PersonalBook
  private let markets: Markets
  private let attention: Attention
  private let clock: any Clock<Duration>
  private let random: () -> Double
  @ObservationIgnored private var rounds = 0
  /// Waits of open markets of which news were heard.
  @ObservationIgnored private var pending: [MarketKey: Set<Wait.ID>] = [:]
  @ObservationIgnored private var running: Task<Void, Never>?
  @ObservationIgnored private var hearing: Task<Void, Never>?

  /// How long the first frame has for itself.
  private static let firstPause = Duration.seconds(1)
  private static let pause = Duration.seconds(300)
  /// News come in bursts, and many programs hear them at once: the least and the longest pause before
  /// one looks.
  private static let (newsPause, newsJitter) = (Duration.milliseconds(500), 1_000.0)
  /// A market that has said nothing after this time does not answer.
  private static let patience = Duration.seconds(10)
  private static let marketsAtOnce = 4

  /// - Parameters:
  ///   - markets: where one looks.
  ///   - book: what is waited for.
  ///   - attention: whether somebody is there.
  ///   - clock: measures pauses and patience.
  ///   - random: 0 to 1, which spreads the programs that hear of one change.
  package init(
    _ markets: Markets, book: any PersonalBook, attention: Attention, clock: any Clock<Duration>,
    random: @escaping () -> Double = { .random(in: 0...1) }
  ) {
    self.markets = markets
    self.book = book
    self.attention = attention
    self.clock = clock
    self.random = random
  }

  /// Begins to look, a moment after the first frame.
  package func start() {
    guard running == nil else { return }
    running = Task { [weak self, clock] in
      try? await clock.sleep(for: Self.firstPause)
      while !Task.isCancelled, let attention = self?.attention {
        await self?.lookEverywhere()
        try? await clock.sleep(for: Self.pause)
        await attention.wait()
      }
    }
  }

  package func stop() {
    for task in [running, hearing] { task?.cancel() }
    (running, hearing) = (nil, nil)
  }

  // MARK: Waits

  /// Reads again what is waited for, and what has come meanwhile.
  package func reload() async {
    let (waits, unseen) = (await book.waits(), await book.unseenHits())
    if waits != self.waits { self.waits = waits }
    if unseen != self.unseen { self.unseen = unseen }
    await reloadSilence()
  }

  private func reloadSilence() async {
    let silent = await book.silentMarkets()
    if silent != self.silent { self.silent = silent }
  }

  /// Begins a wait, for which one looks at once; false where no more can be kept.
  package func begin(_ wait: Wait) async -> Bool {
    let isKept = await book.begin(wait)
    await reload()
    guard isKept else { return false }
    let same = waits.filter { $0.market == wait.market && $0.subject == wait.subject }
    Task { await look(in: wait.market, for: same) }
    return true
  }

  package func end(_ wait: Wait) async {
    waits.removeAll { $0.id == wait.id }
    await book.end(wait.id)
  }

  /// Somebody looks at all that has come.
  package func didSeeHits() async {
    unseen = 0
    await book.didSeeHits()
  }

  // MARK: News

  /// Products of an open market have changed.
  func didHear(_ changes: [ProductChange], in market: MarketKey) {
    let concerned = waits.filter { $0.market == market && $0.isConcerned(by: changes) }
    guard !concerned.isEmpty else { return }
    pending[market, default: []].formUnion(concerned.map(\.id))
    schedule()
  }

  private func schedule() {
    guard hearing == nil, !pending.isEmpty else { return }
    let jitter = Duration.milliseconds(Int(Self.newsJitter * random()))
    hearing = Task { [weak self, clock] in
      try? await clock.sleep(for: Self.newsPause + jitter)
      guard !Task.isCancelled else { return }
      await self?.lookAtNews()
    }
  }

  private func lookAtNews() async {
    let due = pending
    pending = [:]
    for (market, ids) in due { await look(in: market, for: waits.filter { ids.contains($0.id) }) }
    hearing = nil
    schedule()
  }

  // MARK: Looking

  private func lookEverywhere() async {
    await reload()
    rounds += 1
    let byMarket = Dictionary(grouping: waits, by: \.market)
      .sorted { $0.key.rawValue < $1.key.rawValue }
    var rest = byMarket[...]
    while !rest.isEmpty, !Task.isCancelled {
      let some = rest.prefix(Self.marketsAtOnce)
      rest = rest.dropFirst(some.count)
      let looks = some.map { market, waits in
        Task.immediate { await self.look(in: market, for: waits) }
      }
      for look in looks { await look.value }
    }
  }

  /// Asks a market, and tells what nobody was told yet; one that does not answer is asked another time.
  private func look(in key: MarketKey, for waits: [Wait]) async {
    guard let probe = markets.probe, let first = waits.first else { return }
    let market = markets.all.first { $0.key == key } ?? KnownMarket(of: first)
    let round = rounds
    let news = WaitNews(book)
    let outcome = await Patience.wait(Self.patience, on: clock) { () throws(RepositoryError) in
      try await probe.look(for: waits, in: market, round: round, note: news.take)
    }
    let isCancelled = Task.isCancelled
    if case .failure = outcome {
      if !isCancelled {
        await book.didLook(in: key, hasAnswered: false)
        await reloadSilence()
      }
    } else {
      await book.didLook(in: key, hasAnswered: true)
      if silent[key] != nil { silent[key] = nil }
    }
    // What a market said before it went silent is noted, and nobody else tells it.
    let hits = news.end { [weak self] in self?.tell($0) }
    guard !hits.isEmpty else { return }
    unseen = await book.unseenHits()
    tell(hits)
  }
}

/// What comes of one look at a market: a hit for each wait.
private final class WaitNews {
  private var hits: [WaitHit] = []
  private let book: any PersonalBook
  /// Tells what is noted after the end of the look: that was given up while a page was written.
  private var tell: (([WaitHit]) -> Void)?

  init(_ book: any PersonalBook) { self.book = book }

  func take(_ observation: WaitObservation) async -> WaitHit? {
    let found = await book.note([observation])
    if let tell, !found.isEmpty { tell(found) }
    for hit in found { hits.add(hit) }
    return found.first
  }

  func end(then tell: @escaping ([WaitHit]) -> Void) -> [WaitHit] {
    self.tell = tell
    return hits
  }
}

extension Markets {
  /// The market of something that has come, as it is called by now.
  func known(of hit: WaitHit) -> KnownMarket {
    all.first { $0.key == hit.market } ?? KnownMarket(of: hit)
  }
}

extension KnownMarket {
  /// The market of a wait, also where nothing else knows it any more.
  package nonisolated init(of wait: Wait) {
    self.init(
      key: wait.market, name: wait.place.map { SafeText($0) }, place: MarketPlace(wait.place))
  }

  /// The market of something that has come.
  package nonisolated init(of hit: WaitHit) {
    self.init(key: hit.market, name: hit.place.map { SafeText($0) }, place: MarketPlace(hit.place))
  }
}

extension MarketPlace {
  /// A place by its path or address.
  fileprivate nonisolated init(_ text: String?) {
    switch text {
    case nil: self = .local
    case let text? where text.contains("://"): self = .server(address: text)
    case let path?: self = .file(path)
    }
  }
}

extension Wait {
  /// Whether changes may be what is waited for.
  fileprivate nonisolated func isConcerned(by changes: [ProductChange]) -> Bool {
    changes.contains { change in
      switch subject {
      case .product(let id): change.id == id && change.kind != .deleted
      case .seller(let id): mayConcern(change.kind) && change.seller == id
      case .search: mayConcern(change.kind)
      }
    }
  }

  /// Whether a change of this kind may be what is waited for of a seller or a search.
  private nonisolated func mayConcern(_ kind: ProductChange.Kind) -> Bool {
    kind == .listed || kind != .deleted && condition != .anythingNew
  }
}
