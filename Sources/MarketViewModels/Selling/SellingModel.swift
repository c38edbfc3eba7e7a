internal import EditorKit
package import MarketModel
import Observation

/// Registering, editing and deleting: which form or question is open, and what is on its way.
///
/// What may come in any order is decided by the pure machines it holds; this shell runs the calls
/// and brings their answers back with the number of the intent they belong to.
@Observable
package final class SellingModel {
  package internal(set) var form: ProductForm?
  package internal(set) var dialog: SellingDialog?
  /// When the draft was last written to disk.
  package internal(set) var savedAt: Timestamp?
  package internal(set) var upload: UploadProgress?
  /// The seller as this market knows it; nil until something was sold from here.
  package internal(set) var seller: Seller?
  /// Edits of this session that can be taken back, the latest last.
  package internal(set) var edits = FinishedEdits()
  /// Whether the market was asked for what a form needs and has not answered; nothing lies over the
  /// list meanwhile.
  package internal(set) var isOpening = false
  /// The drafts above the seller's own products; empty until those were asked for.
  package internal(set) var shelf = DraftShelf()

  /// Whether the form or a question begins or ends to lie over the list.
  @ObservationIgnored package var didChangeActivity: (Bool) -> Void = { _ in }
  @ObservationIgnored package var didAnnounce: (Notice) -> Void = { _ in }
  @ObservationIgnored package var didFinish: (Outcome) -> Void = { _ in }

  /// Runs the seller's own editor on a text, with the terminal in its hands until it ends.
  @ObservationIgnored package var editExternally: @MainActor (String) async -> EditorOutcome = {
    _ in .none
  }

  let services: SellingServices
  @ObservationIgnored var intent: SellingIntent?
  /// The account that sells; nil until it is needed.
  @ObservationIgnored var account: SellerAccount?
  /// Whether what is new about it is not on disk, as on a full one; the next occasion tries again.
  @ObservationIgnored private var isAccountUnsaved = false
  @ObservationIgnored var sending: Task<Void, Never>?
  @ObservationIgnored var saving: Task<Void, Never>?
  /// Files that are being read or made smaller.
  @ObservationIgnored var photoTasks: [FormPhoto.ID: Task<Void, Never>] = [:]
  /// Photos whose bytes are held so that they can be drawn.
  @ObservationIgnored var shownPhotos: Set<FormPhoto.ID> = []
  /// Whether sending was asked for while photos were still being made smaller.
  @ObservationIgnored var submitsWhenReady = false
  /// Which dialog lies under a question or list that was opened over it.
  @ObservationIgnored var dialogBelow: SellingDialog?
  /// Where the last photo was chosen from.
  @ObservationIgnored var pickedFolder: String?
  @ObservationIgnored private var intents = 0

  /// What came of an intent.
  package enum Outcome: Hashable, Sendable {
    case registered(ProductDetail)
    case changed(ProductDetail)
    case deleted(Product.ID)
  }

  /// What an editor outside brought back.
  package enum EditorOutcome: Hashable, Sendable {
    case text(String)
    /// It could not be started, or it ended with a failure; the text stays as it was.
    case failed
    /// None is set up.
    case none
  }

  package init(_ services: SellingServices) {
    self.services = services
  }

  package var isActive: Bool { form != nil || dialog != nil }

  package var isEditing: Bool { intent?.purpose == .edit }

  /// Learns who sells here, where something was sold before.
  package func start() async {
    guard let known = await services.accounts.known() else { return }
    account = known
    seller = known.seller
    guard known.name != nil else { return }
    seller = (try? await services.repository.seller(of: known.identifier)) ?? seller
  }

  /// Whether a product is the seller's, as far as this market tells or this program remembers.
  package func isOwn(_ product: Product) -> Bool {
    product.seller.id == seller?.id || account?.registered.contains(product.id) == true
  }

  /// What was registered from here, the latest last.
  package var registered: [Product.ID] { account?.registered ?? [] }

  // MARK: Intents

  /// Begins something new, also where a form was asked for that has not come; nil while something else
  /// is going on.
  func begin(
    _ purpose: SellingIntent.Purpose, of product: ListedProduct? = nil, draft: Draft? = nil
  ) -> SellingIntent? {
    if isOpening { end() }
    guard intent == nil else { return nil }
    intents += 1
    let token = services.makeToken()
    let intent = SellingIntent(
      number: intents, purpose: purpose, product: product, draft: draft,
      draftID: draft?.id ?? Draft.ID(rawValue: token),
      key: draft?.key ?? IdempotencyKey(rawValue: token), wasSent: draft?.wasSent ?? false)
    self.intent = intent
    return intent
  }

  /// Ends what is going on: nothing of it stays on the screen, and the password is wiped.
  func end() {
    sending?.cancel()
    sending = nil
    saving?.cancel()
    saving = nil
    intent?.password?.wipe()
    if case .password(var prompt) = dialog { prompt.secret.wipe() }
    form?.wipePassword()
    intent = nil
    submitsWhenReady = false
    isOpening = false
    dialog = nil
    dialogBelow = nil
    form = nil
    releasePhotos()
    savedAt = nil
    upload = nil
    didChangeActivity(false)
  }

  func isCurrent(_ number: Int) -> Bool { intent?.number == number }

  /// The account that sells, made where there is none.
  func sellingAccount() async -> SellerAccount {
    await saveAccountAgain()
    if let account { return account }
    let made = await services.accounts.account()
    account = account ?? made
    return made
  }

  /// Keeps what is new about who sells.
  package func keep(_ account: SellerAccount) async {
    self.account = account
    let saved = await services.accounts.save(account)
    isAccountUnsaved = saved == nil
    // What was registered while it was written is on its way to the disk as well.
    if let saved { self.account = self.account?.merged(into: saved) ?? saved }
    if isAccountUnsaved { didAnnounce(.hint(.accountNotKept)) }
  }

  /// Keeps what could not be kept before.
  func saveAccountAgain() async {
    if isAccountUnsaved, let account { await keep(account) }
  }

  /// Shows the form or a question over the list.
  func show(_ dialog: SellingDialog?) {
    self.dialog = dialog
    isOpening = false
    didChangeActivity(isActive)
  }

  /// Learns how much of a form was sent.
  package func didUpload(_ progress: UploadProgress) {
    guard case .sending = dialog else { return }
    upload = progress
  }
}
