package import MarketModel

/// Ports and values that selling needs.
package struct SellingServices {
  package let repository: any ProductRepository
  /// Cache of earlier responses of the same repository; nil for a repository without a network.
  package let seen: (any ProductCache)?
  package let drafts: any DraftStore
  package let accounts: any SellerAccountStore
  package let photos: any PhotoImporter
  package let pictures: any PictureSource
  package let clock: any Clock<Duration>
  package let now: () -> Timestamp
  /// Generates a random token of at least 122 bits, valid as a file name.
  package let makeToken: () -> String
  /// Home folder, for `~`.
  package let home: String
  /// State of the connection to the market.
  package let reach: ReachabilityMonitor
  /// Public password of a product of the sample market; nil for other products.
  package let samplePassword: @Sendable (Product.ID) async -> String?
  /// Uploaded photos that a form takes in place of files; nil if files are chosen.
  package let waiting: (any PendingPhotos)?
  /// Pages for photos from a telephone; nil if there are none.
  package let receiver: (any PhotoReceiver)?
  /// Currency of the program's language, the default of a form on a market without products; nil for
  /// a form that reads no defaults and begins with won.
  package let languageCurrency: (() -> Currency)?
  /// Choices on the screen, among them the folder of the last photo.
  package let viewStates: ViewStateModel

  package init(
    repository: any ProductRepository, seen: (any ProductCache)? = nil,
    drafts: any DraftStore, accounts: any SellerAccountStore, photos: any PhotoImporter,
    pictures: any PictureSource, clock: any Clock<Duration>, now: @escaping () -> Timestamp,
    makeToken: @escaping () -> String, home: String,
    reach: ReachabilityMonitor = ReachabilityMonitor(),
    samplePassword: @escaping @Sendable (Product.ID) async -> String? = { _ in nil },
    waiting: (any PendingPhotos)? = nil, receiver: (any PhotoReceiver)? = nil,
    languageCurrency: (() -> Currency)? = nil, viewStates: ViewStateModel = ViewStateModel()
  ) {
    self.repository = repository
    self.seen = seen
    self.drafts = drafts
    self.accounts = accounts
    self.photos = photos
    self.pictures = pictures
    self.clock = clock
    self.now = now
    self.makeToken = makeToken
    self.home = home
    self.reach = reach
    self.samplePassword = samplePassword
    self.waiting = waiting
    self.receiver = receiver
    self.languageCurrency = languageCurrency
    self.viewStates = viewStates
  }
}

extension SellingServices {
  /// Default currency of a new product: that of the seller's last product, else of the newest product of
  /// the market, else of the language; nil for a form without defaults.
  ///
  /// Where `isKnown` is false, the market cannot be read.
  func proposedCurrency(
    _ capabilities: RepositoryCapabilities, isKnown: Bool = true
  ) async -> Currency? {
    guard let languageCurrency else { return nil }
    let usual = isKnown ? await usualCurrency(capabilities) : nil
    return [usual, languageCurrency()].compactMap(\.self).first(where: capabilities.takes)
  }

  /// Currency of the seller's last product, else of the newest product of the market; nil if there is
  /// none or it cannot be read.
  private func usualCurrency(_ capabilities: RepositoryCapabilities) async -> Currency? {
    let account = await accounts.known()
    if capabilities.queriesBySeller, let seller = account?.seller {
      if let own = await newestCurrency(ProductQuery(sellers: [seller.id])) { return own }
    } else if let last = account?.registered.last,
      let detail = try? await repository.detail(of: last),
      let price = detail.product.pricing.price
    {
      return price.currency
    }
    return await newestCurrency(ProductQuery())
  }

  private func newestCurrency(_ query: ProductQuery) async -> Currency? {
    let page = try? await repository.page(PageRequest(query: query, size: 1))
    return page?.products.first?.pricing.price?.currency
  }
}

/// Delegate of selling: it updates the screens and runs the user's editor.
package protocol SellingDelegate: AnyObject {
  func announce(_ notice: Notice)
  func didFinish(_ outcome: SellingOutcome)
  /// Shows the product of a registration whose flow has not been left.
  func didRegister(_ detail: ProductDetail)
  /// Called when the seller's name or contact has changed.
  func sellerDidChange(_ seller: Seller.ID)
  /// Runs the user's editor on a text, with the terminal until it ends; `take` gets the outcome.
  func editExternally(_ text: String, then take: (EditorOutcome) -> Void) async
}

/// Outcome of a message to the market.
package nonisolated enum SellingOutcome: Hashable, Sendable {
  case registered(ProductDetail)
  case changed(ProductDetail)
  case deleted(Product.ID)
  /// The product is nil unless the answer reserved it.
  case question(QuestionChange.Kind, Question, ProductDetail?)
}

/// Outcome of the user's editor.
package nonisolated enum EditorOutcome: Hashable, Sendable {
  case text(String)
  /// The editor could not be started or failed; the text stays as it was.
  case failed
  /// No editor is configured.
  case none
}
