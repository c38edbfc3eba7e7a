package import MarketModel
import Observation
package import SafeTextKit

/// The screens of one market: the stack of layers, and what they share.
///
/// How a layer is made and opened is an extension beside its model; it takes what the model needs from
/// here, such as `browser.repository` and `clock`. What belongs to the whole program, whichever market
/// is shown, is in `program`.
@Observable
package final class Navigator {
  /// What belongs to the whole program.
  package let program: ProgramState
  /// The market's key, by which the program knows it.
  package let market: MarketKey
  package let browser: BrowserModel
  package let gallery: PictureGallery
  /// Registering, editing and deleting; nil where nothing can be sold.
  package private(set) var selling: SellingModel?
  /// The market's name as the top bar says it; nil is the local one.
  package let marketName: SafeText?
  /// Where the market is; nil for a file of this computer.
  package let marketAddress: SafeText?
  /// The products, and what lies over them.
  package let stack: LayerStack

  /// What happened last; it stays until the next key.
  package private(set) var notice: Notice?
  /// Digits that were typed before a move, as in `5j`.
  package private(set) var count: Int?

  /// The seller who was visited last; `sellerVisit` says whether that is what is shown.
  private(set) var lastVisit: SellerVisit?
  /// Where one comes back to; nil where one begins anew.
  @ObservationIgnored private(set) var origin: NavigationState?

  /// The markets among which this one is open; nil where it is the only one.
  @ObservationIgnored package internal(set) weak var markets: Markets?

  /// How the products are searched, by line and by box.
  package let searching: SearchController

  /// Asks once where the market is known from another address.
  @ObservationIgnored let relocation: MarketRelocation

  /// What the key after a registration may be for.
  @ObservationIgnored let repeated = RecentRegistration()

  let clock: any Clock<Duration>

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
    searching = SearchController(browser: browser, clock: clock, now: now)
    stack = LayerStack(bottom: browser)
    relocation = MarketRelocation(with: identity)
    selling = services.map { SellingModel($0, on: stack, delegate: self) }
    selling?.passwordCache.asksAlways = { [program] in program.asksAlways }
    browser.delegate = self
    browser.detail.didRead = { [weak self] in self?.didRead($0, $1) }
    browser.seenTracker.join(program, market: market, now: now)
    searching.followLink = { [weak self] in self?.follow($0) }
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

  /// One can go from here to other markets.
  func join(_ markets: Markets) {
    self.markets = markets
    searching.marketNames = { [weak markets] in
      markets?.all.compactMap { $0.name?.string } ?? []
    }
    searching.goElsewhere = { [weak self] in self?.follow($0) }
  }

  /// Another market is shown from now on.
  func didHide() { browser.rest() }

  /// This market is shown again.
  func didAppear() { browser.wake() }

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
    stack.remove(browser.detail)
    browser.detail.hold(product, known: known)
    stack.push(browser.detail)
  }

  /// Shows what happened; what has to be heard is shown in the market that is in front.
  package func announce(_ notice: Notice) {
    if let markets, markets.current !== self, notice.isHeardElsewhere {
      markets.current.notice = .elsewhere(notice, market: marketName)
    } else {
      self.notice = notice
    }
  }

  /// Takes back what was said, where that is still shown and holds no more.
  func withdraw(_ notice: Notice) {
    if self.notice == notice { self.notice = nil }
  }

  /// A key was read: what was said has been seen.
  package func didPressKey() {
    markets?.didPressKey(in: self)
    repeated.didPressKey(at: notice)
    if notice != nil { notice = nil }
    for layer in stack.layers { layer.didPressKey() }
  }

  func begin(_ visit: SellerVisit) {
    lastVisit?.end()
    lastVisit = visit
  }

  func end(_ visit: SellerVisit) {
    visit.end()
    if lastVisit === visit { lastVisit = nil }
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

  package func openDetail() {
    guard let selected = browser.selected else { return }
    browser.detail.show(selected)
    stack.push(browser.detail)
  }
}

// MARK: The chosen product

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

  package func beginEdit() {
    if let product = changeable() { selling?.edit(product) }
  }

  package func beginDeletion() {
    if let product = changeable() { selling?.delete(product) }
  }

  /// Whether the right password may change the chosen product, as far as is known.
  package var mayChangeChosen: Bool { chosen.map { mayChange($0) && !isGone($0) } ?? false }

  /// Whether a product was deleted while it was shown.
  private func isGone(_ product: ListedProduct) -> Bool {
    let detail = browser.detail
    return browser.live.news(of: product.id) == .deleted
      || (detail.product?.id == product.id && detail.news == .deleted)
  }

  /// Whether a product was registered by who sells from here.
  package func isOwn(_ product: ListedProduct?) -> Bool {
    product.map { selling?.account.isOwn($0.product) == true } ?? false
  }

  /// The chosen product; where the market lets nobody but another seller change it, that is said
  /// instead of asking for a password in vain.
  private func changeable() -> ListedProduct? {
    guard let chosen else { return nil }
    if isGone(chosen) {
      announce(.hint(.deleted))
      return nil
    }
    if mayChange(chosen) { return chosen }
    announce(.hint(.notOwner))
    return nil
  }

  private func mayChange(_ product: ListedProduct) -> Bool {
    browser.capabilities?.queriesBySeller != true
      || !product.product.seller.id.canSignIn || isOwn(product)
  }
}

// MARK: Selling

