import Glibc
import MarketModel
import MarketStore
import MarketStrings
import MarketViewModels
import PictureKit
import Posix
import SafeTextKit

/// Open market of this run: its source, its screens and its picture actions.
final class MarketSession {
  let source: MarketSource
  let navigator: Navigator
  let actions: PictureActions
  private let renderer: PictureRenderer

  init(
    _ source: MarketSource, navigator: Navigator, renderer: PictureRenderer, actions: PictureActions
  ) {
    self.source = source
    self.navigator = navigator
    self.renderer = renderer
    self.actions = actions
  }

  /// Changes the form of its pictures.
  func usePictures(_ form: PictureForm) {
    navigator.gallery.use(renderer.loader(for: form))
  }
}

/// Open markets of this run; opens further ones.
final class MarketSessions {
  /// Texts in the current language.
  var strings: Strings {
    didSet { for market in markets.values { market.actions.strings = strings } }
  }

  /// Whether the user is present, whichever market is shown.
  let attention = UserPresence()

  private var markets: [MarketKey: MarketSession] = [:]
  /// Form of pictures on this terminal.
  private var form = PictureForm.none
  private let program: ProgramState
  private let options: MarketOptions
  private let viewStates: ViewStateModel
  private let lent: TemporaryPictures
  private let clock: any Clock<Duration>
  private let log: EventLog
  private let context = PictureRenderingContext(decoder: PictureDecodingQueue())

  init(
    program: ProgramState, options: MarketOptions, viewStates: ViewStateModel,
    lent: TemporaryPictures,
    clock: any Clock<Duration>, log: EventLog
  ) {
    self.log = log
    self.program = program
    self.options = options
    self.viewStates = viewStates
    self.lent = lent
    self.clock = clock
    strings = options.strings
  }

  /// Creates the screens of a market without any request to it.
  func add(_ source: MarketSource) -> Navigator {
    let reach = ReachabilityMonitor()
    // Local files need no reachability monitor.
    let repository =
      source.seen == nil
      ? source.repository : ReachabilityTrackingRepository(source.repository, reach: reach)
    let photos = LocalPhotos(previews: context.decoder, of: options.guest)
    let renderer = PictureRenderer(
      source: FavoritePictureSource(
        market: LocalPhotoSource(market: source.pictures, local: photos),
        others: { [weak self] in self }, store: { [weak program] in program?.personal }),
      context: context,
      log: source.log)
    let navigator = Navigator(
      browser: BrowserModel(
        repository: repository, seen: source.seen, changes: source.changes,
        arrangement: viewStates.viewState.arrangement ?? .grid,
        pageSize: options.pageSize, clock: clock, viewStates: viewStates),
      gallery: PictureGallery(loader: renderer.loader(for: form)), marketName: source.name,
      marketAddress: source.address.map { SafeText($0) },
      selling: options.guest?.onlyLooks == true
        ? nil
        : Self.selling(
          on: source, through: repository, photos: photos, reach: reach, clock: clock,
          guest: options.guest,
          receiver: receiver(of: source, repository), viewStates: viewStates
        ) { [weak self] in self?.strings.language == .korean ? .krw : .usd },
      clock: clock, market: source.key, identity: source.identity, program: program,
      now: SystemTime.now)
    source.uploads.follow { [weak navigator] progress in
      Task { @MainActor in navigator?.selling?.didUpload(progress) }
    }
    if let indexing = source.indexing { show(indexing, in: navigator) }
    markets[source.key] = MarketSession(
      source, navigator: navigator, renderer: renderer,
      actions: actions(on: source, announcingIn: navigator))
    return navigator
  }

  /// Pages for photos from a telephone.
  private func receiver(
    of source: MarketSource, _ repository: any ProductRepository
  ) -> MarketPhotoReceiver {
    MarketPhotoReceiver(
      server: source.connection, repository: repository, accounts: source.accounts,
      local: options.guest == nil ? LocalPhotoReceiver(port: options.photoPort) : nil,
      command: options.guest.map { "ssh " + SafeText($0.sshArguments) + " upload-photo < FILE" })
  }

  /// Shows the progress of the search index while it is being updated.
  private func show(_ indexing: IndexingProgress, in navigator: Navigator) {
    guard indexing.present != nil else { return }
    Task { [weak browser = navigator.browser, clock] in
      while let share = indexing.present, browser != nil {
        browser?.indexedShare = share
        try? await clock.sleep(for: .seconds(1))
      }
      browser?.indexedShare = nil
    }
  }

