import Expectations
import Glibc
import MarketModel
import MarketStore
import SQLiteKit
import StoreCore
import TestSupport
import Testing

/// Files that cannot be used get their own failure, and stay as they are.
struct StoreFailureTests {
  private func failure(opening path: String) async -> RepositoryError? {
    do {
      _ = try await SQLiteStore.open(path)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: ["Dear diary, " + String(repeating: "a", count: 900), "y"])
  func `a file of another kind is no store, be it a single byte`(text: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "letter.txt")
    let content = FileContent(bytes: Array(text.utf8))
    try content.write(to: path)

    await expect(failure(opening: path), .store(.notAStore))
    try expect(FileContent(of: path), content)
  }

  @Test func `a file that is opened for reading alone shows its market, and nothing changes it`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    let store = try await SQLiteStore.temporary(in: folder)
    let made = try await store.register(.sample())
    await store.close()
    let content = try FileContent(of: path)
    var options = SQLiteStore.Options.forTests
    options.readsOnly = true

    let looking = try await SQLiteStore.open(path, options)

    try await expect(looking.detail(of: made.product.id).product, made.product)
    await #expect(throws: RepositoryError.store(.readOnly)) {
      try await looking.register(.sample())
    }
    await looking.close()
    try expect(FileContent(of: path), content)
  }

  @Test func `a device, a pipe and a folder are no stores, and nobody waits for them`() async throws
  {
    let folder = try TemporaryFolder()
    let pipe = folder.path(of: "pipe")
    try #require(mkfifo(pipe, 0o600) == 0)

    for path in ["/dev/null", pipe, folder.path] {
      await expect(failure(opening: path), .store(.notAStore))
    }
  }

  @Test func `without room for the log's index the disk is full, and with it all is there`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.path(of: "market.sqlite")
      func open() async throws -> SQLiteStore {
        try await SQLiteStore.open(path)
      }
      _ = try await SQLiteStore.temporary(in: folder).register(.sample())
      signal(SIGXFSZ, SIG_IGN)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var limit = rlimit(rlim_cur: 1, rlim_max: .max)
      setrlimit(resource, &limit)

      await #expect(throws: RepositoryError.store(.diskFull)) { try await open() }

      limit.rlim_cur = .max
      setrlimit(resource, &limit)
      try await expect(open().page(PageRequest()).products.count, 1)
    }
  }

  @Test(arguments: [
    ("PRAGMA user_version = 9999", StoreFailure.newerVersion),
    ("PRAGMA user_version = 14", .beforeFirstRelease),
    ("PRAGMA user_version = 1000014", .beforeFirstRelease),
    ("PRAGMA application_id = 1", .notAStore),
    ("CREATE VIEW v AS SELECT 1", .notAStore),
    (
      "CREATE TRIGGER t AFTER INSERT ON seller BEGIN DELETE FROM product; END", .notAStore
    ),
  ])
  func `a store that another program changed is refused`(
    script: String, expected: StoreFailure
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    _ = try await SQLiteStore.temporary(in: folder).register(.sample())
    try SQLiteConnection(opening: path, .init()).execute(script)
    let before = try FileContent(of: path)

    await expect(failure(opening: path), .store(expected))
    try expect(FileContent(of: path), before)
    let products = try SQLiteConnection(opening: path, .init()).integer(
      "SELECT count(*) FROM product")
    expect(products, 1)
  }

  @Test func `a damaged file says so and is not overwritten`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    _ = try await SQLiteStore.temporary(in: folder).register(.sample())
    try SQLiteConnection(opening: path, .init()).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    var content = try FileContent(of: path)
    for index in 4_096..<content.bytes.count { content.bytes[index] = 0xAA }
    try content.write(to: path)

    await expect(failure(opening: path), .store(.damaged))
    try expect(FileContent(of: path), content)
  }

  @Test func `while another program writes, pages are read and a write says it is locked`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    let other = try SQLiteConnection(opening: folder.path(of: "market.sqlite"), .init())
    try other.execute("BEGIN IMMEDIATE")

    await #expect(throws: RepositoryError.store(.locked)) { try await store.register(.sample()) }
    try await expect(store.page(PageRequest()).total, .exactly(0))

    try other.execute("ROLLBACK")
    _ = try await store.register(.sample())
  }

  @Test func `a full disk refuses the write and keeps what there is`() async throws {
    let folder = try TemporaryFolder()
    var options = SQLiteStore.Options.forTests
    options.maximumPages = 80
    let store = try await SQLiteStore.open(folder.path(of: "market.sqlite"), options)
    let kept = try await store.register(.sample())

    await #expect(throws: RepositoryError.store(.diskFull)) {
      let large = PictureFile.jpeg(9, byteCount: StorageRules.pictureBytes)
      _ = try await store.register(.sample(pictures: [large]))
    }

    try await expect(store.detail(of: kept.id), kept)
    try await expect(store.page(PageRequest()).total, .exactly(1))
  }

  @Test func `a folder that is not there cannot be opened`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "missing/market.sqlite")

    await expect(failure(opening: path), .store(.cannotOpen("No such file or directory")))
  }

  @Test(arguments: [false, true])
  func `nothing is written into a file that was deleted or replaced, and it is read to the end`(
    isReplaced: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    let kept = try await store.register(.sample())

    unlink(folder.path(of: "market.sqlite"))
    if isReplaced {
      try FileContent(bytes: []).write(to: folder.path(of: "market.sqlite"))
    }

    await #expect(throws: RepositoryError.store(.cannotOpen("No such file or directory"))) {
      try await store.register(.sample())
    }
    try await expect(store.detail(of: kept.id), kept)
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `a market in a folder that cannot be written to is read, where no log lies beside it`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    let first = try await SQLiteStore.temporary(in: folder)
    let kept = try await first.register(.sample())
    await first.close()
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }

    let store = try await SQLiteStore.open(path)
    try await expect(store.detail(of: kept.id), kept)
    await #expect(throws: RepositoryError.store(.readOnly)) { try await store.register(.sample()) }
    await store.close()

    chmod(folder.path, 0o700)
    try FileContent(bytes: [0]).write(to: path + "-wal")
    chmod(folder.path, 0o500)
    await expect(failure(opening: path), .store(.readOnlyFolder))
  }

  @Test func `a store is made only where that is wanted`() async throws {
    let folder = try TemporaryFolder()
    var options = SQLiteStore.Options.forTests
    options.createsFile = false
    let path = folder.path(of: "market.sqlite")

    await #expect(throws: RepositoryError.store(.cannotOpen("No such file or directory"))) {
      try await SQLiteStore.open(path, options)
    }
    #expect(access(path, F_OK) != 0)
  }
}
