import EditorKit
import MarketModel
import MarketViewModels
import TestSupport

@MainActor extension SellingModel {
  /// Sells on a repository that answers when the test likes.
  package static func sample(
    _ repository: GatedProductRepository, drafts: FakeDrafts = FakeDrafts(),
    accounts: FakeAccounts = FakeAccounts(), photos: FakeWorkshop = FakeWorkshop(),
    clock: ManualClock = ManualClock()
  ) -> SellingModel {
    var tokens = 0
    return SellingModel(
      SellingServices(
        repository: repository, drafts: drafts, accounts: accounts,
        photos: photos, pictures: FakePictures(), clock: clock,
        now: { Timestamp(seconds: 1_750_000_000) },
        makeToken: {
          tokens += 1
          return "token-\(tokens)"
        }, home: "/home/me"))
  }

  /// Types the password into the prompt and sends it.
  package func enter(_ password: String) {
    editSecret { $0.type(password) }
    verifyPassword()
  }
}
