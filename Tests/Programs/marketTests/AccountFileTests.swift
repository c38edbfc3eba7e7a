import Expectations
import Glibc
import MarketModel
import MarketViewModels
import Posix
import TestSupport
import Testing

@testable import market

struct AccountFileTests {
  @Test func `an account is known again with what the market told of the seller`() async throws {
    let folder = try TemporaryFolder()
    var account = SellerAccount(identifier: SellerIdentifier(secret: "me"), name: "하나")
    account.seller = Seller(id: Seller.ID(rawValue: 9), name: "Hana\n")
    account.registered = [Product.ID(rawValue: 7)]

    let saved = await AccountFile(folder: folder.path, name: "seller").save(account)

    expect(saved, account)
    await expect(AccountFile(folder: folder.path, name: "seller").known(), account)
    var status = stat()
    #expect(stat(folder.path(of: "seller"), &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `an account that cannot be saved is told about`() async throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: []).write(to: folder.path(of: "file"))

    let store = AccountFile(folder: folder.path(of: "file"), name: "seller")

    let saved = await store.save(SellerAccount(identifier: SellerIdentifier(secret: "me")))

    expect(saved, nil)
  }

  @Test
  func `an account that is not safe on the disk is none, and whoever has a key needs no file`()
    async throws
  {
    let folder = try TemporaryFolder()
    try FileContent(bytes: []).write(to: folder.path(of: "file"))
    let key = SellerIdentifier(secret: "of a key")

    let unsafe = await AccountFile(folder: folder.path(of: "file"), name: "seller").account()
    let guest = await AccountFile(folder: folder.path(of: "file"), name: "seller", of: key)
      .account()

    expect(unsafe, nil)
    expect(guest?.identifier, key)
  }

  @Test func `where an account that cannot be read cannot be put aside, it stays`() async throws {
    let folder = try TemporaryFolder()
    let broken = FileContent(bytes: [0xFF])
    try broken.write(to: folder.path(of: "seller"))
    for number in 1...100 {
      let name = "seller.old" + (number == 1 ? "" : "-\(number)")
      try broken.write(to: folder.path(of: name))
    }

    let made = await AccountFile(folder: folder.path, name: "seller").account()

    expect(made, nil)
    try expect(FileContent(of: folder.path(of: "seller")), broken)
  }

  private func registered(_ ids: Int64...) -> [Product.ID] { ids.map(Product.ID.init(rawValue:)) }

  @Test func `what another run registered meanwhile is kept, and known from then on`() async throws
  {
    let folder = try TemporaryFolder()
    let (screen, script) = (
      AccountFile(folder: folder.path, name: "seller"),
      AccountFile(folder: folder.path, name: "seller")
    )
    var ours = try #require(await screen.account())
    var theirs = try #require(await script.account())
    theirs.registered = registered(7)
    _ = await script.save(theirs)

    ours.registered = registered(8)
    let saved = await screen.save(ours)

    expect(saved?.registered, registered(7, 8))
    await expect(script.known()?.registered, registered(7, 8))
  }

  @Test func `runs that come at once agree on one account, and nothing is put aside`() async throws
  {
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      let path = folder.path

      var secrets: Set<String> = []
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { await AccountFile(folder: path, name: "seller").account() }
        }
        for await account in group { secrets.insert(account?.identifier.secret ?? "") }
      }

      expect(secrets.count, 1)
      expect(Set(Folder.entries(of: path).map(\.name)), ["seller", ".lock"])
    }
  }

  @Test func `who sells under another identifier by now is not written over`() async throws {
    let folder = try TemporaryFolder()
    let accounts = AccountFile(folder: folder.path, name: "seller")
    let old = try #require(await accounts.account())
    let new = SellerAccount(identifier: SellerIdentifier(secret: "other"))

    #expect(await accounts.replace(with: new))

    await expect(accounts.save(old), nil)
    await expect(accounts.known(), new)
  }

  @Test func `every account that cannot be read is put aside under a name of its own`() async throws
  {
    let folder = try TemporaryFolder()
    let accounts = AccountFile(folder: folder.path, name: "seller")
    for byte: UInt8 in [1, 2] {
      try FileContent(bytes: [0xFF, byte]).write(to: folder.path(of: "seller"))
      _ = await accounts.account()
    }

    try expect(FileContent(of: folder.path(of: "seller.old")).bytes, [0xFF, 1])
    try expect(FileContent(of: folder.path(of: "seller.old-2")).bytes, [0xFF, 2])
  }
}
