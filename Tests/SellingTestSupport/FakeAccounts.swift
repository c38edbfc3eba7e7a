import MarketModel
import MarketViewModels

/// A seller whose name is known.
package actor FakeAccounts: SellerAccountKeeper {
  private var kept = SellerAccount(identifier: SellerIdentifier(secret: "me"), name: "하나")

  package init() {}

  package func known() -> SellerAccount? { kept }

  package func account() -> SellerAccount { kept }

  @discardableResult package func save(_ account: SellerAccount) -> Bool {
    kept = account
    return true
  }
}