  private func actions(
    on source: MarketSource, announcingIn navigator: Navigator
  ) -> PictureActions {
    PictureActions(
      source: source.pictures, strings: strings,
      files: PictureFiles(savingIn: ".", lending: lent)
    ) { [weak navigator] notice in navigator?.announce(notice) }
  }

  /// Services of selling, with the drafts and the seller account of this market.
  static func selling(
    on source: MarketSource, through repository: (any ProductRepository)? = nil,
    photos: LocalPhotos, reach: ReachabilityMonitor = ReachabilityMonitor(),
    clock: any Clock<Duration>,
    guest: Guest? = nil, receiver: (any PhotoReceiver)? = nil,
    viewStates: ViewStateModel = ViewStateModel(),
    languageCurrency: (() -> Currency)? = nil
  ) -> SellingServices {
    SellingServices(
      repository: repository ?? source.repository, seen: source.seen, drafts: source.drafts,
      accounts: source.accounts, photos: photos, pictures: source.pictures, clock: clock,
      now: SystemTime.now,
      makeToken: RandomToken.uuid,
      home: AppPaths().home, reach: reach, samplePassword: source.samplePassword,
      waiting: guest?.photoInbox, receiver: receiver, languageCurrency: languageCurrency,
      viewStates: viewStates)
  }

  /// Picture actions of a market; nil if it is closed.
  func actions(of navigator: Navigator) -> PictureActions? { markets[navigator.market]?.actions }

  /// Changes the form of all pictures.
  func usePictures(_ form: PictureForm) {
    self.form = form
    for market in markets.values { market.usePictures(form) }
  }

  /// Called when the terminal window gains or loses the focus.
  func didChangeFocus(to hasFocus: Bool) {
    attention.didChangeFocus(to: hasFocus)
    for market in markets.values { market.source.attention.didChangeFocus(to: hasFocus) }
  }

  /// Called when a key is pressed; the user is present.
  func didPressKey() {
    attention.didPressKey()
    for market in markets.values { market.source.attention.didPressKey() }
  }

  /// Waits for pictures being written, at most `timeout` for each market.
  func finishPictures(within timeout: Duration) async {
    for market in markets.values { await market.actions.finish(within: timeout, on: clock) }
  }

  /// Closes all markets before the program ends.
  func close() async {
    for market in markets.values { await market.source.close() }
  }
}

extension MarketSessions: MarketOpener {
  func open(_ market: KnownMarket) async throws(RepositoryError) -> Navigator {
    add(try await MarketSource.open(market, options, log))
  }

  func close(_ navigator: Navigator) {
    guard let market = markets.removeValue(forKey: navigator.market) else { return }
    Task { await market.source.close() }
  }
}

extension MarketSessions: MarketProbe {
  /// Maximum number of newest products in a summary.
  private static let latestCount = 50

  func glance(at market: KnownMarket) async throws(RepositoryError) -> MarketSummary {
    guard hasFile(market) != false else { return MarketSummary(total: .unknown, latest: []) }
    let clock = ContinuousClock()
    return try await looking(into: market) { source throws(RepositoryError) in
      let start = clock.now
      let page = try await source.repository.page(PageRequest(size: Self.latestCount))
      let elapsed = market.location.isServer ? start.duration(to: clock.now) : nil
      return MarketSummary(
        total: page.total, latest: page.products.map(\.id), hasMore: page.next != nil,
        elapsed: elapsed, api: source.api().map { SafeText($0) },
        marketName: try await source.repository.capabilities().marketName)
    }
  }

  func find(
    _ request: SearchRequest, in market: KnownMarket, atMost limit: Int
  ) async throws(RepositoryError) -> ProductPage {
    guard hasFile(market) != false else { return .nothing }
    return try await looking(into: market) { source throws(RepositoryError) in
      let repository = source.repository
      let capabilities = try await repository.capabilities()
      guard capabilities.parts.isSuperset(of: request.parts) else { throw .unsupported }
      let (ids, _) = try await SellerNames(repository: repository).ids(in: request)
      // No seller of this market has the name.
      if ids.isEmpty, !request.sellers.isEmpty { return .nothing }
      var query = request.query(sellers: ids, now: SystemTime.now())
      if !capabilities.orders.contains(query.order) { query.order = .newest }
      return try await repository.page(
        PageRequest(query: query, size: limit, countsExactly: true))
    }
  }

  func products(
    _ ids: [Product.ID], in market: KnownMarket
  ) async throws(RepositoryError) -> ProductPage {
    guard hasFile(market) != false else {
      throw .store(.cannotOpen(SystemError(number: ENOENT).description))
    }
    return try await looking(into: market) { source throws(RepositoryError) in
      let capabilities = try await source.repository.capabilities()
      guard capabilities.parts.contains(.ids) else { throw .unsupported }
      let query = ProductQuery(ids: Array(ids.prefix(ProductQuery.maxIDs)))
      return try await source.repository.page(PageRequest(query: query, size: max(1, ids.count)))
    }
  }

