import Dispatch
import Glibc
import MarketModel
import Posix
import StoreCore

/// Changes of a market file as they come, from this program and from any other.
///
/// The file system tells that something was written, the file's version whether it was a change, and
/// the log which one.
package struct FileChanges: ChangeSource {
  private let store: SQLiteStore

  package init(of store: SQLiteStore) {
    self.store = store
  }

  /// A folder that cannot be watched is told as `.lost`, with the system's reason; so is a file that
  /// was moved away, or that another one has taken the place of.
  package func news(after cursor: ChangeCursor?) -> AsyncStream<ChangeEvent> {
    let follower = FileFollower(of: store, after: cursor)
    // Nothing is read that nobody waits for.
    return AsyncStream { await follower.next() }
  }
}

/// One watcher of a market file, and how far they have come.
private actor FileFollower {
  private enum Phase {
    case new(ChangeCursor?)
    case watching(DirectoryWatcher)
    case over
  }

  private static let batchSize = 1_000
  /// Time after a batch in which further changes gather.
  private static let pause = Duration.milliseconds(50)
  /// What is written is told before it can be read: in between it is brought to the disk, which may
  /// take seconds.
  private static let echoes: [DispatchTimeInterval] =
    [4, 12, 36, 108, 324, 972, 2_916, 8_748].map { .milliseconds($0) }

  private let store: SQLiteStore
  private var phase: Phase
  private var cursor = ChangeCursor(rawValue: "")
  /// Version of the file whose changes are all known; nil where some may not be.
  private var version: Int64?
  private var hasReported = false

  init(of store: SQLiteStore, after cursor: ChangeCursor?) {
    self.store = store
    phase = .new(cursor)
  }

  /// The next news; nil after the last one, and once the task is cancelled.
  func next() async -> ChangeEvent? {
    do throws(RepositoryError) {
      switch phase {
      case .new(let cursor): return try await begin(after: cursor)
      case .watching(let watch): return try await next(from: watch)
      case .over: return nil
      }
    } catch {
      phase = .over
      return error == .cancelled ? nil : .lost(error)
    }
  }

  private func begin(after cursor: ChangeCursor?) async throws(RepositoryError) -> ChangeEvent {
    // Before the log is asked, so that nothing comes between.
    let watch = try Self.watch(over: store.path)
    try await store.checkPlace()
    if let cursor {
      self.cursor = cursor
    } else {
      self.cursor = try await store.changes(after: nil, atMost: 1).cursor
    }
    phase = .watching(watch)
    return .watching(self.cursor)
  }

  private func next(from watch: DirectoryWatcher) async throws(RepositoryError) -> ChangeEvent? {
    if hasReported {
      hasReported = false
      do {
        try await Task.sleep(for: Self.pause)
      } catch {
        return nil
      }
    }
    var signals = watch.signals.makeAsyncIterator()
    while true {
      if let batch = try await unreportedChanges() {
        hasReported = true
        return .changes(batch)
      }
      guard await signals.next() != nil else {
        if Task.isCancelled { return nil }
        throw .store(.cannotOpen(SystemError(number: ENOENT).description))
      }
      try await store.checkPlace()
    }
  }

  /// What has changed since it was looked at last; nil where nothing has.
  private func unreportedChanges() async throws(RepositoryError) -> ChangeBatch? {
    let present = store.dataVersion()
    if present != nil, present == version { return nil }
    let batch = try await store.changes(after: cursor, atMost: Self.batchSize)
    // After a full batch there may be more.
    version = batch.changes.count < Self.batchSize ? present : nil
    cursor = batch.cursor
    return batch.changes.isEmpty && !batch.isReset ? nil : batch
  }

  /// A watch over the files in which the market at a path is written; SQLite puts them beside the one
  /// that a link leads to.
  private static func watch(over path: String) throws(RepositoryError) -> DirectoryWatcher {
    var file = path
    if let resolved = realpath(path, nil) {
      file = String(cString: resolved)
      free(resolved)
    }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    do throws(SystemError) {
      return try DirectoryWatcher(
        Folder.containing(file), names: [name, name + "-wal", name + "-journal"], echoes: echoes)
    } catch {
      throw .store(.cannotOpen(error.description))
    }
  }
}
