package import MarketModel
internal import SafeTextKit

/// Checks the alerts of all markets that have some, and the questions of all: soon after changes in an
/// open one, and every few minutes while somebody is there.
///
/// What has come is told by the one program that noted it first.
package final class AlertScheduler {
  /// Hits that nobody has looked at.
  @Observed package private(set) var unseen = 0
  /// All alerts, the latest first, as far as they were read.
  @Observed package private(set) var alerts: [Alert] = []
  /// Since when markets have not answered that were asked in vain.
  @Observed package private(set) var silent: [MarketKey: Timestamp] = [:]

  /// Tells what has come, the oldest first.
  package var tell: ([TriggeredAlert]) -> Void = { _ in }

  package let store: any PersonalDataStore
  private let markets: Markets
  private let attention: UserPresence
  private let clock: any Clock<Duration>
  private let jitter: Jitter
  private var rounds = 0
  /// Waits of open markets of which news were heard.
  private var pending: [MarketKey: Set<Alert.ID>] = [:]
  /// Open markets in which something was asked or answered.
  private var pendingQuestions: Set<MarketKey> = []
  private var running: Task<Void, Never>?
  private var hearing: Task<Void, Never>?

  /// How long the first frame has for itself.
  private static let firstPause = Duration.seconds(1)
  private static let pause = Duration.seconds(300)
  /// News come in bursts, and many programs hear them at once: the least and the longest pause before
  /// one looks.
  private static let (newsPause, newsJitter) = (Duration.milliseconds(500), 1_000.0)
  /// A market that has said nothing after this time does not answer.
  private static let timeout = Duration.seconds(10)
  private static let marketsAtOnce = 4

  /// - Parameters:
  ///   - markets: where one looks.
  ///   - store: the alerts.
  ///   - attention: whether somebody is there.
  ///   - clock: measures pauses and patience.
  ///   - jitter: spreads the programs that hear of one change.
  package init(
    _ markets: Markets, store: any PersonalDataStore, attention: UserPresence,
    clock: any Clock<Duration>,
    jitter: Jitter = .random
  ) {
    self.markets = markets
    self.store = store
    self.attention = attention
    self.clock = clock
    self.jitter = jitter
  }

  /// Begins to look, a moment after the first frame.
  package func start() {
    guard running == nil else { return }
    running = Task {
      try? await clock.sleep(for: Self.firstPause)
      while !Task.isCancelled {
        await lookEverywhere()
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

  /// Reads the alerts again, and those that fired meanwhile.
  package func reload() async {
    let (alerts, unseen) = (await store.alerts(), await store.unseenAlerts())
    if alerts != self.alerts { self.alerts = alerts }
    if unseen != self.unseen { self.unseen = unseen }
    await reloadSilence()
  }

  private func reloadSilence() async {
    let silent = await store.unresponsiveMarkets()
    if silent != self.silent { self.silent = silent }
  }

  /// Sets an alert and checks it at once; false where no more can be saved.
  package func begin(_ alert: Alert) async -> Bool {
    let isSaved = await store.begin(alert)
    await reload()
    guard isSaved else { return false }
    let same = alerts.filter { $0.market == alert.market && $0.subject == alert.subject }
    Task { await check(in: alert.market, for: same) }
    return true
  }

  package func end(_ alert: Alert) async {
    alerts.removeAll { $0.id == alert.id }
    await store.end(alert.id)
  }

  /// Somebody looks at all that has come.
  package func didSeeAlerts() async {
    unseen = 0
    await store.didSeeAlerts()
  }

  // MARK: News

  /// Products of an open market have changed.
  func didReceive(_ changes: [ProductChange], in market: MarketKey) {
    let concerned = alerts.filter { $0.market == market && $0.isConcerned(by: changes) }
    guard !concerned.isEmpty else { return }
    pending[market, default: []].formUnion(concerned.map(\.id))
    schedule()
  }

  /// Something was asked or answered in an open market.
  func didReceiveQuestions(in market: MarketKey) {
    pendingQuestions.insert(market)
    schedule()
  }

  /// Tells what a market has said of questions and was not told yet.
  func didReceive(_ news: QuestionNews) async {
    await deliver(await store.note(news))
  }

  private func schedule() {
    guard hearing == nil, !pending.isEmpty || !pendingQuestions.isEmpty else { return }
    let jitter = Duration.milliseconds(Int(Self.newsJitter * jitter.next()))
    hearing = Task {
      try? await clock.sleep(for: Self.newsPause + jitter)
      if !Task.isCancelled { await lookAtNews() }
    }
  }

  private func lookAtNews() async {
    let (due, questions) = (pending, pendingQuestions)
    (pending, pendingQuestions) = ([:], [])
    for (market, ids) in due { await check(in: market, for: alerts.filter { ids.contains($0.id) }) }
    for market in markets.all where questions.contains(market.key) {
      await markets.unanswered.look(at: market, in: markets)
    }
    hearing = nil
    schedule()
  }

  // MARK: Looking

  private func lookEverywhere() async {
    await reload()
    rounds += 1
    let asking = Task.immediate { await markets.unanswered.look(in: markets) }
    let byMarket = Dictionary(grouping: alerts, by: \.market)
      .sorted { $0.key.rawValue < $1.key.rawValue }
    var rest = byMarket[...]
    while !rest.isEmpty, !Task.isCancelled {
      let some = rest.prefix(Self.marketsAtOnce)
      rest = rest.dropFirst(some.count)
      let looks = some.map { market, alerts in
        Task.immediate { await self.check(in: market, for: alerts) }
      }
      for look in looks { await look.value }
    }
    await asking.value
  }

  /// Asks a market, and tells what nobody was told yet; one that does not answer is asked another time.
  private func check(in key: MarketKey, for alerts: [Alert]) async {
    guard let probe = markets.probe, let first = alerts.first else { return }
    let market = markets.all.first { $0.key == key } ?? KnownMarket(of: first)
    let round = rounds
    let news = AlertChanges(of: self)
    let outcome = await MarketTimeout.wait(Self.timeout, on: clock) { () throws(RepositoryError) in
      try await probe.check(for: alerts, in: market, round: round, note: news.take)
    }
    let isCancelled = Task.isCancelled
    if case .failure = outcome {
      if !isCancelled {
        await store.didLook(in: key, hasAnswered: false)
        await reloadSilence()
      }
    } else {
      await store.didLook(in: key, hasAnswered: true)
      if silent[key] != nil { silent[key] = nil }
    }
    // What a market said before it went silent is noted, and nobody else tells it.
    await deliver(news.end())
  }

  private func deliver(_ triggeredAlerts: [TriggeredAlert]) async {
    guard !triggeredAlerts.isEmpty else { return }
    unseen = await store.unseenAlerts()
    tell(triggeredAlerts)
  }
}

/// What one check of a market found: at most one for each alert.
private final class AlertChanges {
  private var triggeredAlerts: [TriggeredAlert] = []
  private let scheduler: AlertScheduler
  /// Whether the look has ended: what is noted later, for it was given up while a page was written, is
  /// told at once.
  private var isOver = false

  init(of scheduler: AlertScheduler) { self.scheduler = scheduler }

  func take(_ observation: AlertObservation) async -> TriggeredAlert? {
    let found = await scheduler.store.note([observation])
    if isOver, !found.isEmpty { scheduler.tell(found) }
    for triggered in found { triggeredAlerts.add(triggered) }
    return found.first
  }

  /// Ends the look; gives what was found until then.
  func end() -> [TriggeredAlert] {
    isOver = true
    return triggeredAlerts
  }
}

extension Markets {
  /// The market of something that has come, as it is called by now.
  func known(of triggered: TriggeredAlert) -> KnownMarket {
    all.first { $0.key == triggered.market } ?? KnownMarket(of: triggered)
  }
}

extension KnownMarket {
  /// The market of an alert, also where nothing else knows it any more.
  package nonisolated init(of alert: Alert) {
    self.init(
      key: alert.market, name: alert.location.map { SafeText($0) },
      location: MarketLocation(alert.location))
  }

  /// The market of something that has come.
  package nonisolated init(of triggered: TriggeredAlert) {
    self.init(
      key: triggered.market, name: triggered.location.map { SafeText($0) },
      location: MarketLocation(triggered.location))
  }
}

extension MarketLocation {
  /// A place by its path or address.
  fileprivate nonisolated init(_ text: String?) {
    switch text {
    case nil: self = .local
    case let text? where text.contains("://"): self = .server(address: text)
    case let path?: self = .file(path)
    }
  }
}

extension Alert {
  /// Whether changes may fire an alert.
  fileprivate nonisolated func isConcerned(by changes: [ProductChange]) -> Bool {
    changes.contains { change in
      switch subject {
      case .product(let id): change.id == id && change.kind != .deleted
      case .seller(let id): mayConcern(change.kind) && change.seller == id
      case .search: mayConcern(change.kind)
      }
    }
  }

  /// Whether a change of this kind may fire an alert for a seller or a search.
  private nonisolated func mayConcern(_ kind: ProductChange.Kind) -> Bool {
    kind == .listed || kind != .deleted && condition != .anythingNew
  }
}
