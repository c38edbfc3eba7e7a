package import MarketModel

/// Ports to everything outside that selling needs.
package struct SellingServices {
  package let repository: any ProductRepository
  /// What was read of the same repository earlier; nil where everything is at hand.
  package let seen: (any ProductCache)?
  package let drafts: any DraftStore
  package let accounts: any SellerAccountStore
  package let photos: any PhotoImporter
  /// The pictures of the market's products.
  package let pictures: any PictureSource
  package let clock: any Clock<Duration>
  package let now: () -> Timestamp
  /// Makes a random text of at least 122 bits that is fit for a file name.
  package let makeToken: () -> String
  /// The folder that `~` stands for.
  package let home: String
  /// What is known of the way to the market.
  package let reach: ReachabilityMonitor
  /// The password of a product of the sample market, which everybody may know; nil for others.
  package let samplePassword: @Sendable (Product.ID) async -> String?
  /// The photos that a form takes instead of files; nil where files are chosen.
  package let waiting: (any PendingPhotos)?
  /// The currency of the program's language, with which a form begins where the market has no products
  /// yet; nil where forms ask nobody and begin with won.
  package let languageCurrency: (() -> Currency)?

  package init(
    repository: any ProductRepository, seen: (any ProductCache)? = nil,
    drafts: any DraftStore, accounts: any SellerAccountStore, photos: any PhotoImporter,
    pictures: any PictureSource, clock: any Clock<Duration>, now: @escaping () -> Timestamp,
    makeToken: @escaping () -> String, home: String,
    reach: ReachabilityMonitor = ReachabilityMonitor(),
    samplePassword: @escaping @Sendable (Product.ID) async -> String? = { _ in nil },
    waiting: (any PendingPhotos)? = nil, languageCurrency: (() -> Currency)? = nil
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
    self.languageCurrency = languageCurrency
  }
}

/// The program around selling: it shows what came of it, and lends its terminal to an editor.
package protocol SellingDelegate: AnyObject {
  func announce(_ notice: Notice)
  func didFinish(_ outcome: SellingOutcome)
  /// A registration that somebody waited for came through: its product is to be shown.
  func didRegister(_ detail: ProductDetail)
  /// The seller has another name or contact.
  func sellerDidChange(_ seller: Seller.ID)
  /// Runs the seller's own editor on a text, with the terminal in its hands until it ends.
  func editExternally(_ text: String, then take: (EditorOutcome) -> Void) async
}

/// Outcome of an intent.
package nonisolated enum SellingOutcome: Hashable, Sendable {
  case registered(ProductDetail)
  case changed(ProductDetail)
  case deleted(Product.ID)
  /// With the product where it was reserved.
  case question(QuestionChange.Kind, Question, ProductDetail?)
}

/// Outcome of an editor outside.
package nonisolated enum EditorOutcome: Hashable, Sendable {
  case text(String)
  /// It could not be started, or it ended with a failure; the text stays as it was.
  case failed
  /// None is set up.
  case none
}
