import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PersonalStore
import SafeText

/// One run that looks once for all that is waited for in all markets, without a screen, and prints what
/// nobody was told before.
struct Watching {
  private let options: MarketOptions
  private let settings: Settings
  private let strings: Strings
  private let file: PersonalFile
  private let known: [KnownMarket]

  /// A market that has said nothing after this time does not answer.
  private static let patience = Duration.seconds(20)
  /// A look that takes longer begins no further page: the next run goes on with it.
  private static let lookTime = Duration.seconds(15)
  private static let marketsAtOnce = 4

  init(_ options: MarketOptions, _ settings: Settings) {
    self.options = options
    self.settings = settings
    let strings = options.strings
    self.strings = strings
    // What is wrong with it ends the run with a sentence.
    file = PersonalOpening.file(strings) { _ in }
    let locations = Locations()
    let book = SettingsFileBook(
      SettingsFile(path: locations.settings), home: locations.home,
      appearance: Appearance(options: options, colors: settings.colors, keys: settings.keys))
    known = MarketBook(book, strings: { strings }).markets
  }

  func run() async -> Never {
    let waits = await file.waits()
    await endInTrouble()
    if waits.isEmpty { Console.warn(strings[.watchNothing]) }
    let markets = Dictionary(grouping: waits, by: \.market)
      .sorted { $0.key.rawValue < $1.key.rawValue }
    var (hits, hasFailed) = ([WaitHit](), false)
    for start in stride(from: 0, to: markets.count, by: Self.marketsAtOnce) {
      let looks = markets[start...].prefix(Self.marketsAtOnce).map { key, waits in
        Task.immediate { (key, await look(for: waits, in: market(of: key, waits))) }
      }
      for look in looks {
        let (key, (news, failure, publicAddress)) = await look.value
        await file.didLook(in: key, hasAnswered: failure == nil)
        hasFailed = hasFailed || failure != nil
        // What is noted is told: it is printed before the next market is waited for.
        for hit in news { say(hit, of: publicAddress) }
        hits += news
      }
    }
    if options.runsOnHit { await runCommand(hits) }
    await endInTrouble()
    await file.close()
    exit(hits.isEmpty ? hasFailed ? ExitStatus.failure : ExitStatus.nothingNew : 0)
  }

  /// Ends the run where alerts could not be read or noted: whether anything is new is not known then.
  private func endInTrouble() async {
    guard let trouble = await file.trouble else { return }
    Console.fail(PersonalOpening.named(trouble, strings), status: ExitStatus.failure)
  }

  private func market(of key: MarketKey, _ waits: [Wait]) -> KnownMarket {
    known.first { $0.key == key } ?? waits.first.map { KnownMarket(of: $0) }
      ?? KnownMarket(key: key, name: nil, place: .local)
  }

  /// Notes what a market says, and gives what has come and where its products have their addresses; why
  /// it does not say all of it is told at once.
  private func look(
    for waits: [Wait], in market: KnownMarket
  ) async -> (news: [WaitHit], failure: RepositoryError?, publicAddress: WebAddress?) {
    var news: [WaitHit] = []
    var publicAddress: WebAddress?
    let end = ContinuousClock.now + Self.lookTime
    let note: WaitCheck.Note = { [file] observation in
      let found = await file.note([observation])
      for hit in found { news.add(hit) }
      return found.first
    }
    let outcome = await Patience.wait(Self.patience, on: QueueClock()) {
      () throws(RepositoryError) in
      let source = try await MarketSource.open(market, options, .off)
      do throws(RepositoryError) {
        let failure = try await WaitCheck(
          source.repository, as: source.identity, now: SystemTime.now(),
          isOver: { ContinuousClock.now >= end }
        ).look(for: waits, atMost: .max, note: note)
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

  private func say(_ hit: WaitHit, of publicAddress: WebAddress?) {
    guard !options.listing.writesJSON else {
      let address = publicAddress.flatMap { ProductAddress(hit.product, in: $0) }
      let line = HitLine.bytes(hit, market: name(of: hit), at: address).dropLast()
      return Console.say(String(decoding: line, as: UTF8.self))
    }
    let sentence = HitText.sentence(hit, strings)
    let market = known.first { $0.key == hit.market }?.name ?? hit.place.map { SafeText($0) }
    Console.say(market.map { $0 + ": " + sentence } ?? sentence)
  }

  private func name(of hit: WaitHit) -> String {
    known.first { $0.key == hit.market }?.name?.string ?? hit.market.rawValue
  }

  /// Tells the user's own program, and waits for its end.
  private func runCommand(_ hits: [WaitHit]) async {
    guard !hits.isEmpty, !settings.onHit.isEmpty else { return }
    let strings = strings
    let names = Dictionary(hits.map { ($0.market, name(of: $0)) }) { first, _ in first }
    let command = HitCommand(settings.onHit) {
      names[$0.market] ?? ""
    } tell: { failure in
      Console.warn(failure.text(strings))
    }
    await command.finish(with: hits)
  }
}

extension Phrase {
  fileprivate static var watchNothing: Phrase { .named() }
  static var usageWatch: Phrase { .named() }
  static var exampleWatch: Phrase { .named() }
  static var exampleWatchCommand: Phrase { .named() }
}
