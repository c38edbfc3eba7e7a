import MarketModel
import MarketViewModels
import MarketViews
import TerminalKit

/// Everything that one run is made of, put together in one place.
final class Assembly {
  let navigator: Navigator
  private let options: MarketOptions
  private let strings: Strings
  private let workshop: PictureWorkshop

  init(source: MarketSource, options: MarketOptions, strings: Strings) {
    self.options = options
    self.strings = strings
    let clock = QueueClock()
    let photos = LocalPhotos()
    workshop = PictureWorkshop(
      source: PicturesWithLocal(market: source.pictures, local: photos))
    navigator = Navigator(
      browser: BrowserModel(
        repository: source.repository, seen: source.seen, arrangement: options.arrangement,
        pageSize: options.pageSize, clock: clock),
      gallery: PictureGallery(loader: workshop.loader(for: .none)), marketName: source.name,
      selling: SellingModel(Self.selling(on: source, photos: photos, clock: clock)), clock: clock)
    let errands = PictureErrands(source: source.pictures, strings: strings) {
      [weak navigator] notice in navigator?.announce(notice)
    }
    navigator.didWantPicture = { errands.run($0) }
    source.uploads.follow { [navigator] progress in
      Task { @MainActor in navigator.selling?.didUpload(progress) }
    }
  }

  /// What selling needs from outside; the drafts and the seller are those of this market.
  private static func selling(
    on source: MarketSource, photos: LocalPhotos, clock: any Clock<Duration>
  ) -> SellingServices {
    let locations = Locations()
    return SellingServices(
      repository: source.repository, drafts: source.drafts,
      accounts: AccountFile(folder: locations.config, name: "seller-" + source.key),
      photos: photos, clock: clock, now: SystemTime.now, makeToken: RandomToken.uuid,
      home: locations.home)
  }

  /// Takes the terminal over.
  ///
  /// - Returns: the program, ready to run.
  /// - Throws: why there is no screen; the terminal is then as it was.
  func makeApp() throws(TerminalError) -> MarketApp {
    let environment = TerminalEnvironment.current()
    let screen = try TerminalScreen(environment)
    let capabilities = screen.capabilities
    let ground: Theme.Ground =
      switch options.theme {
      case .auto: environment.hintsLightBackground == true ? .light : .dark
      case .dark: .dark
      case .light: .light
      }
    let context = RenderContext(
      theme: Theme(ground, strikesThrough: capabilities.canStrikeThrough), strings: strings,
      pictures: .none, now: SystemTime.now())
    navigator.pictureMode = options.pictures
    if !capabilities.isUTF8 { navigator.announce(.hint(.noUTF8Locale)) }
    return MarketApp(
      screen: screen, navigator: navigator, context: context,
      pictures: PictureDisplay(
        screen: screen, gallery: navigator.gallery, workshop: workshop, environment: environment),
      choosesTheme: options.theme == .auto)
  }
}