extension Navigator {
  package func beginRegistration() { selling?.sell() }

  /// `!`: wipes the password that is kept.
  package func forgetPassword() {
    guard let passwordCache = selling?.passwordCache, passwordCache.hasPassword else { return }
    passwordCache.forget()
    announce(.hint(.passwordForgotten))
  }

  package func beginUndo() { selling?.undo() }

  /// Asks for another name to sell under, where there is one already.
  package func beginRenaming() {
    guard selling?.account.seller != nil else { return announce(.hint(.nothingSold)) }
    selling?.rename()
  }

  /// Shows the seller's own products alone with the drafts above them, or all products again.
  package func toggleMyProducts() {
    guard let selling else { return }
    // Who has sold nothing yet may have begun to.
    guard let own = ownSeller else { return selling.showDrafts() }
    var query = browser.feed.query
    query.sellers = showsMine ? [] : [own]
    marked.clear()
    browser.show(query)
    guard !query.sellers.isEmpty else { return }
    Task.immediate { await selling.drafts.load(isOpening: true) }
  }

  /// Whether the seller's own products are shown alone.
  package var showsMine: Bool { isOwn(browser.feed.query.sellers) }

  /// Whether these sellers are who sells from here alone.
  package func isOwn(_ sellers: [Seller.ID]) -> Bool {
    sellers.count == 1 && sellers.first == ownSeller
  }

  /// The drafts above the products; nil where none are shown.
  package var shelf: DraftListState? {
    guard showsMine, let shelf = selling?.drafts.shelf, !shelf.drafts.isEmpty
    else { return nil }
    return shelf
  }

  /// Whose products are the own ones; nil where nothing was sold from here.
  package var ownSeller: Seller.ID? {
    guard let account = selling?.account else { return nil }
    if browser.capabilities?.queriesBySeller == true { return account.seller?.id }
    return account.registered.isEmpty ? nil : account.seller?.id ?? Seller.guest.id
  }
}

extension Navigator: SellingDelegate {
  /// Shows what came of it: nothing is read again that is known.
  package func didFinish(_ outcome: SellingOutcome) {
    switch outcome {
    case .registered(let detail):
      browser.didRegister(detail, isOnTop: showsNewest(by: detail.product.seller.id))
    case .changed(let detail): browser.didChange(detail)
    case .deleted(let id):
      stack.remove(browser.detail)
      browser.didDelete(id)
    }
  }

  package func didRegister(_ detail: ProductDetail) { browser.goToRegistered(detail) }

  package func editExternally(
    _ text: String, then take: (EditorOutcome) -> Void
  ) async {
    guard let delegate = program.delegate else { return take(.none) }
    await delegate.editExternally(text, then: take)
  }
}

extension Navigator: BrowserDelegate {
  package var registered: [Product.ID] { selling?.account.registered ?? [] }

  package func marketDidChange(_ changes: [ProductChange]) {
    for change in changes { selling?.didSee(change) }
    didLose(Set(changes.filter { $0.kind == .deleted }.map(\.id)))
    program.alerts?.didReceive(changes, in: market)
  }

  package func sellerDidChange(_ seller: Seller.ID) {
    if let sellerVisit, sellerVisit.seller == seller { sellerVisit.didChange() }
  }

  package func didPlace(_ registered: Product.ID, _ position: RegisteredPosition) {
    guard case .registered(let product, _) = notice, product.id == registered else { return }
    announce(.registered(product, position))
  }

  package func marketDidAnswer() {
    gallery.forgetFailures()
    switch notice {
    // That it came there says as much.
    case .registered, .sold: break
    default: announce(.hint(.marketAnswers))
    }
  }
}

/// The program around the navigators: its terminal, and its way to other programs.
package protocol NavigatorDelegate: AnyObject {
  /// Copies a product as text for other programs, with its address where it has one.
  func copy(_ product: ListedProduct, at address: ProductAddress?)
  /// Copies a product's address alone.
  func copy(_ address: ProductAddress)
  /// Whether addresses can be opened on this computer; over ssh there is no desktop to do it.
  var opensLinks: Bool { get }
  /// Opens an address with the desktop's program for it.
  func open(_ link: WebLink)
  /// Copies a text for other programs.
  func copy(_ text: SafeText)
  /// Saves a picture or opens it elsewhere.
  func perform(_ action: PictureAction)
  /// Does what has nothing to do with what is shown.
  func perform(_ command: ProgramCommand)
  /// Runs the user's own editor on a text, with the terminal in its hands until it ends.
  /// `take` gets what came of it, before anything that was typed meanwhile counts.
  func editExternally(_ text: String, then take: (EditorOutcome) -> Void) async
}

/// Wish to have a picture saved, or opened outside of the program.
package nonisolated struct PictureAction: Hashable, Sendable {
  package enum Verb: Hashable, Sendable {
    /// Keep the original as a file.
    case save
    /// Show it in the desktop's viewer.
    case open
  }

  package let verb: Verb
  package let picture: Picture
  /// The product's name, which the file is called after.
  package let name: SafeText

  package init(verb: Verb, picture: Picture, name: SafeText) {
    self.verb = verb
    self.picture = picture
    self.name = name
  }
}

/// What the program around does, whatever is shown.
package nonisolated enum ProgramCommand: CaseIterable, Hashable, Sendable {
  /// Writes the whole screen anew.
  case redraw
  /// Gives the terminal back to the shell until that calls the program again.
  case suspend
}
