import SQLiteKit
import StoreCore
import Synchronization

/// Reader of a market file's data version, from any thread: whether anything has changed.
///
/// Reading the number waits for no lock and takes some microseconds, which is less than any way
/// to another queue and back.
final class DataVersionReader: Sendable {
  private enum State {
    case idle
    case open(Connection)
    case closed
  }

  private let path: String
  private let opensForReading: Bool
  private let state = Mutex(State.idle)

  init(path: String, opensForReading: Bool) {
    self.path = path
    self.opensForReading = opensForReading
  }

  /// The number of the file's state; nil where the file cannot be read now.
  func read() -> Int64? {
    state.withLock { state in
      do throws(DatabaseError) {
        return try connection(&state)?.integer("PRAGMA data_version")
      } catch {
        state = .idle
        return nil
      }
    }
  }

  /// Gives the file back; nothing opens it again.
  func close() {
    state.withLock { $0 = .closed }
  }

  private func connection(_ state: inout State) throws(DatabaseError) -> Connection? {
    switch state {
    case .closed: return nil
    case .open(let connection): return connection
    case .idle:
      let connection = try Connection(
        opening: path,
        .init(readsOnly: true, opensForReading: opensForReading, busyMilliseconds: 0))
      state = .open(connection)
      return connection
    }
  }
}
