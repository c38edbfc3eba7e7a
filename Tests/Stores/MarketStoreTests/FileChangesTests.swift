import Expectations
import Glibc
import MarketModel
import Posix
import StoreCore
import TestSupport
import Testing

@testable import MarketStore

/// Market files that are watched.
@Suite(.serialized) struct FileChangesTests {
  @Test func `what another program writes is told as it happens, each change once`() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    var news = FileChanges(of: store).news(after: nil).makeAsyncIterator()
    guard case .watching = await news.next() else {
      Issue.record("it is not watched")
      return
    }

    let writer = try ChildProcess(
      "CrashTestWriter", arguments: [folder.path(of: "market.sqlite")])
    var told: [MarketChange] = []
    while told.count < 40, case .changes(let batch) = await news.next() {
      #expect(!batch.isReset)
      told += batch.changes
    }
    writer.kill()

    // Of three products it leaves the first as it is, changes the second and deletes the third.
    let expected: [ProductChange.Kind] = [.listed, .listed, .changed, .listed, .deleted]
    let changes = told.compactMap(\.product)
    expect(changes.map(\.kind), changes.indices.map { expected[$0 % 5] })
    let ids = changes.filter { $0.kind == .listed }.map(\.id.rawValue)
    expect(ids, Array(1...Int64(ids.count)))
  }

  @Test func `one's own changes are told, from the place on that was kept`() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    let cursor = try await store.changes(after: nil, atMost: 1).cursor
    let first = try await store.register(.sample()).id

    var news = FileChanges(of: store).news(after: cursor).makeAsyncIterator()
    let begun = await news.next()
    let missed = await news.next()
    let second = try await store.register(.sample()).id
    let next = await news.next()

    expect(begun, .watching(cursor))
    expect(missed?.products, [first])
    expect(next?.products, [second])
  }

  @Test func `nothing wakes while nothing happens, and reading is nothing`() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    let id = try await store.register(.sample()).id
    try await read(store, id)
    let inotify = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    defer { close(inotify) }
    #expect(inotify_add_watch(inotify, folder.path, DirectoryWatcher.mask) >= 0)

    let other = try await SQLiteStore.temporary(in: folder)
    try await read(store, id)
    try await read(other, id)
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let afterReading = Glibc.read(inotify, &buffer, buffer.count)
    _ = try await store.register(.sample())
    let afterWriting = Glibc.read(inotify, &buffer, buffer.count)

    expect(afterReading, -1)
    #expect(afterWriting > 0)
    await other.close()
  }

  /// Reads a market in every way in which a screen does.
  private func read(_ store: SQLiteStore, _ id: Product.ID) async throws {
    let cursor = try await store.changes(after: nil, atMost: 1).cursor
    for query in [ProductQuery(), ProductQuery(text: "bicycle"), ProductQuery(order: .cheapest)] {
      _ = try await store.page(PageRequest(query: query))
      _ = try await store.exactTotal(of: query)
    }
    let detail = try await store.detail(of: id)
    for picture in detail.pictures { _ = try await store.bytes(of: picture, .thumbnail) }
    _ = try await store.changes(after: cursor, atMost: 10)
    _ = store.dataVersion()
  }

  @Test func `who stops watching is left alone, and leaves nothing open`() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)

    // A user may have 128 of what a watch is made of.
    for _ in 1...300 {
      let (begun, begin) = AsyncStream<Void>.makeStream()
      let watching = Task {
        var count = 0
        for await _ in FileChanges(of: store).news(after: nil) {
          count += 1
          begin.yield()
        }
        return count
      }
      for await _ in begun { break }
      watching.cancel()
      await expect(watching.value, 1)
    }
  }

  @Test func `a file that another one has taken the place of is told as lost`() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    let other = try await SQLiteStore.temporary(in: folder, name: "other.sqlite")
    await other.close()
    var news = FileChanges(of: store).news(after: nil).makeAsyncIterator()
    _ = await news.next()

    rename(folder.path(of: "other.sqlite"), folder.path(of: "market.sqlite"))

    let reason = SystemError(number: ENOENT).description
    await expect(news.next(), .lost(.store(.cannotOpen(reason))))
    await expect(news.next(), nil)
  }

  @Test func `a folder that has gone is told as lost`() async throws {
    let folder = try TemporaryFolder()
    try Folder.make(folder.path(of: "barn"))
    let store = try await SQLiteStore.temporary(in: folder, name: "barn/market.sqlite")
    var news = FileChanges(of: store).news(after: nil).makeAsyncIterator()
    _ = await news.next()

    rename(folder.path(of: "barn"), folder.path(of: "shed"))

    guard case .lost(.store(.cannotOpen)) = await news.next() else {
      Issue.record("it goes on")
      return
    }
  }

  @Test func `a link is watched where it leads to`() async throws {
    let folder = try TemporaryFolder()
    try Folder.make(folder.path(of: "barn"))
    let writer = try await SQLiteStore.temporary(in: folder, name: "barn/market.sqlite")
    symlink(folder.path(of: "barn/market.sqlite"), folder.path(of: "link.sqlite"))
    let store = try await SQLiteStore.temporary(in: folder, name: "link.sqlite")
    var news = FileChanges(of: store).news(after: nil).makeAsyncIterator()
    _ = await news.next()

    let id = try await writer.register(.sample()).id

    await expect(news.next()?.products, [id])
  }
}

extension ChangeEvent {
  /// The products that have changed.
  fileprivate var products: [Product.ID] {
    switch self {
    case .changes(let batch): batch.changes.compactMap(\.product?.id)
    case .watching, .lost: []
    }
  }
}
