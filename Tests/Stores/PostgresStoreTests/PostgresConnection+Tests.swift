import SQLiteKit
import StoreCore

@testable import PostgresStore

extension PostgresConnection {
  /// Connects for statements that may take as long as a busy machine needs.
  convenience init(to address: String) throws(StoreError) {
    try self.init(to: address, PostgresOptions(timeoutMilliseconds: 30_000))
  }
}