  func knownCapabilities(of market: KnownMarket) async -> RepositoryCapabilities? {
    if let known = markets[market.key]?.navigator.browser.capabilities { return known }
    let known = try? await looking(into: market) { await $0.seen?.cachedCapabilities() }
    return known ?? nil
  }

  /// Pictures of an open market; nil for others.
  func pictures(of market: MarketKey) -> (any PictureSource)? { markets[market]?.source.pictures }

  /// Fetches a picture of a known market, which is opened for it unless it is open.
  /// - Throws: what `PictureSource.bytes(of:_:)` throws; `.missing` if the market cannot be opened.
  func bytes(
    of picture: Picture, _ rendition: PictureRendition, in key: MarketKey
  ) async throws(PictureError) -> [UInt8] {
    if let open = pictures(of: key) { return try await open.bytes(of: picture, rendition) }
    let all = markets.values.lazy.compactMap { $0.navigator.markets }.first?.all ?? []
    guard let known = all.first(where: { $0.key == key }), hasFile(known) != false,
      let source = try? await MarketSource.open(known, options, log)
    else { throw .missing }
    do throws(PictureError) {
      let bytes = try await source.pictures.bytes(of: picture, rendition)
      await source.close()
      return bytes
    } catch {
      await source.close()
      throw error
    }
  }

  /// Decoder of pictures, which works off the main queue.
  var decoder: PictureDecodingQueue { context.decoder }

  func check(
    for alerts: [Alert], in market: KnownMarket, round: Int, note: AlertCheck.Note
  ) async throws(RepositoryError) {
    guard hasFile(market) != false else { return }
    let end = ContinuousClock.now + Self.lookTime
    try await looking(into: market) { source throws(RepositoryError) in
      _ = try await AlertCheck(
        source.repository, as: source.identity, now: SystemTime.now(), until: end
      ).check(for: alerts, round: round, note: note)
    }
  }

  func account(in market: KnownMarket) async -> SellerAccount? {
    if let open = markets[market.key] { return await open.source.accounts.known() }
    return hasFile(market) == false ? nil : await MarketSource.account(in: market)
  }

  func questions(
    of account: SellerAccount, in market: KnownMarket, since reported: ReportedQuestions?
  ) async throws(RepositoryError) -> QuestionNews? {
    try await looking(into: market) { source throws(RepositoryError) in
      try await .read(
        from: source.repository, as: source.identity, of: account, in: market, since: reported)
    }
  }

  /// Maximum time of an alert check; after it no further page is read, and the next check continues.
  private static let lookTime = Duration.seconds(5)

  /// Runs `body` with an open market, or with one opened for this call.
  /// - Throws: what `MarketSource.open(_:_:_:)` and `body` throw.
  private func looking<Value: Sendable>(
    into market: KnownMarket,
    _ body: (MarketSource) async throws(RepositoryError) -> Value
  ) async throws(RepositoryError) -> Value {
    if let open = markets[market.key] { return try await body(open.source) }
    let source = try await MarketSource.open(market, options, log)
    do throws(RepositoryError) {
      let value = try await body(source)
      await source.close()
      return value
    } catch {
      await source.close()
      throw error
    }
  }

  func hasFile(_ market: KnownMarket) -> Bool? {
    switch market.location {
    case .local: markets[market.key] != nil || access(AppPaths().defaultStore, F_OK) == 0
    case .file(let path): access(path, F_OK) == 0
    case .server: nil
    }
  }

  func isThere(_ market: KnownMarket, as id: MarketID) async -> Bool {
    switch market.location {
    case .local: await SQLiteStore.marketID(ofFileAt: AppPaths().defaultStore) == id
    case .file(let path): await SQLiteStore.marketID(ofFileAt: path) == id
    case .server: await isServed(market, as: id)
    }
  }

  /// Whether a server answers and has this market id.
  private func isServed(_ market: KnownMarket, as id: MarketID) async -> Bool {
    let said = try? await looking(into: market) { source throws(RepositoryError) in
      _ = try await source.repository.page(PageRequest(size: 1))
      return try await source.identity?.marketID()
    }
    return said == id
  }

  func makeFile(_ market: KnownMarket) async throws(RepositoryError) {
    guard case .file(let path) = market.location else { return }
    await
      (try StoreOpener.open(
        path: path, creates: true, filledIn: options.strings.language)).close()
  }
}
