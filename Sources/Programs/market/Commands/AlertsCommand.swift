import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PersonalStore
import SafeTextKit

/// Command `alerts`: checks all alerts and questions in all markets once, and prints those not shown
/// before.
struct AlertsCommand {
  private let options: MarketOptions
  private let settings: Settings
  private let strings: Strings
  private let file: PersonalFile
  private let known: [KnownMarket]

  /// Maximum time of one market; beyond it the market counts as not responding.
  private static let timeout = Duration.seconds(20)
  /// Maximum time of an alert check; after it no further page is read, and the next run continues.
  private static let lookTime = Duration.seconds(15)
  private static let marketsAtOnce = 4

  init(_ options: MarketOptions, _ settings: Settings) {
    self.options = options
    self.settings = settings
    let strings = options.strings
    self.strings = strings
    // `endInTrouble()` reports errors of the file.
    file = PersonalStoreOpener.file(strings) { _ in }
    let paths = AppPaths()
    let store = FileSettingsStore(
      SettingsFile(path: paths.settings), home: paths.home,
      appearance: Appearance(options: options, colors: settings.colors, keys: settings.keys))
    known = SettingsMarketDirectory(store, strings: { strings }).markets
  }

  func run() async -> Never {
    let alerts = await file.alerts()
    await endInTrouble()
    var markets = Dictionary(grouping: alerts, by: \.market)
    var accounts: [MarketKey: SellerAccount] = [:]
    for key in Set(markets.keys).union(known.map(\.key)) {
      accounts[key] = await MarketSource.account(in: market(of: key, markets[key] ?? []))
      if accounts[key] != nil { markets[key, default: []] += [] }
    }
    if markets.isEmpty { Console.warn(strings[.noAlertsSet]) }
    let sorted = markets.sorted { $0.key.rawValue < $1.key.rawValue }
    var (triggeredAlerts, hasFailed) = ([TriggeredAlert](), false)
    for start in stride(from: 0, to: markets.count, by: Self.marketsAtOnce) {
      let looks = sorted[start...].prefix(Self.marketsAtOnce).map { key, alerts in
        Task.immediate {
          (key, await check(for: alerts, accounts[key], in: market(of: key, alerts)))
        }
      }
      for look in looks {
        let (key, (news, failure, publicAddress)) = await look.value
        await file.didLook(in: key, hasAnswered: failure == nil)
        hasFailed = hasFailed || failure != nil
        // Recorded alerts must be shown: they are printed before the next market is awaited.
        for triggered in news { say(triggered, of: publicAddress) }
        triggeredAlerts += news
      }
    }
    if options.runsOnAlert { await runCommand(triggeredAlerts) }
    await endInTrouble()
    await file.close()
    exit(triggeredAlerts.isEmpty ? hasFailed ? ExitStatus.failure : ExitStatus.nothingNew : 0)
  }

  /// Ends the run if alerts could not be read or recorded, since it is unknown then whether there are
  /// new ones.
  private func endInTrouble() async {
    guard let trouble = await file.trouble else { return }
    Console.fail(PersonalStoreOpener.named(trouble, strings), status: ExitStatus.failure)
  }

  private func market(of key: MarketKey, _ alerts: [Alert]) -> KnownMarket {
    known.first { $0.key == key } ?? alerts.first.map { KnownMarket(of: $0) }
      ?? KnownMarket(key: key, name: nil, location: .local)
  }

  /// Checks a market and records its alerts; returns the new ones and the base address of its product
  /// pages.
  ///
  /// A failure is printed at once.
  private func check(
    for alerts: [Alert], _ account: SellerAccount?, in market: KnownMarket
  ) async -> (news: [TriggeredAlert], failure: RepositoryError?, publicAddress: WebAddress?) {
    var news: [TriggeredAlert] = []
    var publicAddress: WebAddress?
    let end = ContinuousClock.now + Self.lookTime
    let note: AlertCheck.Note = { [file] observation in
      let found = await file.record([observation])
      for triggered in found { news.add(triggered) }
      return found.first
    }
    let outcome = await MarketTimeout.wait(Self.timeout, on: DispatchClock()) {
      () throws(RepositoryError) in
      let source = try await MarketSource.open(market, options, .off)
      do throws(RepositoryError) {
        let failure = try await AlertCheck(
          source.repository, as: source.identity, now: SystemTime.now(), until: end
        ).check(for: alerts, atMost: .max, note: note)
        if let account,
          let questions = try await QuestionNews.read(
            from: source.repository, as: source.identity, of: account, in: market,
            since: file.reportedQuestions(in: market.key))
        {
          for triggered in await file.record(questions) { news.add(triggered) }
        }
        publicAddress = (try? await source.repository.capabilities())?.publicAddress
        await source.close()
        return failure
      } catch {
        await source.close()
        throw error
      }
    }
    let failure: RepositoryError?
    switch outcome {
    case .success(let left): failure = left
    case .failure(let error): failure = error
    }
    if let failure {
      let name = market.name ?? strings[.marketLocal]
      Console.warn(name + ": " + ErrorText.text(failure, strings))
    }
    return (news, failure, publicAddress)
  }

  private func say(_ triggered: TriggeredAlert, of publicAddress: WebAddress?) {
    guard !options.listing.writesJSON else {
      let address = publicAddress.flatMap { ProductAddress(triggered.product, in: $0) }
      let line = AlertJSON.bytes(triggered, market: name(of: triggered), at: address).dropLast()
      return Console.say(String(decoding: line, as: UTF8.self))
    }
    let sentence = AlertText.sentence(triggered, strings)
    let market =
      known.first { $0.key == triggered.market }?.name ?? triggered.location.map { SafeText($0) }
    Console.say(market.map { $0 + ": " + sentence } ?? sentence)
  }

  private func name(of triggered: TriggeredAlert) -> String {
    known.first { $0.key == triggered.market }?.name?.string ?? triggered.market.rawValue
  }

  /// Passes the alerts to the user's program and waits for its end.
  private func runCommand(_ triggeredAlerts: [TriggeredAlert]) async {
    guard !triggeredAlerts.isEmpty, !settings.onAlert.isEmpty else { return }
    let strings = strings
    let names = Dictionary(triggeredAlerts.map { ($0.market, name(of: $0)) }) { first, _ in first }
    let command = AlertProgram(settings.onAlert) {
      names[$0.market] ?? ""
    } report: { failure in
      Console.warn(failure.text(strings))
    }
    await command.finish(with: triggeredAlerts)
  }
}
