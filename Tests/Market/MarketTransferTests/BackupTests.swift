import Expectations
import Glibc
import MarketModel
import MarketStore
import MarketTransfer
import Posix
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

struct BackupTests {
  private func backup(_ store: SQLiteStore, to path: String) async throws {
    let file = try NewFile(path: path, replaces: false)
    try await store.backup(to: try #require(file.temporaryPath)) { _ in }
    try file.publish()
  }

  @Test func `a backup is a whole market of its own`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let product = try await store.register(.sample())

    try await backup(store, to: markets.path(of: "b.sqlite"))
    _ = try await store.register(.sample(name: "later"))

    let copy = try await markets.store("b.sqlite")
    try await expect(copy.page(PageRequest()).products, [product.product])
    try await copy.verify(Password("secret"), for: product.id, by: .guest)
    _ = try await copy.register(.sample(name: "in the copy"))
    #expect(access(markets.path(of: "b.sqlite") + ".\(getpid()).part", F_OK) != 0)
  }

  @Test func `a market is copied while it is being written to`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    for number in 0..<20 { _ = try await store.register(.sample(name: "mug \(number)")) }

    async let writing: Void = {
      for number in 20..<60 { _ = try await store.register(.sample(name: "mug \(number)")) }
    }()
    for number in 0..<4 { try await backup(store, to: markets.path(of: "copy \(number)")) }
    try await writing

    for number in 0..<4 {
      let copy = try await markets.store("copy \(number)")
      let page = try await copy.page(PageRequest(size: 100))
      #expect(page.products.count >= 20)
      expect(page.total, .exactly(page.products.count))
      try expect(markets.rows(of: "copy \(number)").isEmpty, false)
    }
  }

  @Test func `photos that wait for a form are in no backup`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let mark = Array("a telephone's photo".utf8)
    try await store.openUpload("token", by: SellerIdentifier(secret: "owner"))
    let photo = UploadedPhoto(
      name: "bike.jpg", bytes: Array(repeating: mark, count: 2_000).flatMap(\.self))
    _ = try await store.addUploads([photo], to: "token")

    try await backup(store, to: markets.path(of: "b.sqlite"))

    let bytes = try FileContent(of: markets.path(of: "b.sqlite")).bytes
    #expect(bytes.firstRange(of: mark) == nil)
  }

  @Test func `a backup never overwrites`() async throws {
    let markets = try TransferMarkets()
    try markets.write("mine", to: "b.sqlite")
    let store = try await markets.store("a.sqlite")

    await #expect(throws: TransferError.exists(path: markets.path(of: "b.sqlite"))) {
      try await backup(store, to: markets.path(of: "b.sqlite"))
    }

    try expect(markets.text(of: "b.sqlite"), "mine")
  }

  @Test func `a backup that fails leaves nothing, and the next one what a killed one left`()
    async throws
  {
    let markets = try TransferMarkets()
    let path = markets.path(of: "b.sqlite")
    let folder = Folder.containing(path)
    let child = try ChildProcess("/bin/true", arguments: [])
    let gone = child.identifier
    _ = try child.wait()
    let others = ["b.sqlite.\(getppid()).part", "b.sqlite.part", "c.sqlite.\(gone).part"]
    for name in others { try markets.write("", to: name) }
    for ending in ["", "-journal", "-wal", "-shm", ".working", ".working-journal"] {
      try markets.write("", to: "b.sqlite.\(gone).part" + ending)
    }

    do {
      let file = try NewFile(path: path, replaces: false)
      let temporary = try #require(file.temporaryPath)
      for ending in ["-journal", "-wal", "-shm"] {
        try FileContent(bytes: []).write(to: temporary + ending)
      }
    }

    expect(Set(Folder.names(in: folder)), Set(others))
  }
}
