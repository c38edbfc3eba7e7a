import SQLiteKit
import StoreCore

/// Connection to a market's file, used by one actor at a time.
package final class SQLiteDatabase {
  let connection: SQLiteConnection

  /// Opens a market's file (`SQLiteConnection`).
  /// - Throws: `.cannotOpen`, `.readOnlyFolder`, `.foreign` or `.damaged`, as SQLite reports.
  package init(opening path: String, _ options: SQLiteConnection.Options) throws(StoreError) {
    do throws(DatabaseError) {
      connection = try SQLiteConnection(opening: path, options)
    } catch {
      throw StoreError(error)
    }
  }

  /// Calls `body` with the connection, and maps its errors to `StoreError`.
  /// - Throws: the `StoreError` of what `body` throws.
  func use<Value>(
    _ body: (SQLiteConnection) throws(DatabaseError) -> Value
  ) throws(StoreError) -> Value {
    do throws(DatabaseError) {
      return try body(connection)
    } catch {
      throw StoreError(error)
    }
  }

  // MARK: Statements

  package func forEach(
    _ sql: SQL, _ values: [SQLValue], read: (StoredRow) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let statement = try use { connection throws(DatabaseError) in
      try connection.bound(sql, values)
    }
    defer { statement.reset() }
    while try use({ _ throws(DatabaseError) in try statement.step() }) {
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
    try use { connection throws(DatabaseError) in try connection.run(sql, values) }
  }

  /// Runs a script of statements without parameters.
  /// - Throws: the `StoreError` of the first statement that fails.
  func execute(_ script: String) throws(StoreError) {
    try use { connection throws(DatabaseError) in try connection.execute(script) }
  }

  /// The rowid of the last inserted row.
  var lastInsertedKey: Int64 { connection.lastInsertedKey }

  // MARK: Transactions

  /// Runs a body in a read transaction, so that all its statements see one state of the file.
  /// - Throws: what `body` throws; the `StoreError` of opening the transaction.
  func reading<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    let carrier = FailureCarrier()
    return try carrier.unload { () throws(DatabaseError) in
      try connection.reading { () throws(DatabaseError) in try carrier.load(body) }
    }
  }

  /// Runs a body in a write transaction, which is on disk when this returns, or is rolled back.
  ///
  /// The transaction is rolled back where `isKept` returns false for the result.
  /// - Throws: what `body` throws; `.conflict` after the busy timeout; `.full`, `.readOnly` or others of
  ///   the commit.
  func writing<Value>(
    keeping isKept: (Value) -> Bool = { _ in true }, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let carrier = FailureCarrier()
    return try carrier.unload { () throws(DatabaseError) in
      try connection.writing(keeping: isKept) { () throws(DatabaseError) in
        try carrier.load(body)
      }
    }
  }

  /// Migrates a file to the current version of its tables (`SQLiteConnection.migrate`).
  /// - Throws: `.newerVersion`, `.beforeFirstRelease`, `.foreign`; what the closures throw; the
  ///   `StoreError` of a script.
  func migrate(
    filling fill: () throws(StoreError) -> Void,
    converting convert: () throws(StoreError) -> Void
  ) throws(StoreError) {
    let carrier = FailureCarrier()
    try carrier.unload { () throws(DatabaseError) in
      try connection.migrate(to: .store) { () throws(DatabaseError) in
        try carrier.load(fill)
      } converting: { _ throws(DatabaseError) in
        try carrier.load(convert)
      }
    }
  }
}

/// Passes a `StoreError` through calls of SQLiteKit, which throw only `DatabaseError`.
private final class FailureCarrier {
  private var failure: StoreError?

  func load<Value>(_ body: () throws(StoreError) -> Value) throws(DatabaseError) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      failure = error
      throw .cancelled
    }
  }

  func unload<Value>(_ body: () throws(DatabaseError) -> Value) throws(StoreError) -> Value {
    do throws(DatabaseError) {
      return try body()
    } catch {
      throw failure ?? StoreError(error)
    }
  }
}
