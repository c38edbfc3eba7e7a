package import MarketModel
internal import SafeTextKit

/// Scheduler of the checks of all alerts and questions: shortly after changes in an open market, and
/// every five minutes while the user is active.
///
/// A triggered alert is announced by the program that stored it first.
package final class AlertScheduler {
  /// Number of triggered alerts that the user has not seen.
  @Observed package private(set) var unseen = 0
  /// All alerts, the latest first; empty until they are read.
  @Observed package private(set) var alerts: [Alert] = []
  /// Time since which each market that does not answer was asked without success.
  @Observed package private(set) var silent: [MarketKey: Timestamp] = [:]

  /// Announces triggered alerts, the oldest first.
  package var announce: ([TriggeredAlert]) -> Void = { _ in }

  package let store: any PersonalDataStore
  private let markets: Markets
  private let attention: UserPresence
  private let clock: any Clock<Duration>
  private let jitter: Jitter
  private var rounds = 0
  /// Alerts of open markets whose products have changed.
  private var pending: [MarketKey: Set<Alert.ID>] = [:]
  /// Open markets with new questions or answers.
  private var pendingQuestions: Set<MarketKey> = []
  private var running: Task<Void, Never>?
  private var hearing: Task<Void, Never>?

  /// Delay before the first check, so that the first frame is drawn before.
  private static let firstPause = Duration.seconds(1)
  /// Interval of the checks of all markets, while the user is active.
  private static let pause = Duration.seconds(300)
  /// Minimum delay after a change, and maximum jitter in milliseconds: changes come in bursts and
  /// reach many programs at the same time.
  private static let (newsPause, newsJitter) = (Duration.milliseconds(500), 1_000.0)
  /// Maximum time for a market's answer.
  private static let timeout = Duration.seconds(10)
  /// Maximum number of markets that are checked at the same time; the others follow.
  private static let marketsAtOnce = 4

  /// Makes a scheduler, which does nothing before `start()`.
  ///
  /// - Parameters:
  ///   - markets: the markets to check.
  ///   - store: the store of alerts.
  ///   - attention: whether the user is active.
  ///   - clock: clock of delays and timeouts.
  ///   - jitter: spreads the requests of programs that receive the same change.
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

  /// Starts the checks.
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

  // MARK: Alerts

  /// Reads the alerts and the number of unseen ones again.
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

  /// Stores an alert and checks it; false if no more can be stored.
  package func add(_ alert: Alert) async -> Bool {
    let isSaved = await store.add(alert)
    await reload()
    guard isSaved else { return false }
    let same = alerts.filter { $0.market == alert.market && $0.subject == alert.subject }
    Task { await check(in: alert.market, for: same) }
    return true
  }

  package func remove(_ alert: Alert) async {
    alerts.removeAll { $0.id == alert.id }
    await store.end(alert.id)
  }

  /// Marks all triggered alerts as seen.
  package func didSeeAlerts() async {
    unseen = 0
    await store.didSeeAlerts()
  }

  // MARK: Events

  /// Schedules a check of the alerts that these changes may trigger.
  func didReceive(_ changes: [ProductChange], in market: MarketKey) {
    let concerned = alerts.filter { $0.market == market && $0.isConcerned(by: changes) }
    guard !concerned.isEmpty else { return }
    pending[market, default: []].formUnion(concerned.map(\.id))
    schedule()
  }

  /// Schedules a check of the questions of an open market.
  func didReceiveQuestions(in market: MarketKey) {
    pendingQuestions.insert(market)
    schedule()
  }

  /// Stores and announces the news of questions that were not announced yet.
  func didReceive(_ news: QuestionNews) async {
    await deliver(await store.record(news))
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
      await markets.unanswered.check(at: market, in: markets)
    }
    hearing = nil
    schedule()
  }

  // MARK: Checks

  private func lookEverywhere() async {
    await reload()
    rounds += 1
    let asking = Task.immediate { await markets.unanswered.check(in: markets) }
    let byMarket = Dictionary(grouping: alerts, by: \.market)
      .sorted { $0.key.rawValue < $1.key.rawValue }
    var rest = byMarket[...]
    while !rest.isEmpty, !Task.isCancelled {
      let some = rest.prefix(Self.marketsAtOnce)
      rest = rest.dropFirst(some.count)
      let checks = some.map { market, alerts in
        Task.immediate { await self.check(in: market, for: alerts) }
      }
      for check in checks { await check.value }
    }
    await asking.value
  }

  /// Checks alerts of a market and announces the triggered ones; an error is stored as silence of the
  /// market.
  private func check(in key: MarketKey, for alerts: [Alert]) async {
    guard let probe = markets.probe, let first = alerts.first else { return }
    let market = markets.all.first { $0.key == key } ?? KnownMarket(of: first)
    let round = rounds
    let news = AlertChanges(of: self)
    let outcome = await MarketTimeout.wait(Self.timeout, on: clock) { () throws(RepositoryError) in
      try await probe.check(for: alerts, in: market, round: round, note: news.record)
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
    // Alerts stored before a failure are announced too, because no other program does it.
    await deliver(news.end())
  }

  private func deliver(_ triggeredAlerts: [TriggeredAlert]) async {
    guard !triggeredAlerts.isEmpty else { return }
    unseen = await store.unseenAlerts()
    announce(triggeredAlerts)
  }
}

