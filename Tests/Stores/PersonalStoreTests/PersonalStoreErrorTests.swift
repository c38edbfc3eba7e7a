import Expectations
import Glibc
import MarketModel
import Posix
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// Files that cannot be used: the program goes on, and says it once.
struct PersonalStoreErrorTests {
  let folder = FolderOfTest()

  func open(pages: Int? = nil) -> PersonalFile { folder.open(waiting: 20, pages: pages) }

  /// Uses everything of a file once.
  func use(_ file: PersonalFile) async {
    let one = Product.ID(rawValue: 1)
    await file.didSearch(for: "x")
    _ = await file.save(SavedSearch(name: "x", text: "x"))
    await file.forgetSearch(named: "x")
    _ = await file.savedSearches()
    _ = await file.pastSearches(atMost: 10)
    _ = await file.lastVisit(to: .local)
    await file.isVisiting(.local, newest: one)
    let price = Money(hundredths: 100, currency: .krw)
    await file.didSee([SeenProduct(id: one, price: price)], in: .local)
    _ = await file.seenProducts(of: [one], in: .local, before: Timestamp(seconds: 0))
    _ = await file.prices(of: one, in: .local)
    await file.didSeeAll(through: one, in: .local)
    await file.didLeave(.local)
    await file.close()
  }

  @Test(arguments: [
    "not a database, but a text of somebody who likes it", "x", "SQLite format 3\u{0}" + "zzzz",
  ])
  func `a file of something else stays as it is`(_ text: String) async throws {
    await open().didSearch(for: "x")
    for ending in ["-wal", "-shm"] { unlink(folder.path + ending) }
    let bytes = Array(text.utf8)
    unlink(folder.path)
    try FileContent(bytes: bytes).write(to: folder.path)

    await use(open())

    expect(folder.troubles, [.damaged])
    try expect(FileContent(of: folder.path).bytes, bytes)
  }

  @Test func `a file of a newer version stays as it is`() async throws {
    await open().didSearch(for: "x")
    try folder.connection().execute("PRAGMA user_version = 102")

    await use(open())

    expect(folder.troubles, [.newerVersion])
  }

  @Test func `a file from before 1.0 is set aside with its log, and a new one begins`() async throws
  {
    let file = open()
    await file.didSearch(for: "kept")
    try folder.connection().execute("PRAGMA user_version = 10")
    // As a program that was killed leaves them.
    let (main, log) = (folder.path, folder.path + "-wal")
    let contents = [(main, try FileContent(of: main)), (log, try FileContent(of: log))]
    await file.close()

    for _ in 1...2 {
      for (path, content) in contents { try content.write(to: path) }
      await use(open())
    }

    let asides = ["", "-2"].map { folder.path + ".before-1.0" + $0 }
    expect(folder.troubles, asides.map { .setAside($0) })
    let names = Folder.names(in: folder.parent).map { folder.parent + "/" + $0 }
    expect(Set(names), Set([folder.path] + asides))
    for aside in asides {
      let connection = try SQLiteConnection(opening: aside, .init(readsOnly: true))
      try expect(connection.integer("SELECT count(*) FROM past_search WHERE text = 'kept'"), 1)
    }
    await expect(open().pastSearches(atMost: 9), ["x"])
  }

  @Test func `programs that start at the same time set one file aside, once`() async throws {
    await open().didSearch(for: "kept")
    try folder.connection().execute("PRAGMA user_version = 10")

    await withTaskGroup { group in
      for number in 1...8 {
        let file = folder.open(waiting: 30_000)
        group.addTask { await file.didSearch(for: "new \(number)") }
      }
    }

    expect(folder.troubles, [.setAside(folder.path + ".before-1.0")])
    await expect(open().pastSearches(atMost: 9).count, 8)
  }

  @Test func `a file from before 1.0 stays while its program uses it`() async throws {
    await open().didSearch(for: "kept")
    var old: SQLiteConnection? = try folder.connection()
    try old?.execute("PRAGMA user_version = 10")
    let file = open()

    await file.didSearch(for: "x")
    expect(folder.troubles, [.locked])
    old = nil
    await file.didSearch(for: "x")

    expect(folder.troubles, [.locked, .setAside(folder.path + ".before-1.0")])
    await expect(file.pastSearches(atMost: 9), ["x"])
  }

