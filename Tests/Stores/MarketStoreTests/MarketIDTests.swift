import Expectations
import Glibc
import MarketModel
import MarketStore
import SQLiteKit
import StoreCore
import TestSupport
import Testing

/// The id of a market's file, through renaming, copying and restoring.
struct MarketIDTests {
  /// A market with a product in it, closed again; its id.
  private func make(_ name: String, in folder: borrowing TemporaryFolder) async throws -> MarketID {
    let store = try await SQLiteStore.temporary(in: folder, name: name)
    _ = try await store.register(.sample())
    let id = try #require(try await store.marketID())
    await store.close()
    return id
  }

  private func copy(
    _ name: String, to copy: String, in folder: borrowing TemporaryFolder
  ) throws {
    try FileContent(of: folder.path(of: name)).write(to: folder.path(of: copy))
  }

  @Test func `a file that is renamed or reached by a link keeps its id through writing`()
    async throws
  {
    let folder = try TemporaryFolder()
    let id = try await make("old", in: folder)
    expect(rename(folder.path(of: "old"), folder.path(of: "new")), 0)
    expect(symlink(folder.path(of: "new"), folder.path(of: "link")), 0)

    for name in ["new", "link"] {
      let store = try await SQLiteStore.temporary(in: folder, name: name)
      _ = try await store.register(.sample())
      try await expect(store.marketID(), id)
      await store.close()
    }
  }

  @Test func `a copy has the id until it is first written to, and then one of its own`()
    async throws
  {
    let folder = try TemporaryFolder()
    let id = try await make("market", in: folder)
    try copy("market", to: "copy", in: folder)
    let copy = try await SQLiteStore.temporary(in: folder, name: "copy")
    _ = try await copy.page(PageRequest())
    try await expect(copy.marketID(), id)

    _ = try await copy.register(.sample())
    let own = try #require(try await copy.marketID())
    _ = try await copy.register(.sample())

    #expect(own != id)
    try await expect(copy.marketID(), own)
    await expect(SQLiteStore.marketID(ofFileAt: folder.path(of: "market")), id)
  }

  @Test func `what was refused gives a copy no id, and whoever serves it does`() async throws {
    let folder = try TemporaryFolder()
    let id = try await make("market", in: folder)
    try copy("market", to: "copy", in: folder)
    let store = try await SQLiteStore.temporary(in: folder, name: "copy")
    await #expect(throws: RepositoryError.notFound) {
      _ = try await store.setBlocked(true, Seller.ID(rawValue: 99))
    }
    try await expect(store.marketID(), id)

    let own = try #require(try await store.ownMarketID())

    #expect(own != id)
    try await expect(store.ownMarketID(), own)
  }

  @Test func `a backup keeps the name and gets an id of its own when it is first written to`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    let id = try await store.marketID()
    try await store.setMarketName("Flea market")
    try FileContent(bytes: []).write(to: folder.path(of: "backup"))
    try await store.backup(to: folder.path(of: "backup")) { _ in }

    let backup = try await SQLiteStore.temporary(in: folder, name: "backup")
    try await expect(backup.marketID(), id)
    _ = try await backup.register(.sample())

    #expect(try await backup.marketID() != id)
    try await expect(backup.capabilities().marketName, "Flea market")
    try await expect(store.marketID(), id)
  }

  @Test(arguments: ["", "UPPER", "no id at all", String(repeating: "a", count: 1_000)])
  func `an id that somebody forged is none, and gives way to a real one`(_ text: String)
    async throws
  {
    let folder = try TemporaryFolder()
    _ = try await make("market", in: folder)
    try SQLiteConnection(opening: folder.path(of: "market"), .init())
      .run("UPDATE market_id SET text = ?", .text(text))
    let store = try await SQLiteStore.temporary(in: folder, name: "market")
    try await expect(store.marketID(), nil)

    #expect(try await store.ownMarketID() != nil)
  }

  @Test func `a file that nobody may write to says the id that it has`() async throws {
    let folder = try TemporaryFolder()
    let id = try await make("market", in: folder)
    try copy("market", to: "copy", in: folder)
    let store = try await SQLiteStore.temporary(in: folder, name: "copy")
    let other = try SQLiteConnection(opening: folder.path(of: "copy"), .init())
    try other.execute("BEGIN IMMEDIATE")

    try await expect(store.ownMarketID(), id)
  }

  @Test func `what is no market has no id`() async throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: []).write(to: folder.path(of: "empty"))

    await expect(SQLiteStore.marketID(ofFileAt: folder.path(of: "empty")), nil)
    await expect(SQLiteStore.marketID(ofFileAt: folder.path(of: "missing")), nil)
  }
}
