import EditorKit
import MarketModel
import MarketViewModels
import TestSupport

/// Drafts in memory.
actor FakeDrafts: DraftKeeper {
  private var kept: [Draft.ID: Draft]

  init(_ drafts: [Draft] = []) {
    kept = Dictionary(uniqueKeysWithValues: drafts.map { ($0.id, $0) })
  }

  func drafts() -> [Draft] { Array(kept.values) }

  func save(_ draft: Draft) -> Bool {
    kept[draft.id] = draft
    return true
  }

  func delete(_ id: Draft.ID) { kept[id] = nil }
}

/// A seller whose name is known.
actor FakeAccounts: SellerAccountKeeper {
  private var kept = SellerAccount(identifier: SellerIdentifier(secret: "me"), name: "하나")

  func known() -> SellerAccount? { kept }

  func account() -> SellerAccount { kept }

  func save(_ account: SellerAccount) { kept = account }
}

/// Takes every path for a file whose bytes are its name, and encodes by leaving the rest out.
actor FakeWorkshop: PhotoWorkshop {
  func read(_ path: String) throws(PhotoProblem) -> [UInt8] {
    guard path != "missing" else { throw .notFound }
    return Array(path.utf8)
  }

  func encode(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(3)) }

  func show(_ bytes: [UInt8], as id: FormPhoto.ID) {}

  func entries(of folder: String) -> [FolderEntry] {
    [FolderEntry(name: "bike.jpg", isFolder: false), FolderEntry(name: "old", isFolder: true)]
  }

  func hasFile(_ path: String) -> Bool { false }
}

extension SellingModel {
  /// Sells on a repository that answers when the test likes.
  static func sample(
    _ repository: GatedProductRepository, drafts: FakeDrafts = FakeDrafts(),
    clock: ManualClock = ManualClock()
  ) -> SellingModel {
    var tokens = 0
    return SellingModel(
      SellingServices(
        repository: repository, drafts: drafts, accounts: FakeAccounts(),
        photos: FakeWorkshop(), clock: clock, now: { Timestamp(seconds: 1_750_000_000) },
        makeToken: {
          tokens += 1
          return "token-\(tokens)"
        }, home: "/home/me"))
  }

  /// Types the password into the prompt and sends it.
  func enter(_ password: String) {
    editSecret { $0.type(password) }
    verifyPassword()
  }
}