  @Test func `a program that opens the file for too long is not waited for`() async throws {
    try Folder.make(folder.parent)
    let other = Glibc.open(folder.parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    flock(other, LOCK_EX)
    let file = open()

    await file.didSearch(for: "lost")
    close(other)
    await file.didSearch(for: "x")

    expect(folder.troubles, [.locked])
    await expect(file.pastSearches(atMost: 9), ["x"])
  }

  @Test func `a file without its tables is damaged`() async throws {
    await open().didSearch(for: "x")
    try folder.connection()
      .execute("DROP TABLE visitor; DROP TABLE past_search; DROP TABLE seen_product")

    await use(open())

    expect(folder.troubles, [.damaged])
  }

  @Test func `numbers and texts that only a forger writes do no harm`() async throws {
    let file = open()
    await file.isVisiting(.local, newest: nil)
    await file.didLeave(.local)
    try folder.connection().execute(
      """
      UPDATE visit SET ended = \(Int64.max), newest = \(Int64.min), last_active = \(Int64.min);
      INSERT INTO visit (market, began, last_active) VALUES (1, \(Int64.max), \(Int64.min));
      INSERT INTO visitor VALUES (2, 'x', \(Int64.max), \(Int64.min));
      INSERT INTO past_search (id, text) VALUES (\(Int64.max), hex(zeroblob(100000)));
      INSERT INTO past_search (text) VALUES (CAST(x'ff00fe' AS TEXT));
      INSERT INTO seen_product VALUES (1, 1, \(Int64.max), \(Int64.max));
      INSERT INTO price_point VALUES (1, 1, \(Int64.max), \(Int64.min), hex(zeroblob(9000)), NULL);
      INSERT INTO price_point VALUES (1, 1, \(Int64.min), \(Int64.max), '', \(Int64.min));
      INSERT INTO seen_through VALUES (1, \(Int64.max));
      """)

    await use(open())

    #expect(folder.troubles.isEmpty)
    let texts = await open().pastSearches(atMost: .max)
    #expect(texts.allSatisfy { $0.utf8.count <= 4_096 })
    #expect(texts.contains("x"))
  }

  @Test func `a full disk keeps what is there, and everything still reads`() async {
    await open().didSearch(for: "before")

    let file = open(pages: 1)
    for number in 1...200 { await file.didSearch(for: String(repeating: "\(number) ", count: 500)) }

    expect(folder.troubles, [.diskFull])
    #expect(await file.pastSearches(atMost: .max).contains("before"))
  }

  @Test func `a file that another program holds is waited for a moment, then told once`()
    async throws
  {
    await open().didSearch(for: "before")
    let other = try folder.connection()
    try other.execute("BEGIN IMMEDIATE")

    let file = open()
    await file.didSearch(for: "lost")
    await file.didSearch(for: "lost too")
    await expect(file.pastSearches(atMost: .max), ["before"])
    try other.execute("COMMIT")
    await file.didSearch(for: "after")

    expect(folder.troubles, [.locked])
    await expect(file.pastSearches(atMost: .max), ["after", "before"])
  }

  @Test func `a folder that cannot be made is told with the system's reason`() async throws {
    try FileContent(bytes: []).write(to: folder.parent)

    await use(open())

    expect(folder.troubles, [.cannotOpen("Not a directory")])
  }

  @Test func `a pipe in its place is not waited for`() async {
    await open().didSearch(for: "x")
    unlink(folder.path)
    mkfifo(folder.path, 0o600)

    await use(open())

    expect(folder.troubles, [.damaged])
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `a file that is read-only is still read`() async {
    await open().didSearch(for: "before")
    chmod(folder.path, 0o400)

    let file = open()
    await file.didSearch(for: "after")

    expect(folder.troubles, [.readOnly])
    await expect(file.pastSearches(atMost: .max), ["before"])
  }
}