/// Triggered alerts of one check of a market, at most one for each alert.
private final class AlertChanges {
  private var triggeredAlerts: [TriggeredAlert] = []
  private let scheduler: AlertScheduler
  /// Whether the check has ended: alerts stored later, after a timeout during a write, are announced
  /// at once.
  private var isOver = false

  init(of scheduler: AlertScheduler) { self.scheduler = scheduler }

  func record(_ observation: AlertObservation) async -> TriggeredAlert? {
    let found = await scheduler.store.record([observation])
    if isOver, !found.isEmpty { scheduler.announce(found) }
    for triggered in found { triggeredAlerts.add(triggered) }
    return found.first
  }

  /// Ends the check and returns the alerts triggered so far.
  func end() -> [TriggeredAlert] {
    isOver = true
    return triggeredAlerts
  }
}

extension Markets {
  /// Market of a triggered alert, with its current name.
  func known(of triggered: TriggeredAlert) -> KnownMarket {
    all.first { $0.key == triggered.market } ?? KnownMarket(of: triggered)
  }
}

extension KnownMarket {
  /// Market of an alert, also if it is not known otherwise.
  package nonisolated init(of alert: Alert) {
    self.init(
      key: alert.market, name: alert.location.map { SafeText($0) },
      location: MarketLocation(alert.location))
  }

  /// Market of a triggered alert, also if it is not known otherwise.
  package nonisolated init(of triggered: TriggeredAlert) {
    self.init(
      key: triggered.market, name: triggered.location.map { SafeText($0) },
      location: MarketLocation(triggered.location))
  }
}

extension MarketLocation {
  /// Location from a path or address; nil is the local market.
  fileprivate nonisolated init(_ text: String?) {
    switch text {
    case nil: self = .local
    case let text? where text.contains("://"): self = .server(address: text)
    case let path?: self = .file(path)
    }
  }
}

extension Alert {
  /// Whether changes may trigger the alert.
  fileprivate nonisolated func isConcerned(by changes: [ProductChange]) -> Bool {
    changes.contains { change in
      switch subject {
      case .product(let id): change.id == id && change.kind != .deleted
      case .seller(let id): mayConcern(change.kind) && change.seller == id
      case .search: mayConcern(change.kind)
      }
    }
  }

  /// Whether a kind of change may trigger an alert for a seller or a search.
  private nonisolated func mayConcern(_ kind: ProductChange.Kind) -> Bool {
    kind == .listed || kind != .deleted && condition != .anythingNew
  }
}
