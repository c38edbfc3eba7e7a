import Dispatch
import Glibc
import MarketModel
import Posix
import StoreCore

/// Stream of the changes of a market file, by this program and by others.
///
/// inotify reports that a file was written, the data version whether the market changed, and the log what
/// changed.
package struct FileChanges: ChangeSource {
  private let store: SQLiteStore

  package init(of store: SQLiteStore) {
    self.store = store
  }

  /// A folder that cannot be watched ends the stream with `.lost` and the system's reason; so does a
  /// market file that was moved or replaced.
  package func news(after cursor: ChangeCursor?) -> AsyncStream<ChangeEvent> {
    let follower = FileFollower(of: store, after: cursor)
    // Read only on demand.
    return AsyncStream { await follower.next() }
  }
}

/// One subscriber to a market file, and its cursor.
private actor FileFollower {
  private enum Phase {
    case new(ChangeCursor?)
    case watching(DirectoryWatcher)
    case over
  }

  private static let batchSize = 1_000
  /// Time after a batch in which further changes are collected.
  private static let pause = Duration.milliseconds(50)
  /// Delays after a write at which the log is read again: the write is reported before it is committed,
  /// which may take seconds on a slow disk.
  private static let echoes: [DispatchTimeInterval] =
    [4, 12, 36, 108, 324, 972, 2_916, 8_748].map { .milliseconds($0) }

  private let store: SQLiteStore
  private var phase: Phase
  private var cursor = ChangeCursor(rawValue: "")
  /// Data version whose changes were all read; nil where some may not have been.
  private var version: Int64?
  private var hasReported = false

  init(of store: SQLiteStore, after cursor: ChangeCursor?) {
    self.store = store
    phase = .new(cursor)
  }

  /// The next event; nil after the last one, and once the task is cancelled.
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
    // Before the log is read, so that no change is missed in between.
    let watch = try Self.watch(over: store.path)
    try await store.checkNotMoved()
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
      try await store.checkNotMoved()
    }
  }

  /// Changes since the last call; nil where there are none.
  private func unreportedChanges() async throws(RepositoryError) -> ChangeBatch? {
    let present = store.dataVersion()
    if present != nil, present == version { return nil }
    let batch = try await store.changes(after: cursor, atMost: Self.batchSize)
    // After a full batch there may be more.
    version = batch.changes.count < Self.batchSize ? present : nil
    cursor = batch.cursor
    return batch.changes.isEmpty && !batch.isReset ? nil : batch
  }

  /// Watches the files of the market at a path; SQLite puts them beside the target of a symbolic link.
  private static func watch(over path: String) throws(RepositoryError) -> DirectoryWatcher {
    let file = Folder.realPath(of: path)
    let name = file.split(separator: "/").last.map(String.init) ?? file
    do throws(SystemError) {
      return try DirectoryWatcher(
        Folder.containing(file), names: [name, name + "-wal", name + "-journal"], echoes: echoes)
    } catch {
      throw .store(.cannotOpen(error.description))
    }
  }
}
