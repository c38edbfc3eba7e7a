import MarketModel
import MarketViewModels

/// A seller whose name is known.
package actor FakeAccounts: SellerAccountStore {
  private var accounts = SellerAccount(identifier: SellerIdentifier(secret: "me"), name: "하나")
  private var isFull = false
  /// Whether one has sold here before.
  private var isKnown: Bool

  package init(isKnown: Bool = true) {
    self.isKnown = isKnown
  }

  /// Says whether there is no room on the disk.
  package func setFull(_ isFull: Bool) { self.isFull = isFull }

  package func known() -> SellerAccount? { isKnown ? accounts : nil }

  package func account() -> SellerAccount? { isFull && !isKnown ? nil : accounts }

  @discardableResult package func save(_ account: SellerAccount) -> SellerAccount? {
    guard !isFull else { return nil }
    accounts = account
    isKnown = true
    return account
  }
}
