import MarketModel
import MarketViewModels

/// A seller whose name is known.
package actor FakeAccounts: SellerAccountStore {
  private var kept = SellerAccount(identifier: SellerIdentifier(secret: "me"), name: "하나")
  private var isFull = false

  package init() {}

  /// Says whether there is no room on the disk.
  package func setFull(_ isFull: Bool) { self.isFull = isFull }

  package func known() -> SellerAccount? { kept }

  package func account() -> SellerAccount { kept }

  @discardableResult package func save(_ account: SellerAccount) -> SellerAccount? {
    guard !isFull else { return nil }
    kept = account
    return account
  }
}
