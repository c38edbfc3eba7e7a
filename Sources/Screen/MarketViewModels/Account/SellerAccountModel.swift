package import MarketModel

/// The seller's account in use: what the market and this program know of it, and that it gets to
/// disk.
package final class SellerAccountModel {
  /// The seller as this market knows it; nil until something was sold from here.
  @Observed package private(set) var seller: Seller?

  /// What is on its way to the disk.
  let outliving = OutlivingTasks()
  private let services: SellingServices
  private weak let delegate: (any SellingDelegate)?
  /// The account that sells; nil until it is needed.
  @Observed private var account: SellerAccount?
  /// Whether what is new about it is not on disk, as on a full one; the next occasion tries again.
  private var isUnsaved = false

  init(_ services: SellingServices, delegate: any SellingDelegate) {
    self.services = services
    self.delegate = delegate
  }

  /// Learns who sells here, where something was sold before; the market is asked only where the seller
  /// may be named to it.
  func start(namingSeller: Bool = true) async {
    guard let known = await services.accounts.known() else { return }
    account = known
    seller = known.seller
    guard namingSeller, known.name != nil else { return }
    seller = (try? await services.repository.seller(of: known.identifier)) ?? seller
  }

  /// Whether a product is the seller's, as far as this market tells or this program remembers.
  package func isOwn(_ product: Product) -> Bool {
    product.seller.id == seller?.id || account?.registered.contains(product.id) == true
  }

  /// What was registered from here, the latest last.
  package var registered: [Product.ID] { account?.registered ?? [] }

  /// The account that sells; nil until that is needed.
  var known: SellerAccount? { account }

  /// The identifier under which this run sells; nil until that is needed.
  var identifier: SellerIdentifier? { account?.identifier }

  /// The account that sells, made where there is none; nil where it could not be kept: what would be
  /// registered under it would be nobody's once the program ends.
  func current() async -> SellerAccount? {
    await saveAgain()
    if let account { return account }
    let made = await services.accounts.account()
    account = account ?? made
    return account
  }

  /// Who edits and deletes, for which a product's password is enough where no account can be kept.
  func author() async -> Author {
    await current()?.author ?? .seller(SellerIdentifier(secret: services.makeToken()))
  }

  /// Tells the market who sells; nil where that is nobody, for no account could be kept.
  func change(_ change: SellerChange) async throws(RepositoryError) -> Seller? {
    guard var account = await current() else { return nil }
    seller = try await services.repository.change(account.identifier, change)
    account.name = change.name ?? account.name
    await keep(account)
    return seller
  }

  /// Remembers what was registered.
  func didRegister(_ detail: ProductDetail) {
    guard var account else { return }
    account.didRegister(detail)
    seller = account.seller ?? seller
    let changed = account
    outliving.run { [self] in await keep(changed) }
  }

  /// Keeps what is new about who sells.
  func keep(_ account: SellerAccount) async {
    self.account = account
    let saved = await services.accounts.save(account)
    isUnsaved = saved == nil
    // What was registered while it was written is on its way to the disk as well.
    if let saved { self.account = self.account?.merged(into: saved) ?? saved }
    if isUnsaved { delegate?.announce(.hint(.accountNotSaved)) }
  }

  /// Keeps what could not be kept before; false where that failed again.
  @discardableResult func saveAgain() async -> Bool {
    if isUnsaved, let account { await keep(account) }
    return !isUnsaved
  }
}
