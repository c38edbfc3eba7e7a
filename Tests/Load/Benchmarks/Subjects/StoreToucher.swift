import Dispatch
import SQLiteKit

/// Writes to a store a hundred times a second for as long as the value lives, as another program
/// would; products stay what they are.
final class StoreToucher {
  private let queue = DispatchQueue(label: "bench.toucher")
  private let timer: any DispatchSourceTimer

  init(path: String) throws {
    let connection = try SQLiteConnection(opening: path, SQLiteConnection.Options())
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(10))
    let touch = Touch(connection: connection)
    timer.setEventHandler { touch() }
    timer.activate()
  }

  deinit {
    timer.cancel()
    // The last write is over when the trial goes on.
    queue.sync {}
  }

  /// Unchecked: only the toucher's queue calls it.
  private struct Touch: @unchecked Sendable {
    let connection: SQLiteConnection

    func callAsFunction() {
      do {
        try connection.run(
          "UPDATE product SET stock = stock WHERE id = (SELECT max(id) FROM product)")
      } catch {
        StandardError.print("the store is not touched: \(error)")
      }
    }
  }
}
