import Glibc
import MarketModel
import MarketViewModels
import PersonalStore
import Posix
import Synchronization
import TestSupport
import Testing

@testable import market

/// Accounts and drafts that an earlier version kept under one name for several places.
@Suite struct LegacyLocationTests {
  private static let slash = KnownLocation(MarketKey(rawValue: "http://shop:8080/"))
  private static let hyphen = KnownLocation(MarketKey(rawValue: "http://shop-8080/"))
  private static let formerName = "seller-server-http---shop-8080-"

  private nonisolated final class Told: Sendable {
    private let others = Mutex<[String]>([])
    var all: [String] { others.withLock { $0 } }
    func tell(_ other: String) { others.withLock { $0.append(other) } }
  }

  private func accounts(
    _ location: KnownLocation, in folder: borrowing TemporaryFolder, known: [KnownLocation] = [],
    told: Told = Told()
  ) -> AccountFile {
    AccountFile(
      folder: folder.path, name: "seller-" + location.key.fileName,
      former: LegacyLocation(location, canAsk: false, known: { known }, tell: { told.tell($0) }))
  }

  /// The account as that version wrote it.
  private func write(in folder: borrowing TemporaryFolder) throws {
    let text = "identifier 2\nme\nname 4\nHana\nseller 1\n9\nsellerName 4\nHana\nproduct 1\n7\n"
    try FileContent(bytes: Array(text.utf8)).write(to: folder.path(of: Self.formerName))
  }

  @Test func `the account goes to the place that is used, and to no other one`() async throws {
    let folder = try TemporaryFolder()
    let told = Told()
    try write(in: folder)

    let first = await accounts(Self.slash, in: folder, told: told).account()
    let second = await accounts(Self.hyphen, in: folder, told: told).account()

    #expect(first?.identifier.secret == "me" && first?.name == "Hana")
    #expect(first?.registered == [Product.ID(rawValue: 7)])
    #expect(second != nil && second?.identifier.secret != "me" && second?.name == nil)
    #expect(told.all == ["http://shop:8080/"])
    #expect(await accounts(Self.slash, in: folder).known() == first)
    #expect(await accounts(Self.hyphen, in: folder).known() == second)
  }

  @Test func `it stays where it was used first as far as that is known, whoever comes first`()
    async throws
  {
    let folder = try TemporaryFolder()
    let told = Told()
    try write(in: folder)
    let known = [Self.slash, Self.hyphen]

    #expect(await accounts(Self.hyphen, in: folder, known: known).known() == nil)
    let other = await accounts(Self.hyphen, in: folder, known: known, told: told).account()
    let first = await accounts(Self.slash, in: folder, known: known, told: told).known()

    #expect(other?.identifier.secret != "me" && first?.identifier.secret == "me")
    #expect(told.all == ["http://shop:8080/"])
  }

  @Test func `who only asks is told as well, once`() async throws {
    let folder = try TemporaryFolder()
    let told = Told()
    try write(in: folder)
    let accounts = accounts(
      Self.hyphen, in: folder, known: [Self.slash, Self.hyphen], told: told)

    #expect(await accounts.known() == nil)
    #expect(told.all == ["http://shop:8080/"])
    #expect(await accounts.known() == nil)
    #expect(await accounts.account() != nil)

    #expect(told.all == ["http://shop:8080/"])
  }

  @Test func `where nobody can note to whom it belongs, nobody gets it`() async throws {
    let folder = try TemporaryFolder()
    try write(in: folder)
    // No lock can be had where a folder has its name.
    try #require(mkdir(folder.path(of: ".lock"), 0o700) == 0)

    for location in [Self.slash, Self.hyphen] {
      #expect(await accounts(location, in: folder).known() == nil)
      #expect(await accounts(location, in: folder).account() == nil)
    }
  }

  @Test func `runs that come at once for two places never share it`() async throws {
    for _ in 0..<10 {
      let folder = try TemporaryFolder()
      try write(in: folder)
      let stores = [Self.slash, Self.hyphen].map { accounts($0, in: folder) }

      var secrets: [String] = []
      await withTaskGroup { group in
        for store in stores { group.addTask { await store.account() } }
        for await account in group { secrets.append(account?.identifier.secret ?? "") }
      }

      #expect(Set(secrets).count == 2 && secrets.contains("me"))
    }
  }

  @Test func `a file knows several names, of which only its own count`() async throws {
    let folder = try TemporaryFolder()
    let text = "identifier 2\nme\n"
    try FileContent(bytes: Array(text.utf8)).write(to: folder.path(of: "seller-file-shop.sqlite"))
    let named = KnownLocation(file: "/none/shop.sqlite", named: ["shop.sqlite"])

    #expect(await accounts(KnownLocation(file: "/none/shop.sqlite"), in: folder).known() == nil)
    #expect(await accounts(named, in: folder).known()?.identifier.secret == "me")
    // From then on by any path.
    let again = await accounts(KnownLocation(file: "/none/shop.sqlite"), in: folder).known()
    #expect(again?.identifier.secret == "me")
  }
}
