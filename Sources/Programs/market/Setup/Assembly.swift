import MarketModel
import MarketViewModels
import MarketViews
import PictureKit
import Posix
import SafeText
import TerminalKit

/// Assembly of everything that one run is made of, in one place.
final class Assembly {
  let navigator: Navigator
  private let appearance: Appearance
  private let book: SettingsFileBook
  private let renderer: PictureRenderer
  private let log: EventLog
  private let lent = TemporaryPictures { Environment.value(of: $0) }
  private let actions: PictureActions
  private let clock = QueueClock()
  private let attention: Attention

  /// How long the end waits for pictures that are being written.
  private static let patience = Duration.seconds(3)

  init(
    source: MarketSource, options: MarketOptions, settings: Settings, remembered: LookBook
  ) {
    appearance = Appearance(options: options, colors: settings.colors, keys: settings.keys)
    let locations = Locations()
    book = SettingsFileBook(
      SettingsFile(path: locations.settings), home: locations.home, appearance: appearance)
    log = source.log
    attention = source.attention
    let clock = clock
    let reach = MarketReach()
    // Nobody has to find the way to a file again.
    let repository =
      source.seen == nil
      ? source.repository : WatchedRepository(source.repository, reach: reach)
    let decoder = PictureDecodingQueue()
    let photos = LocalPhotos(previews: decoder)
    renderer = PictureRenderer(
      source: PicturesWithLocal(market: source.pictures, local: photos), decoder: decoder,
      log: source.log)
    let browser = BrowserModel(
      repository: repository, seen: source.seen,
      arrangement: options.arrangement ?? remembered.look.arrangement ?? .grid,
      pageSize: options.pageSize, clock: clock, looks: remembered)
    navigator = Navigator(
      browser: browser,
      gallery: PictureGallery(loader: renderer.loader(for: .none)), marketName: source.name,
      marketAddress: source.address.map { SafeText($0) },
      selling: Self.selling(
        on: source, through: repository, photos: photos, reach: reach, clock: clock),
      clock: clock)
    actions = PictureActions(
      source: source.pictures, strings: options.strings,
      files: PictureFilesOnDisk(savingIn: ".", lending: lent)
    ) { [weak navigator] notice in navigator?.announce(notice) }
    navigator.settings = book
    source.uploads.follow { [navigator] progress in
      Task { @MainActor in navigator.selling?.didUpload(progress) }
    }
  }

  /// What selling needs from outside; the drafts and the seller are those of this market.
  static func selling(
    on source: MarketSource, through repository: (any ProductRepository)? = nil,
    photos: LocalPhotos, reach: MarketReach = MarketReach(), clock: any Clock<Duration>
  ) -> SellingServices {
    SellingServices(
      repository: repository ?? source.repository, seen: source.seen, drafts: source.drafts,
      accounts: source.accounts, photos: photos, pictures: source.pictures, clock: clock,
      now: SystemTime.now,
      makeToken: RandomToken.uuid,
      home: Locations().home, reach: reach, samplePassword: source.samplePassword)
  }

  /// Takes the terminal over for the program; without a screen it stays as it was.
  func makeApp() throws(TerminalError) -> MarketApp {
    let environment = TerminalEnvironment.current()
    let screen = try TerminalScreen(environment)
    let capabilities = screen.capabilities
    let ground: Theme.Ground = environment.hintsLightBackground == true ? .light : .dark
    navigator.pictureMode = appearance.options.pictures
    if navigator.notice == nil, let hint = Self.hint(capabilities) {
      navigator.announce(.hint(hint))
    }
    let app = MarketApp(
      screen: screen, navigator: navigator, appearance: appearance, ground: ground,
      pictures: PictureDisplay(
        screen: screen, gallery: navigator.gallery, renderer: renderer, environment: environment,
        log: log),
      actions: actions, attention: attention)
    book.show = { [weak app] in app?.show($0) }
    return app
  }

  /// The run is over: a form that is still open keeps what was typed last, and what is being written
  /// gets a moment; a disk that hangs keeps nobody from leaving.
  func end() async {
    await wait { [navigator] in await navigator.selling?.save() }
    await actions.finish(within: Self.patience, on: clock)
    await navigator.browser.looks.finish()
    lent.takeBack()
  }

  /// Waits for work, but no longer than the patience.
  private func wait(for work: @escaping @MainActor () async -> Void) async {
    let (end, ending) = AsyncStream<Never>.makeStream()
    let limit = Task { [clock] in
      try? await clock.sleep(for: Self.patience)
      ending.finish()
    }
    Task {
      await work()
      ending.finish()
    }
    for await _ in end {}
    limit.cancel()
  }

  /// What a person should know of the terminal, said once.
  private static func hint(_ capabilities: TerminalCapabilities) -> Notice.Hint? {
    switch capabilities.encoding {
    case .ascii: .noUTF8Locale
    case .assumedUTF8: .assumedUTF8
    case .utf8: capabilities.isKnown ? nil : .unknownTerminal
    }
  }
}

extension Theme {
  /// The looks that a terminal can show.
  init(_ ground: Ground, on capabilities: TerminalCapabilities) {
    self.init(
      ground, strikesThrough: capabilities.canStrikeThrough,
      hasShades: capabilities.colorDepth >= .palette256)
  }
}
