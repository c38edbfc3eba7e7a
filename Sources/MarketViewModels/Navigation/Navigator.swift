internal import MarketModel
import Observation
package import SafeText

/// What lies on the screen, layer by layer, and what the keys go to: the root of the view models.
@Observable
package final class Navigator {
  /// What may lie over the products; the last one has the keys.
  package enum Layer: Hashable, Sendable {
    /// The detail over the whole window.
    case detail
    case search
    case menu(MenuModel)
    case help(HelpModel)
    /// The ways to show pictures.
    case pictureMenu(PictureMenuModel)
    /// A picture of the detail over the whole window.
    case picture
    /// The form, or what asks the seller something.
    case selling
  }

  package let browser: BrowserModel
  package let gallery: PictureGallery
  package let search: SearchModel
  /// Registering, editing and deleting; nil where nothing can be sold.
  package let selling: SellingModel?
  /// The market's name as the top bar says it; nil is the local one.
  package let marketName: SafeText?

  package internal(set) var layers: [Layer] = []
  /// What happened last; it stays until the next key.
  package private(set) var notice: Notice?
  /// Digits that were typed before a move, as in `5j`.
  package private(set) var count: Int?
  /// Whether the mouse is ours; released, the terminal selects text with it.
  package private(set) var hasMouse = true
  package private(set) var isQuitting = false
  /// How the user wants pictures shown.
  package var pictureMode = PictureMode.auto
  /// Called when a picture shall be saved or opened elsewhere.
  @ObservationIgnored package var didWantPicture: (PictureErrand) -> Void = { _ in }

  /// Called when a product shall be copied for other programs.
  @ObservationIgnored package var didWantCopy: (ListedProduct) -> Void = { _ in }

  private static let largestCount = 999_999

  package init(
    browser: BrowserModel, gallery: PictureGallery, marketName: SafeText?,
    selling: SellingModel? = nil, clock: any Clock<Duration>
  ) {
    self.browser = browser
    self.gallery = gallery
    self.marketName = marketName
    search = SearchModel(browser: browser, clock: clock)
    self.selling = selling
    browser.didAnnounce = { [weak self] in self?.announce($0) }
    if let selling { follow(selling) }
  }

  package var top: Layer? { layers.last }

  package func announce(_ notice: Notice) { self.notice = notice }

  /// A key was read: what was said has been seen.
  package func didPressKey() {
    if notice != nil { notice = nil }
    browser.didPressKey()
  }

  package func quit() { isQuitting = true }

  // MARK: Counts

  /// Adds a digit to the count before a move; a leading 0 is none.
  package func typeDigit(_ digit: Int) {
    guard digit > 0 || count != nil else { return }
    count = min(Self.largestCount, (count ?? 0) * 10 + digit)
  }

  /// The count that was typed, which is used up by that.
  package func takeCount() -> Int? {
    guard count != nil else { return nil }
    defer { count = nil }
    return count
  }

  // MARK: Layers

  package func openDetail() {
    guard let selected = browser.selected else { return }
    browser.detail.show(selected)
    layers.append(.detail)
  }

  package func openHelp() { layers.append(.help(HelpModel())) }

  /// Opens the search, or says that this market has none.
  package func openSearch() {
    guard browser.capabilities?.searches != false else { return announce(.hint(.noSearch)) }
    search.begin()
    layers.append(.search)
  }

  /// Opens the menu of orders or filters, or says that this market has none.
  package func openMenu(_ section: MenuModel.Section) {
    guard let capabilities = browser.capabilities else { return announce(.hint(.noAnswerYet)) }
    let menu = MenuModel(section, capabilities: capabilities, query: browser.feed.query)
    guard menu.offersChoice else { return announce(.hint(.noOrder)) }
    layers.append(.menu(menu))
  }

  /// Puts a changed menu or help page in the place of the one on top.
  package func replaceTop(with layer: Layer) {
    guard !layers.isEmpty else { return }
    layers[layers.count - 1] = layer
  }

  /// Takes the top layer away.
  package func closeTop() {
    _ = layers.popLast()
  }

  /// Whether a search or a seller keeps products from the list.
  package var showsLess: Bool {
    let query = browser.feed.query
    return !query.text.isEmpty || query.seller != nil
  }

  /// Ends the search whose results are shown; where there is none, the view of one seller alone.
  package func showMore() {
    var query = browser.feed.query
    guard !search.leave(), query.seller != nil else { return }
    query.seller = nil
    browser.show(query)
  }

  // MARK: Verbs of the whole program

  package func refresh() {
    gallery.forgetFailures()
    browser.refresh()
  }

  /// Asks again for what failed and can be seen; where nothing did, for what is shown.
  package func retry() {
    gallery.forgetFailures()
    if layers.contains(.detail) { return browser.detail.reload() }
    switch (browser.feed.phase, browser.detail.phase) {
    case (.failed, _): browser.retry()
    case (_, .failed) where browser.detail.isShown: browser.detail.reload()
    default: browser.refresh()
    }
  }

  /// Lets go of the mouse or takes it back.
  package func toggleMouse() {
    hasMouse.toggle()
    announce(.hint(hasMouse ? .mouseCaptured : .mouseReleased))
  }
}
