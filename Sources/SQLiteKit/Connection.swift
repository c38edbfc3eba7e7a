internal import CSQLite

/// One connection to a database file, to be used by one actor at a time.
///
/// Statements are compiled once and kept, so SQL is a constant text and never holds a value.
package final class Connection {
  let database: OpaquePointer
  /// How long to wait for a lock of another connection.
  let busyMilliseconds: Int32
  private var statements: [String: Statement] = [:]

  /// Takes over an open database; `Connection+Opening.swift` makes one.
  init(owning database: OpaquePointer, busyMilliseconds: Int32) {
    self.database = database
    self.busyMilliseconds = busyMilliseconds
    sqlite3_busy_timeout(database, busyMilliseconds)
  }

  deinit {
    // The statements that are released after this close the database as the last one goes.
    sqlite3_close_v2(database)
  }

  /// Runs a script of statements without parameters.
  package func execute(_ script: String) throws(DatabaseError) {
    let code = sqlite3_exec(database, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(ofStatement: code) }
  }

  /// Runs one statement to its end.
  ///
  /// - Parameters:
  ///   - sql: one statement.
  ///   - values: what its parameters stand for, in order.
  /// - Returns: how many rows it inserted, changed or deleted.
  /// - Throws: what SQLite answered.
  @discardableResult
  package func run(_ sql: String, _ values: SQLValue...) throws(DatabaseError) -> Int {
    try run(sql, values)
  }

  @discardableResult
  package func run(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    while try statement.step() {}
    return Int(sqlite3_changes(database))
  }

  /// All rows of a query, each as `body` reads it.
  package func all<Element>(
    _ sql: String, _ values: [SQLValue] = [],
    read body: (borrowing Row) throws(DatabaseError) -> Element
  ) throws(DatabaseError) -> [Element] {
    var elements: [Element] = []
    let statement = try bound(sql, values)
    defer { statement.reset() }
    while try statement.step() { elements.append(try body(Row(of: statement))) }
    return elements
  }

  /// Goes through the rows of a query until `body` answers that it has seen enough.
  package func forEach(
    _ sql: String, _ values: [SQLValue] = [],
    read body: (borrowing Row) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    while try statement.step() {
      guard try body(Row(of: statement)) else { return }
    }
  }

  /// The first row of a query as `body` reads it; nil where there is none.
  package func first<Element>(
    _ sql: String, _ values: [SQLValue] = [],
    read body: (borrowing Row) throws(DatabaseError) -> Element
  ) throws(DatabaseError) -> Element? {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    return try statement.step() ? try body(Row(of: statement)) : nil
  }

  /// The first column of the first row; nil where there is no row.
  package func integer(_ sql: String, _ values: SQLValue...) throws(DatabaseError) -> Int64? {
    try first(sql, values) { row in row.integer(0) }
  }

  /// The key that the last insertion of a row was given.
  package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(database) }

  private func bound(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Statement {
    let statement = try statement(sql)
    do {
      try statement.bind(values)
    } catch {
      statement.reset()
      throw error
    }
    return statement
  }

  private func statement(_ sql: String) throws(DatabaseError) -> Statement {
    if let kept = statements[sql] { return kept }
    let statement = try Statement(sql, on: database)
    statements[sql] = statement
    return statement
  }
}
