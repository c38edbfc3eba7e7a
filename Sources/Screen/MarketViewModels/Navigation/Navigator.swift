package import MarketModel
import Observation
package import SafeText

/// The root of the view models: the stack of layers, and what belongs to the whole program.
///
/// How a layer is made and opened is an extension beside its model; it takes what the model needs from
/// here, such as `browser.repository` and `clock`.
@Observable
package final class Navigator {
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
  /// Whether the mouse is ours; released, the terminal selects text with it.
  package private(set) var hasMouse = true
  package private(set) var isQuitting = false
  /// How the user wants pictures shown.
  package var pictureMode = PictureMode.auto

  /// What the user may set; nil where nothing keeps it.
  @ObservationIgnored package var settings: (any SettingsBook)?
  /// How often each entry of the palette was chosen.
  @ObservationIgnored package let paletteUses = PaletteUses()
  /// The program around, which is made after the navigator.
  @ObservationIgnored package weak var delegate: (any NavigatorDelegate)?

  let clock: any Clock<Duration>

  private static let largestCount = 999_999

  package init(
    browser: BrowserModel, gallery: PictureGallery, marketName: SafeText?,
    marketAddress: SafeText? = nil,
    selling services: SellingServices? = nil, clock: any Clock<Duration>
  ) {
    self.browser = browser
    self.gallery = gallery
    self.marketName = marketName
    self.marketAddress = marketAddress
    self.clock = clock
    stack = LayerStack(bottom: browser)
    selling = services.map { SellingModel($0, on: stack, delegate: self) }
    browser.delegate = self
  }

  package func announce(_ notice: Notice) { self.notice = notice }

  /// A key was read: what was said has been seen.
  package func didPressKey() {
    if notice != nil { notice = nil }
    for layer in stack.layers { layer.didPressKey() }
  }

  package func quit() { isQuitting = true }

  /// Lets go of the mouse or takes it back.
  package func toggleMouse() {
    hasMouse.toggle()
    announce(.hint(hasMouse ? .mouseCaptured : .mouseReleased))
  }

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

  /// Asks for something of the program around.
  package func perform(_ command: ProgramCommand) { delegate?.perform(command) }

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

  /// Asks for the chosen product to be copied as text for other programs.
  package func copyProduct() {
    if let chosen { delegate?.copy(chosen) }
  }

  /// Saves the detail's picture or opens it elsewhere.
  package func keepPicture(_ verb: PictureAction.Verb) {
    let detail = browser.detail
    guard let product = detail.product, detail.pictures.indices.contains(detail.pictureIndex) else {
      return announce(.hint(.noPicture))
    }
    delegate?.perform(
      PictureAction(
        verb: verb, picture: detail.pictures[detail.pictureIndex], name: product.name))
  }

  package func beginEdit() {
    if let product = changeable() { selling?.beginEdit(of: product) }
  }

  package func beginDeletion() {
    if let product = changeable() { selling?.beginDeletion(of: product) }
  }

  /// Whether the right password may change the chosen product, as far as is known.
  package var mayChangeChosen: Bool { chosen.map(mayChange) ?? false }

  /// Whether a product was registered by who sells from here.
  package func isOwn(_ product: ListedProduct?) -> Bool {
    product.map { selling?.account.isOwn($0.product) == true } ?? false
  }

  /// The chosen product; where the market lets nobody but another seller change it, that is said
  /// instead of asking for a password in vain.
  private func changeable() -> ListedProduct? {
    guard let chosen else { return nil }
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
  package func beginRegistration() { selling?.opening.beginRegistration() }

  package func beginUndo() { selling?.beginUndo() }

  /// Asks for another name to sell under, where there is one already.
  package func beginRenaming() {
    guard selling?.account.seller != nil else { return announce(.hint(.nothingSold)) }
    selling?.beginRenaming()
  }

  /// Shows the seller's own products alone with the drafts above them, or all products again.
  package func toggleMine() {
    guard let selling else { return }
    guard let own = ownSeller else {
      Task.immediate {
        // Who has sold nothing yet may have begun to.
        if await !selling.opening.offerDrafts() { announce(.hint(.nothingSold)) }
      }
      return
    }
    var query = browser.feed.query
    query.sellers = query.sellers.isEmpty ? [own] : []
    browser.show(query)
    guard !query.sellers.isEmpty else { return }
    Task.immediate { await selling.drafts.load(isOpening: true) }
  }

  /// Whether the seller's own products are shown alone.
  package var showsMine: Bool { !browser.feed.query.sellers.isEmpty }

  /// The drafts above the products; nil where none are shown.
  package var shelf: DraftShelf? {
    guard showsMine, let shelf = selling?.drafts.shelf, !shelf.drafts.isEmpty
    else { return nil }
    return shelf
  }

  /// Whose products are the own ones; nil where nothing was sold from here.
  private var ownSeller: Seller.ID? {
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
      browser.showOnTop(detail)
      stack.remove(browser.detail)
      stack.push(browser.detail)
    case .changed(let detail): browser.didChange(detail)
    case .deleted(let id):
      stack.remove(browser.detail)
      browser.didDelete(id)
    }
  }

  package func editExternally(
    _ text: String, then take: (EditorOutcome) -> Void
  ) async {
    guard let delegate else { return take(.none) }
    await delegate.editExternally(text, then: take)
  }
}

extension Navigator: BrowserDelegate {
  package var registered: [Product.ID] { selling?.account.registered ?? [] }

  package func marketDidAnswer() {
    gallery.forgetFailures()
    announce(.hint(.marketAnswers))
  }
}

/// The program around the navigator: its terminal, and its way to other programs.
package protocol NavigatorDelegate: AnyObject {
  /// Copies a product as text for other programs.
  func copy(_ product: ListedProduct)
  /// Whether addresses can be opened on this computer; over ssh there is no desktop to do it.
  var opensLinks: Bool { get }
  /// Opens an address with the desktop's program for it.
  func open(_ link: WebLink)
  /// Copies an address for other programs.
  func copy(_ link: WebLink)
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
