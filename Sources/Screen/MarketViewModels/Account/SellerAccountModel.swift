package import MarketModel

/// The seller's account in use: its state on the market, and its saving.
package final class SellerAccountModel {
  /// The seller's public identity; nil until something was sold.
  @Observed package private(set) var seller: Seller?

  /// Writes in progress.
  let outliving = OutlivingTasks()
  private let services: SellingServices
  private weak let delegate: (any SellingDelegate)?
  /// The account; nil until it is loaded.
  @Observed private var account: SellerAccount?
  /// Whether changes could not be saved, as on a full disk; saving is repeated on the next occasion.
  private var isUnsaved = false

  init(_ services: SellingServices, delegate: any SellingDelegate) {
    self.services = services
    self.delegate = delegate
  }

  /// Loads a saved account; with `namingSeller`, the market is asked for the seller's current name.
  func start(namingSeller: Bool = true) async {
    guard let known = await services.accounts.known() else { return }
    account = known
    seller = known.seller
    guard namingSeller, known.name != nil else { return }
    seller = (try? await services.repository.seller(of: known.identifier)) ?? seller
  }

  /// Whether a product is the seller's, by the market or by the saved registrations.
  package func isOwn(_ product: Product) -> Bool {
    product.seller.id == seller?.id || account?.registered.contains(product.id) == true
  }

  /// Products registered on this computer, oldest first.
  package var registered: [Product.ID] { account?.registered ?? [] }

  /// The account; nil until it is loaded.
  var known: SellerAccount? { account }

  /// The seller's identifier; nil until the account is loaded.
  var identifier: SellerIdentifier? { account?.identifier }

  /// The account, created if necessary; nil if it could not be saved: its registrations would be lost
  /// when the program ends.
  func current() async -> SellerAccount? {
    await saveAgain()
    if let account { return account }
    let made = await services.accounts.account()
    account = account ?? made
    return account
  }

  /// Author of an edit or deletion; without an account a new one, because the product's password is
  /// enough.
  func author() async -> Author {
    await current()?.author ?? .seller(SellerIdentifier(secret: services.makeToken()))
  }

  /// Changes the seller on the market; nil if the account could not be saved.
  /// - Throws: what `ProductRepository.change(_:_:)` throws.
  func change(_ change: SellerChange) async throws(RepositoryError) -> Seller? {
    guard var account = await current() else { return nil }
    seller = try await services.repository.change(account.identifier, change)
    account.name = change.name ?? account.name
    await keep(account)
    return seller
  }

  /// Records a registration and saves the account.
  func didRegister(_ detail: ProductDetail) {
    guard var account else { return }
    account.didRegister(detail)
    seller = account.seller ?? seller
    let changed = account
    outliving.run { [self] in await keep(changed) }
  }

  /// Saves a changed account; a failure is announced.
  func keep(_ account: SellerAccount) async {
    self.account = account
    let saved = await services.accounts.save(account)
    isUnsaved = saved == nil
    // Registrations added during the write are saved by their own task.
    if let saved { self.account = self.account?.merged(into: saved) ?? saved }
    if isUnsaved { delegate?.announce(.hint(.accountNotSaved)) }
  }

  /// Saves changes that could not be saved before; false if that failed again.
  @discardableResult func saveAgain() async -> Bool {
    if isUnsaved, let account { await keep(account) }
    return !isUnsaved
  }
}
