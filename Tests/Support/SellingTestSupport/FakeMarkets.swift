import MarketModel
import MarketViewModels
package import SafeTextKit
import TestSupport

/// Markets that a test has made up: a directory of them, a probe whose answers the test gives, and an
/// opener that makes screens over gated repositories.
package final class FakeMarkets: MarketDirectory, MarketProbe, MarketOpener {
  package private(set) var markets: [KnownMarket]
  package let openings = Gate<MarketKey, Void>(answersCancelledCalls: true)
  private var glanceGates: [MarketKey: Gate<MarketKey, MarketSummary>] = [:]
  private var lookGates: [MarketKey: Gate<[Alert], [AlertObservation]>] = [:]
  private var findGates: [MarketKey: Gate<MarketKey, ProductPage>] = [:]
  package private(set) var repositories: [MarketKey: GatedProductRepository] = [:]
  package private(set) var opened: [Navigator] = []
  package private(set) var closed: [MarketKey] = []
  package private(set) var made: [MarketKey] = []
  /// Which products were asked for by their numbers.
  package private(set) var asked: [(market: MarketKey, ids: [Product.ID])] = []
  /// What the markets have said that they can do.
  package var capabilities: [MarketKey: RepositoryCapabilities] = [:]
  /// Accounts of this computer by market; a market without an entry has none.
  package var accounts: [MarketKey: SellerAccount] = [:]
  private var questionGates: [MarketKey: Gate<ReportedQuestions?, QuestionNews?>] = [:]
  package var missingFiles: Set<MarketKey> = []
  /// Files that are where they were.
  package var present: Set<MarketKey> = []
  /// Which drafts were moved where, and whose were taken without a question.
  private let program: ProgramState
  private let clock: ManualClock

  package init(_ servers: [String], on navigator: Navigator, clock: ManualClock) {
    program = navigator.program
    self.clock = clock
    markets =
      [KnownMarket(key: .local, name: nil, location: .local, opensAtStart: true)]
      + servers.map { Self.server($0, isRemembered: true) }
  }

  /// The same behind the markets of a program: its directory, probe and opener.
  package convenience init(_ servers: [String], behind markets: Markets, clock: ManualClock) {
    self.init(servers, on: markets.current, clock: clock)
    markets.directory = self
    markets.probe = self
    markets.opener = self
  }

  package static func server(_ name: String, isRemembered: Bool = false) -> KnownMarket {
    KnownMarket(
      key: MarketKey(rawValue: "server-" + name), name: SafeText(name),
      location: .server(address: "http://\(name)/"), isRemembered: isRemembered)
  }

  // MARK: Directory

  package func refresh() {}

  package func market(at text: String) -> KnownMarket? {
    if text.contains(" ") { return nil }
    guard text.hasPrefix("/") else { return Self.server(text) }
    return KnownMarket(
      key: MarketKey(rawValue: "file-" + text), name: SafeText(text), location: .file(text))
  }

  package func remember(_ market: KnownMarket, as name: String) -> DirectoryAnswer {
    guard !markets.contains(where: { $0.name?.string == name }) else {
      return DirectoryAnswer(isDone: false, "taken")
    }
    markets.append(
      KnownMarket(
        key: market.key, name: SafeText(name), location: market.location, isRemembered: true))
    return DirectoryAnswer(isDone: true, "remembered")
  }

  package func rename(_ market: KnownMarket, to name: String) -> DirectoryAnswer {
    markets.removeAll { $0.key == market.key }
    return remember(market, as: name)
  }

  package func forget(_ market: KnownMarket) -> DirectoryAnswer {
    markets.removeAll { $0.key == market.key }
    return DirectoryAnswer(isDone: true, "forgotten")
  }

  package func openAtStart(_ market: KnownMarket) -> DirectoryAnswer {
    markets = markets.map {
      KnownMarket(
        key: $0.key, name: $0.name, location: $0.location, isRemembered: $0.isRemembered,
        opensAtStart: $0.key == market.key)
    }
    return DirectoryAnswer(isDone: true, "opens at start")
  }

  package func freeName(for market: KnownMarket) -> String { "new" }

  package func serveCommand(for market: KnownMarket) -> String? {
    market.location.isServer ? nil : "market serve --store /m.sqlite"
  }

  // MARK: Probe

  /// The questions to a market what there is.
  package func glances(of key: String) -> Gate<MarketKey, MarketSummary> {
    Self.gate(of: MarketKey(rawValue: key), in: &glanceGates)
  }

  /// The searches of a market.
  package func finds(of key: String) -> Gate<MarketKey, ProductPage> {
    Self.gate(of: MarketKey(rawValue: key), in: &findGates)
  }

  /// The looks for what is waited for in a market.
  package func checks(of key: String) -> Gate<[Alert], [AlertObservation]> {
    Self.gate(of: MarketKey(rawValue: key), in: &lookGates)
  }

  private static func gate<Question, Answer>(
    of key: MarketKey, in gates: inout [MarketKey: Gate<Question, Answer>]
  ) -> Gate<Question, Answer> {
    let gate = gates[key] ?? Gate(answersCancelledCalls: true)
    gates[key] = gate
    return gate
  }

  package func glance(
    at market: KnownMarket
  ) async throws(RepositoryError) -> MarketSummary {
    try await glances(of: market.key.rawValue).pass(market.key)
  }

  package func find(
    _ request: SearchRequest, in market: KnownMarket, atMost limit: Int
  ) async throws(RepositoryError) -> ProductPage {
    try await finds(of: market.key.rawValue).pass(market.key)
  }

  package func products(
    _ ids: [Product.ID], in market: KnownMarket
  ) async throws(RepositoryError) -> ProductPage {
    asked.append((market.key, ids))
    return try await finds(of: market.key.rawValue).pass(market.key)
  }

  package func account(in market: KnownMarket) async -> SellerAccount? { accounts[market.key] }

  /// The looks for questions in a market.
  package func questions(of key: String) -> Gate<ReportedQuestions?, QuestionNews?> {
    Self.gate(of: MarketKey(rawValue: key), in: &questionGates)
  }

  package func questions(
    of account: SellerAccount, in market: KnownMarket, since told: ReportedQuestions?
  ) async throws(RepositoryError) -> QuestionNews? {
    try await questions(of: market.key.rawValue).pass(told)
  }

  package func knownCapabilities(of market: KnownMarket) async -> RepositoryCapabilities? {
    capabilities[market.key]
  }

  package func check(
    for alerts: [Alert], in market: KnownMarket, round: Int, note: AlertCheck.Note
  ) async throws(RepositoryError) {
    for observation in try await checks(of: market.key.rawValue).pass(alerts) {
      _ = await note(observation)
    }
  }

  package func hasFile(_ market: KnownMarket) -> Bool? {
    market.location.isServer ? nil : !missingFiles.contains(market.key)
  }

  package func isThere(_ market: KnownMarket, as id: MarketID) async -> Bool {
    present.contains(market.key)
  }

  package func makeFile(_ market: KnownMarket) async throws(RepositoryError) {
    made.append(market.key)
    missingFiles.remove(market.key)
  }

  // MARK: Opener

  package func open(_ market: KnownMarket) async throws(RepositoryError) -> Navigator {
    if !market.location.isServer { try await openings.pass(market.key) }
    let repository = GatedProductRepository()
    repositories[market.key] = repository
    let navigator = Navigator(
      browser: BrowserModel(
        repository: repository, arrangement: .list, pageSize: 20, clock: clock, jitter: .fixed(0)),
      gallery: PictureGallery(loader: NoPictures()), marketName: market.name,
      marketAddress: market.location.isServer ? market.location.text.map { SafeText($0) } : nil,
      selling: .sample(repository, clock: clock), clock: clock,
      market: market.key, program: program, now: { Timestamp(seconds: 0) })
    opened.append(navigator)
    return navigator
  }

  package func close(_ navigator: Navigator) { closed.append(navigator.market) }
}

extension MarketSummary {
  /// What a market of so many products says, of which the last ones have these numbers.
  package static func sample(
    _ count: Int, latest: ClosedRange<Int64>? = nil, milliseconds: Int? = nil, api: SafeText? = nil,
    called name: String? = nil
  ) -> MarketSummary {
    MarketSummary(
      total: .exactly(count),
      latest: (latest ?? 1...Int64(max(1, count))).map(Product.ID.init(rawValue:)),
      elapsed: milliseconds.map { .milliseconds($0) }, api: api, marketName: name)
  }
}
