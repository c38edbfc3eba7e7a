import Expectations
import Glibc
import MarketModel
import MarketStore
import MarketStrings
import MarketTransfer
import SafeTextKit
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// A copy of a market never takes the place of the market, nor of anything but a file.
struct OwnFileTests {
  /// Ways to name the market or a file beside it.
  private static let names = [
    "a.sqlite", "a.sqlite-wal", "a.sqlite-shm", "a.sqlite-journal", "./a.sqlite",
    "folder/../a.sqlite", "link.sqlite", "hard.sqlite", "log.link", "folder/link/a.sqlite",
  ]

  /// Why the command fails; nil where it does not.
  private func failure(
    of task: TransferRequest.Task, to path: String, replacing: Bool, from store: SQLiteStore
  ) async -> TransferError? {
    var order = TransferRequest(task, path)
    order.replaces = replacing
    do throws(TransferError) {
      _ = try await TransferCommand(order, Strings(.english)).run(
        preparing: PassThroughPictureProcessor(), now: 0
      ) { () throws(RepositoryError) in store }
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [TransferRequest.Task.exportProducts, .backup], names)
  func `neither an export nor a backup is written onto its market`(
    _ task: TransferRequest.Task, _ name: String
  ) async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let product = try await store.register(.sample())
    mkdir(markets.path(of: "folder"), 0o700)
    symlink(markets.path(of: ""), markets.path(of: "folder/link"))
    symlink("a.sqlite", markets.path(of: "link.sqlite"))
    symlink("a.sqlite-wal", markets.path(of: "log.link"))
    try #require(link(markets.path(of: "a.sqlite"), markets.path(of: "hard.sqlite")) == 0)
    let path = markets.path(of: name)

    let failure = await failure(of: task, to: path, replacing: true, from: store)

    expect(failure, .isMarket(path: path))

    let again = try await markets.store("a.sqlite")
    try await expect(again.page(PageRequest()).products, [product.product])
  }

  @Test(arguments: [TransferRequest.Task.exportProducts, .backup])
  func `what is no regular file is not written to`(_ task: TransferRequest.Task) async throws {
    let markets = try TransferMarkets()
    _ = try await markets.store("a.sqlite").register(.sample())
    try #require(mkfifo(markets.path(of: "pipe"), 0o600) == 0)
    mkdir(markets.path(of: "folder"), 0o700)
    symlink("/dev/null", markets.path(of: "device"))
    symlink("pipe", markets.path(of: "link"))

    for name in ["pipe", "folder", "folder/", "device", "link"] {
      let path = markets.path(of: name)
      for replaces in [false, true] {
        let store = try await markets.store("a.sqlite")
        let failure = await failure(of: task, to: path, replacing: replaces, from: store)
        expect(failure, .notAFile(path: path))
      }
    }
  }

  @Test func `a market reached by a link keeps its files too`() async throws {
    let markets = try TransferMarkets()
    _ = try await markets.store("a.sqlite").register(.sample())
    symlink("a.sqlite", markets.path(of: "b.sqlite"))
    let store = try await markets.store("b.sqlite")
    _ = try await store.page(PageRequest())

    for name in ["a.sqlite", "b.sqlite", "a.sqlite-wal", "a.sqlite-shm"] {
      let path = markets.path(of: name)
      #expect(throws: TransferError.isMarket(path: path)) {
        try NewFile(path: path, replaces: true, copying: store.ownFiles)
      }
    }
  }

  @Test func `what stands in the way of a copy is told in one sentence with what to do`() {
    let errors = [TransferError.isMarket(path: "a.sqlite"), .notAFile(path: "/dev/sda")]

    expect(
      errors.map { $0.text(Strings(.english)).string },
      [
        "a.sqlite is the market itself; name another file",
        "/dev/sda is not a regular file; name one that can be written",
      ])
    expect(
      errors.map { $0.text(Strings(.korean)).string },
      [
        "a.sqlite: 마켓 파일 자체입니다. 다른 파일 이름을 지정해 주세요",
        "/dev/sda: 일반 파일이 아닙니다. 쓸 수 있는 파일 이름을 지정해 주세요",
      ])
  }

  @Test func `a market that is let go of is one file with all that is in it`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let product = try await store.register(.sample())
    _ = (try await store.page(PageRequest()), store.dataVersion())
    let path = markets.path(of: "a.sqlite")
    expect(access(path + "-wal", F_OK), 0)

    await store.close()

    #expect(access(path + "-wal", F_OK) != 0 && access(path + "-shm", F_OK) != 0)
    try FileContent(of: path).write(to: markets.path(of: "b.sqlite"))
    let copy = try await markets.store("b.sqlite")
    try await expect(copy.page(PageRequest()).products, [product.product])
    // Nothing that comes late opens it again.
    await #expect(throws: RepositoryError.cancelled) { try await store.page(PageRequest()) }
    expect(store.dataVersion(), nil)
    #expect(access(path + "-shm", F_OK) != 0)
  }
}
