package import MarketModel
package import SafeTextKit

/// The screens of one market: the stack of layers, and what they share.
///
/// How a layer is made and opened is an extension beside its model; it takes what the model needs from
/// here, such as `browser.repository` and `clock`. What belongs to the whole program, whichever market
/// is shown, is in `program`.
package final class Navigator {
  /// State that all markets share.
  package let program: ProgramState
  package let market: MarketKey
  package let browser: BrowserModel
  package let gallery: PictureGallery
  /// Registering, editing and deleting; nil if the market is opened without selling.
  @Observed package private(set) var selling: SellingModel?
  /// The market's name in the settings or on the command line; nil for the local market.
  package let marketName: SafeText?
  /// Title of the market in the top bar; nil for the local market without a name.
  package var marketTitle: SafeText? {
    guard let said = browser.capabilities?.marketName else { return marketName }
    let known = markets?.all.first { $0.key == market }
    return known == nil ? SafeText(said) : known?.title(saying: said)
  }
  /// Path or address of the market; nil for the file that is opened by default.
  package let marketAddress: SafeText?
  /// The layers on the screen; the product list is the lowest.
  package let stack: LayerStack

  /// Digits that were typed before a move, as in `5j`.
  @Observed package private(set) var count: Int?

  let sellerVisits: SellerVisits
  /// Position to restore at start; nil for the top of the list.
  private(set) var origin: NavigationState?

  /// The open markets, of which this is one; nil where there is only this one.
  package internal(set) weak var markets: Markets?

  /// Search of the products, by line and by dialog.
  package let searching: SearchController

  /// Restores the position of an earlier run or visit.
  let restorer: NavigationRestorer

  /// Asks once whether personal data moves here where the market is known from another address.
  let relocation: MarketRelocation

  /// Product of the last registration, to which the next key may apply.
  let repeated = RecentRegistration()

  /// Text typed for a dialog that did not open.
  package let refusedTyping: RefusedTyping

  let clock: any Clock<Duration>
  let now: () -> Timestamp

  /// Maximum count before a move; larger ones are cut to it.
  private static let maxCount = 999_999

  package init(
    browser: BrowserModel, gallery: PictureGallery, marketName: SafeText?,
    marketAddress: SafeText? = nil,
    selling services: SellingServices? = nil, clock: any Clock<Duration>,
    market: MarketKey = .local, identity: (any IdentifiedMarket)? = nil,
    program: ProgramState = ProgramState(), now: @escaping () -> Timestamp
  ) {
    self.program = program
    self.market = market
    self.browser = browser
    self.gallery = gallery
    self.marketName = marketName
    self.marketAddress = marketAddress
    self.clock = clock
    self.now = now
    searching = SearchController(browser: browser, clock: clock, now: now)
    stack = LayerStack(bottom: browser)
    refusedTyping = RefusedTyping(clock: clock)
    relocation = MarketRelocation(with: identity)
    restorer = NavigationRestorer(browser, on: stack)
    sellerVisits = SellerVisits(of: browser.list)
    selling = services.map { SellingModel($0, on: stack, delegate: self) }
    stack.didEndUnopened = { [weak self] in self?.didEndUnopened() }
    selling?.passwordCache.asksAlways = { [program] in program.asksAlways }
    browser.seenTracker.join(program.personalData, market: market, now: now)
    let favorites = MarketFavorites(model: program.favorites, market: market)
    browser.join(
      [restorer, sellerVisits, FavoritesObserver(favorites, on: self), NewsObserver(on: self)],
      account: selling?.account, favorites: favorites)
  }

  /// Starts at the top: reads the first page and the account of this seller.
  package func start() { start(at: nil) }

  /// Starts at an earlier position; nil starts at the top.
  ///
  /// With `namingSeller` false, as after following a link, the market is sent no seller identifier.
  package func start(at state: NavigationState?, namingSeller: Bool = true) {
    origin = state
    if let state { return restore(to: state, namingSeller: namingSeller) }
    browser.start()
    Task.immediate { await selling?.start(namingSeller: namingSeller) }
  }

  /// Stops following the market; called when another market is shown.
  func didHide() { browser.pause() }

  /// Resumes following the market; called when it is shown again.
  func didAppear() { browser.wake() }

  /// Shows another market.
  /// - Returns: nil if the market cannot be opened, which is announced; if the task was cancelled; or
  ///   if another market was requested meanwhile.
  package func goTo(_ market: KnownMarket, namingSeller: Bool = true) async -> Navigator? {
    let outcome = await markets?.show(market, namingSeller: namingSeller)
    guard !Task.isCancelled else { return nil }
    switch outcome {
    case .success(let shown): return shown
    case .failure(let error): announce(.failed(error))
    case nil: break
    }
    return nil
  }

  /// Releases everything this navigator holds.
  ///
  /// Called once, before its market is closed.
  func close() {
    selling?.passwordCache.forget()
    stack.closeAll()
    browser.stop()
  }

  /// Opens the detail of a product, which need not be in the list.
  ///
  /// `known` is shown until the detail is read, and if it cannot be.
  package func open(_ product: ListedProduct, known: ProductDetail? = nil) {
    stack.open(product, in: browser.detail, known: known)
  }

  /// Reads a product by its number and opens its detail; a failure is announced.
  ///
  /// Calls `willShow` just before opening. A cancelled task opens and announces nothing.
  func open(_ id: Product.ID, willShow: () -> Void = {}) async {
    do throws(RepositoryError) {
      let detail = try await browser.repository.detail(of: id)
      guard !Task.isCancelled else { return }
      willShow()
      open(ListedProduct(detail.product))
    } catch {
      if !Task.isCancelled { announce(.failed(error)) }
    }
  }

  package func openDetail() {
    if let selected = browser.selected { stack.show(selected, in: browser.detail) }
  }

  // MARK: Notices

  /// Notice in the bottom bar; cleared by the next key.
  ///
  /// Nil where there is none.
  package var notice: Notice? { browser.notices.notice }

  /// Shows a notice; one that `isHeardElsewhere` is shown in the market on the screen.
  package func announce(_ notice: Notice) {
    if let markets, markets.current !== self, notice.isHeardElsewhere {
      markets.current.browser.notices.show(.elsewhere(notice, market: marketName))
    } else {
      browser.notices.show(notice)
    }
  }

  /// Shows why a key does nothing; `opens` tells that its command opens a dialog, for which text may
  /// follow.
  package func refuse(_ reason: SafeText, opens: Bool) {
    announce(.words(reason))
    if opens { refusedTyping.drop() }
  }

  /// Drops the text for a dialog that a flow did not open, as its notice says.
  private func didEndUnopened() {
    switch notice {
    case .hint, .failed, .notSent: refusedTyping.drop()
    default: break
    }
  }

  /// Clears the notice and passes the key press to the list and the layers; called before a key's
  /// command runs.
  package func didPressKey() {
    repeated.didPressKey(at: notice)
    browser.notices.clear()
    browser.didPressKey(on: stack.top)
    for layer in stack.layers { layer.didPressKey() }
  }

  /// Captures or releases the mouse.
  package func toggleMouse() {
    program.hasMouse.toggle()
    announce(.hint(program.hasMouse ? .mouseCaptured : .mouseReleased))
  }

  // MARK: Counts

  /// Appends a digit to the count before a move, up to 999,999; a leading 0 is ignored.
  package func typeDigit(_ digit: Int) {
    guard digit > 0 || count != nil else { return }
    count = min(Self.maxCount, (count ?? 0) * 10 + digit)
  }

  /// Returns the typed count and resets it; nil where none was typed.
  package func takeCount() -> Int? {
    guard count != nil else { return nil }
    defer { count = nil }
    return count
  }

  // MARK: Layers

  /// Passes a command to the program's delegate.
  package func perform(_ command: ProgramCommand) { program.delegate?.perform(command) }

  /// Reloads the top layer.
  package func refresh() {
    gallery.forgetFailures()
    stack.top.refresh()
  }

  /// Retries the failed requests of the top layer; reloads it where none failed.
  package func retry() {
    gallery.forgetFailures()
    stack.top.retry()
  }
}

extension Navigator {
  /// Product that `e`, `D` and `y` act on: the one in the open detail, else the selected one, which a
  /// detail that was just opened is about to show.
  package var chosen: ListedProduct? {
    stack.contains(browser.detail) ? browser.detail.product ?? browser.selected : browser.selected
  }

  /// Saves the detail's picture or opens it in a viewer.
  package func keepPicture(_ verb: PictureAction.Verb) {
    let detail = browser.detail
    guard let product = detail.product, detail.pictures.indices.contains(detail.pictureIndex) else {
      return announce(.hint(.noPicture))
    }
    program.delegate?.perform(
      PictureAction(
        verb: verb, picture: detail.pictures[detail.pictureIndex], name: product.name))
  }
}
