import CommandKit
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PersonalStore
import PictureKit
import Posix
import SafeTextKit
import SampleMarket
import TerminalKit

/// Composition root: creates and connects the objects of a run.
final class CompositionRoot {
  let markets: Markets
  private let opened: MarketSessions
  private let appearance: Appearance
  private let options: MarketOptions
  private let store: FileSettingsStore
  private let viewStates: ViewStateModel
  private let log: EventLog
  private let lent = TemporaryPictures { Environment.value(of: $0) }
  private let clock = DispatchClock()
  /// Personal file; opened when it is first used.
  private let personal: PersonalFile
  private let alerts: AlertScheduler
  private let alertDelivery: AlertDelivery

  /// Maximum time that each step of `end()` waits.
  private static let timeout = Duration.seconds(3)

  init(
    source: MarketSource, options: MarketOptions, settings: Settings,
    remembered: ViewStateModel, in stateFile: StateFile
  ) {
    self.options = options
    appearance = Appearance(options: options, colors: settings.colors, keys: settings.keys)
    let paths = AppPaths()
    store = FileSettingsStore(
      SettingsFile(path: paths.settings), home: paths.home, appearance: appearance)
    log = source.log
    viewStates = remembered
    let program = ProgramState()
    // A guest has no settings file, and only one market.
    let guest = options.guest
    if guest == nil { program.settings = store }
    program.guest = guest?.standing
    program.pictureMode = options.pictures
    program.asksAlways = options.asksAlways
    opened = MarketSessions(
      program: program, options: options, viewStates: remembered, lent: lent, clock: clock,
      log: source.log)
    markets = Markets(opened.add(source), of: source.known)
    markets.probe = opened
    store.announce = { [weak markets] in markets?.current.announce(.words($0)) }
    if guest == nil {
      markets.directory = SettingsMarketDirectory(store, strings: { [store] in store.strings })
      markets.opener = opened
    }
    if options.reopens {
      markets.saver = SessionStateSaver(stateFile, clock: clock)
    }
    personal = PersonalStoreOpener.file(options.strings, for: guest) { [weak markets] sentence in
      markets?.current.announce(.words(sentence))
    }
    if guest == nil || guest?.folder != nil { program.personal = personal }
    program.favorites.pictures = opened
    alerts = AlertScheduler(markets, store: personal, attention: opened.attention, clock: clock)
    alertDelivery = AlertDelivery(settings.onAlert, markets, strings: { [store] in store.strings })
    alerts.announce = { [alertDelivery] in alertDelivery.deliver($0) }
    if program.personal != nil { program.alerts = alerts }
    if let guest { markets.current.announce(.words(guest.greeting(options.strings))) }
    if source.isNew {
      markets.current.announce(
        .words(options.strings(.firstStart, SafeText(EmbeddedSample.password))))
    }
    if source.lacksSharedMemory {
      markets.current.announce(.words(options.strings[.storeWithoutSharedMemory]))
    }
  }

  /// Takes over the terminal and creates the app.
  func makeApp(on screen: TerminalScreen, in environment: TerminalEnvironment) -> MarketApp {
    screen.resume()
    let capabilities = screen.capabilities
    let ground = Theme.Ground(isLight: environment.hintsLightBackground)
    if markets.current.notice == nil, let hint = Self.hint(capabilities) {
      markets.current.announce(.hint(hint))
    }
    let app = MarketApp(
      screen: screen, markets: markets, appearance: appearance, ground: ground,
      pictures: PictureDisplay(screen: screen, environment: environment, log: log) {
        [opened] form in opened.usePictures(form)
      },
      opened: opened)
    store.show = { [weak app] in app?.show($0) }
    alertDelivery.notify = { [weak app] in app?.notify($0) }
    if markets.program.alerts != nil { alerts.start() }
    if options.guest != nil {
      app.leave(afterIdle: .seconds(60 * options.hosting.idleTimeoutMinutes))
    }
    return app
  }

  /// Ends the run: saves the input of open forms, and waits for pictures being written, at most
  /// `timeout` each, so that a hanging disk cannot prevent leaving.
  ///
  /// Failures to save are printed on standard error, since the screen is gone.
  func end() async {
    alerts.stop()
    await wait { [alertDelivery] in await alertDelivery.end() }
    await wait { [markets, strings = opened.strings] in
      var unsaved: [Notice.Hint] = []
      for navigator in markets.open {
        for hint in await navigator.selling?.save() ?? [] where !unsaved.contains(hint) {
          unsaved.append(hint)
        }
      }
      for hint in unsaved { Console.warn(strings[NoticeText.phrase(for: hint)]) }
    }
    await wait { [markets] in await markets.end() }
    await opened.finishPictures(within: Self.timeout)
    await viewStates.finish()
    await wait { [personal] in await personal.close() }
    lent.takeBack()
  }

  /// Closes all markets; a market file is then one file, without SQLite's files beside it.
  func close() async { await opened.close() }

  /// Waits for work, at most `timeout`.
  private func wait(for work: @escaping @MainActor () async -> Void) async {
    let (end, ending) = AsyncStream<Never>.makeStream()
    let limit = Task { [clock] in
      try? await clock.sleep(for: Self.timeout)
      ending.finish()
    }
    Task {
      await work()
      ending.finish()
    }
    for await _ in end {}
    limit.cancel()
  }

  /// Hint about the terminal's limitations; nil if there are none.
  private static func hint(_ capabilities: TerminalCapabilities) -> Notice.Hint? {
    switch capabilities.encoding {
    case .ascii: .noUTF8Locale
    case .assumedUTF8: .assumedUTF8
    case .utf8: capabilities.isKnown ? nil : .unknownTerminal
    }
  }
}

extension Theme {
  /// Theme with the capabilities of a terminal.
  init(_ ground: Ground, on capabilities: TerminalCapabilities) {
    self.init(
      ground, strikesThrough: capabilities.canStrikeThrough,
      hasShades: capabilities.colorDepth >= .palette256,
      hasColors: capabilities.colorDepth > .none)
  }
}
