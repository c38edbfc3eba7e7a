import SQLiteKit
import Synchronization

/// Asks a market's file, on whatever thread, whether anything has changed.
///
/// Reading the number waits for no lock and takes some microseconds, which is less than any way
/// to another queue and back.
final class DataVersionReader: Sendable {
  private let path: String
  private let connection = Mutex<Connection?>(nil)

  init(path: String) {
    self.path = path
  }

  /// The number of the file's state; nil where the file cannot be read now.
  func read() -> Int64? {
    connection.withLock { connection in
      do throws(DatabaseError) {
        if connection == nil {
          connection = try Connection(opening: path, .init(readsOnly: true, busyMilliseconds: 0))
        }
        return try connection?.integer("PRAGMA data_version")
      } catch {
        connection = nil
        return nil
      }
    }
  }
}
