package import MarketModel
package import SafeTextKit

/// The screens of one market: the stack of layers, and what they share.
///
/// How a layer is made and opened is an extension beside its model; it takes what the model needs from
/// here, such as `browser.repository` and `clock`. What belongs to the whole program, whichever market
/// is shown, is in `program`.
package final class Navigator {
  /// What belongs to the whole program.
  package let program: ProgramState
  /// The market's key, by which the program knows it.
  package let market: MarketKey
  package let browser: BrowserModel
  package let gallery: PictureGallery
  /// Registering, editing and deleting; nil where nothing can be sold.
  @Observed package private(set) var selling: SellingModel?
  /// What the market is called here, as the program was told; nil is the local one.
  package let marketName: SafeText?
  /// What the top bar calls the market; nil is the local one without a name.
  package var marketTitle: SafeText? {
    guard let said = browser.capabilities?.marketName else { return marketName }
    let known = markets?.all.first { $0.key == market }
    return known == nil ? SafeText(said) : known?.title(saying: said)
  }
  /// Where the market is; nil for a file of this computer.
  package let marketAddress: SafeText?
  /// The products, and what lies over them.
  package let stack: LayerStack

  /// Digits that were typed before a move, as in `5j`.
  @Observed package private(set) var count: Int?

  let sellerVisits: SellerVisits
  /// Where one comes back to; nil where one begins anew.
  private(set) var origin: NavigationState?

  /// The markets among which this one is open; nil where it is the only one.
  package internal(set) weak var markets: Markets?

  /// How the products are searched, by line and by box.
  package let searching: SearchController

  /// The way back to where one stood here.
  let restorer: NavigationRestorer

  /// Asks once where the market is known from another address.
  let relocation: MarketRelocation

  /// What the key after a registration may be for.
  let repeated = RecentRegistration()

  let clock: any Clock<Duration>
  let now: () -> Timestamp

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
    relocation = MarketRelocation(with: identity)
    restorer = NavigationRestorer(browser, on: stack)
    sellerVisits = SellerVisits(of: browser.list)
    selling = services.map { SellingModel($0, on: stack, delegate: self) }
    selling?.passwordCache.asksAlways = { [program] in program.asksAlways }
    browser.seenTracker.join(program.personalData, market: market, now: now)
    let favorites = MarketFavorites(model: program.favorites, market: market)
    browser.join(
      [restorer, sellerVisits, FavoritesObserver(favorites, on: self), NewsObserver(on: self)],
      account: selling?.account, favorites: favorites)
  }

  /// Reads the first page, and who sells here.
  package func start() { start(at: nil) }

  /// The same where something was shown before.
  ///
  /// Where a link leads here nobody is named: the market learns of no seller by that.
  package func start(at state: NavigationState?, namingSeller: Bool = true) {
    origin = state
    if let state { return restore(to: state, namingSeller: namingSeller) }
    browser.start()
    Task.immediate { await selling?.start(namingSeller: namingSeller) }
  }

  /// Another market is shown from now on.
  func didHide() { browser.rest() }

  /// This market is shown again.
  func didAppear() { browser.wake() }

  /// Shows another market; nil where it cannot be shown, which is said, or another one was asked for
  /// since.
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

  /// Nobody comes back to these screens.
  func close() {
    selling?.passwordCache.forget()
    stack.closeAll()
    browser.stop()
  }

  /// Shows a product that the list may not have.
  ///
  /// `known` is what is shown until it is read, and where it cannot be.
  func open(_ product: ListedProduct, known: ProductDetail? = nil) {
    stack.open(product, in: browser.detail, known: known)
  }

  /// Reads a product of which nothing but the number is known and shows it, unless the task that asks is
  /// cancelled; `willShow` makes room for it.
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

  // MARK: What happened

  /// What happened last; it stays until the next key.
  package var notice: Notice? { browser.notices.notice }

  /// Shows what happened; what has to be heard is shown in the market that is in front.
  package func announce(_ notice: Notice) {
    if let markets, markets.current !== self, notice.isHeardElsewhere {
      markets.current.browser.notices.show(.elsewhere(notice, market: marketName))
    } else {
      browser.notices.show(notice)
    }
  }

  /// A key was read: what was said has been seen.
  package func didPressKey() {
    markets?.didPressKey(in: self)
    repeated.didPressKey(at: notice)
    browser.notices.clear()
    restorer.didPressKey()
    for layer in stack.layers { layer.didPressKey() }
  }

  /// Lets go of the mouse or takes it back.
  package func toggleMouse() {
    program.hasMouse.toggle()
    announce(.hint(program.hasMouse ? .mouseCaptured : .mouseReleased))
  }

  // MARK: Counts

  /// Adds a digit to the count before a move; a leading 0 is none.
  package func typeDigit(_ digit: Int) {
    guard digit > 0 || count != nil else { return }
    count = min(Self.maxCount, (count ?? 0) * 10 + digit)
  }

  /// The count that was typed, which is used up by that.
  package func takeCount() -> Int? {
    guard count != nil else { return nil }
    defer { count = nil }
    return count
  }

  // MARK: Layers

  /// Asks for something of the program around.
  package func perform(_ command: ProgramCommand) { program.delegate?.perform(command) }

  /// Asks again for what is shown on top.
  package func refresh() {
    gallery.forgetFailures()
    stack.top.refresh()
  }

  /// Asks again for what failed on top; where nothing did, for what is shown.
  package func retry() {
    gallery.forgetFailures()
    stack.top.retry()
  }
}

extension Navigator {
  /// The product that `e`, `D` and `y` are about: the one in the open detail, else the selected one,
  /// which a detail that was opened just now is about to show.
  package var chosen: ListedProduct? {
    stack.contains(browser.detail) ? browser.detail.product ?? browser.selected : browser.selected
  }

  /// Saves the detail's picture or opens it elsewhere.
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
