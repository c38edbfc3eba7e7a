import SQLiteKit
import StoreCore

@testable import PostgresStore

extension PostgresConnection {
  /// Connects for statements that may take as long as a busy machine needs.
  convenience init(to address: String) throws(StoreError) {
    try self.init(to: address, PostgresOptions(timeoutMilliseconds: 30_000))
  }

  /// The number that a statement returns, such as a key; 0 where it returns no row.
  func key(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Int64 {
    try run(sql, values).first?.integer(0) ?? 0
  }
}
