import SQLiteKit
import StoreCore

/// Connection to a market's file, used by one actor at a time.
package final class SQLiteDatabase {
  let file: SQLiteConnection

  /// Opens a market's file (`SQLiteConnection`).
  /// - Throws: `.cannotOpen`, `.readOnlyFolder`, `.foreign` or `.damaged`, as SQLite reports.
  package init(opening path: String, _ options: SQLiteConnection.Options) throws(StoreError) {
    file = try SQLiteConnection(opening: path, options)
  }

  // MARK: Statements

  package func forEach(
    _ sql: SQL, _ values: [SQLValue], read: (StoredRow) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let statement = try file.bound(sql, values)
    defer { statement.reset() }
    while try statement.step() {
      guard try read(StoredRow(statement.row)) else { return }
    }
  }

  package func run(_ queries: [Query]) throws(StoreError) {
    for query in queries {
      try forEach(query.sql, query.values) { row throws(StoreError) in
        try query.read(row)
        return true
      }
    }
  }

  package func post(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) {
    _ = try count(sql, values)
  }

  /// Does nothing: a writer has the whole file locked.
  package func lock(_ sql: SQL, _ values: [SQLValue]) {}

  /// Runs one statement, and returns how many rows it inserted, changed or deleted.
  /// - Throws: the statement's `StoreError`.
  @discardableResult
  func run(_ sql: SQL, _ values: SQLValue...) throws(StoreError) -> Int { try count(sql, values) }

  package func count(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Int {
    try file.run(sql, values)
  }

  /// Runs a script of statements without parameters.
  /// - Throws: the `StoreError` of the first statement that fails.
  func execute(_ script: String) throws(StoreError) {
    try file.execute(script)
  }

  /// The rowid of the last inserted row.
  var lastInsertedKey: Int64 { file.lastInsertedKey }

  // MARK: Transactions

  /// Runs a body in a read transaction, so that all its statements see one state of the file.
  /// - Throws: what `body` throws; the `StoreError` of opening the transaction.
  func reading<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    try file.reading(body)
  }

  /// Runs a body in a write transaction, which is on disk when this returns, or is rolled back.
  ///
  /// The transaction is rolled back where `isKept` returns false for the result.
  /// - Throws: what `body` throws; `.conflict` after the busy timeout; `.full`, `.readOnly` or others of
  ///   the commit.
  func writing<Value>(
    keeping isKept: (Value) -> Bool = { _ in true }, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try file.writing(keeping: isKept, body)
  }

  /// Migrates a file to the current version of its tables (`SQLiteConnection.migrate`).
  /// - Throws: `.newerVersion`, `.beforeFirstRelease`, `.foreign`; what the closures throw; the
  ///   `StoreError` of a script.
  func migrate(
    filling fill: () throws(StoreError) -> Void,
    converting convert: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try file.migrate(to: .store, filling: fill) { _ throws(StoreError) in try convert() }
  }
}
