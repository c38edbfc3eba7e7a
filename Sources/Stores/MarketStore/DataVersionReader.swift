import SQLiteKit
import StoreCore
import Synchronization

/// Reader of a market file's data version (`PRAGMA data_version`), from any thread.
///
/// Reading it waits for no lock and takes some microseconds; while the header of the wal-index is
/// unchanged, it takes no system call.
final class DataVersionReader: Sendable {
  private struct OpenFile {
    let connection: SQLiteConnection
    /// Nil where the file has no WAL.
    var index: WALIndex?
    /// The last version, and the header of the wal-index from before it was read.
    var last: (header: WALIndex.Header, version: Int64)?
  }

  private struct State {
    var file: OpenFile?
    var isClosed = false
  }

  private let path: String
  private let opensForReading: Bool
  private let state = Mutex(State())

  init(path: String, opensForReading: Bool) {
    self.path = path
    self.opensForReading = opensForReading
  }

  /// The data version; nil where the file cannot be read now.
  func read() -> Int64? {
    state.withLock { state in
      let header = state.file?.index?.header
      if let header, let last = state.file?.last, last.header == header { return last.version }
      guard !state.isClosed else { return nil }
      do throws(StoreError) {
        return try ask(&state, knowing: header)
      } catch {
        state.file = nil
        return nil
      }
    }
  }

  /// Closes the file; later reads return nil.
  func close() {
    state.withLock { state in
      state.file = nil
      state.isClosed = true
    }
  }

  private func ask(
    _ state: inout State, knowing header: WALIndex.Header?
  ) throws(StoreError) -> Int64? {
    if let file = state.file {
      let version = try Self.version(by: file.connection)
      if let header, let version { state.file?.last = (header, version) }
      return version
    }
    let connection = try open()
    let version = try Self.version(by: connection)
    // A connection has no wal-index before its first read.
    state.file = OpenFile(connection: connection, index: try WALIndex(of: connection))
    return version
  }

  private static func version(by connection: SQLiteConnection) throws(StoreError) -> Int64? {
    try connection.integer("PRAGMA data_version")
  }

  private func open() throws(StoreError) -> SQLiteConnection {
    try SQLiteConnection(
      opening: path, .init(readsOnly: true, opensForReading: opensForReading, busyMilliseconds: 0))
  }
}
