import MarketModel
import SQLiteKit

/// What SQLite and PostgreSQL write differently; all other SQL of a market is the same, with parameters `$1`,
/// `$2` and so on.
package enum SQLDialect: Sendable {
  case sqlite, postgres

  /// Seconds since 1970; in PostgreSQL by the clock that all servers share.
  package var now: String {
    self == .sqlite ? "unixepoch()" : "floor(extract(epoch FROM now()))::bigint"
  }

  /// The bytes of a column of texts in UTF-8.
  func byteCount(of column: String) -> String {
    self == .sqlite ? "length(CAST(\(column) AS BLOB))" : "octet_length(\(column))"
  }

  /// As many zeros as a column says, which overwrite bytes in the file of SQLite; nothing in PostgreSQL.
  func zeros(_ count: String) -> String { self == .sqlite ? "zeroblob(\(count))" : "''::bytea" }

  /// The condition that a column of numbers has one of a list.
  package func isAny(_ column: String, of list: String) -> String {
    self == .sqlite
      ? "\(column) IN (SELECT value FROM json_each(\(list)))" : "\(column) = ANY (\(list))"
  }

  /// The condition that a column of bytes has one of a list.
  package func isAny(_ column: String, ofBlobs list: String) -> String {
    self == .sqlite
      ? "\(column) IN (SELECT unhex(value) FROM json_each(\(list)))" : "\(column) = ANY (\(list))"
  }

  /// FROM and WHERE of the rows of a table that have one of a list of ids, and of what they are joined with.
  ///
  /// SQLite walks the list: it would copy a set into a table of its own, which costs more than reading a row.
  func rows(of table: String, withIDs list: String, _ joins: String) -> String {
    self == .sqlite
      ? "json_each(\(list)) AS listed CROSS JOIN \(table) ON \(table).id = listed.value \(joins)"
      : "\(table) \(joins) WHERE \(table).id = ANY (\(list))"
  }

  /// What a statement inserts that runs over rows (`MarketDatabase.post(_:rows:)`) of so many columns.
  package func values(_ count: Int) -> String {
    let parameters = (1...count).map { "$\($0)" }.joined(separator: ", ")
    return self == .sqlite ? "VALUES (\(parameters))" : "SELECT * FROM unnest(\(parameters))"
  }

  /// The rows of a statement that runs over rows, as a table.
  package func rows(_ name: String, _ columns: [String]) -> String {
    let parameters = columns.indices.map { "$\($0 + 1)" }
    guard self == .sqlite else {
      let names = columns.joined(separator: ", ")
      return "unnest(\(parameters.joined(separator: ", "))) AS \(name) (\(names))"
    }
    let parts = zip(parameters, columns).map { "\($0) AS \($1)" }
    return "(SELECT \(parts.joined(separator: ", "))) AS \(name)"
  }

  /// The values of each run of a statement over rows: PostgreSQL takes all rows at once, as arrays.
  fileprivate func runs(over rows: [[SQLValue]]) -> [[SQLValue]] {
    guard self == .postgres, let first = rows.first else { return rows }
    return [
      first.indices.map { column in
        switch first[column] {
        case .integer:
          .integers(rows.map { if case .integer(let number) = $0[column] { number } else { nil } })
        case .text:
          .texts(rows.map { if case .text(let text) = $0[column] { text } else { nil } })
        default:
          .blobs(rows.map { if case .blob(let bytes) = $0[column] { bytes } else { nil } })
        }
      }
    ]
  }

  /// JOIN of a query whose order is kept: in SQLite by the order of the loops.
  var join: String { crossing + "JOIN" }

  /// Makes a JOIN or a LEFT JOIN keep the order of the loops in SQLite.
  var crossing: String { self == .sqlite ? "CROSS " : "" }

  /// The order of a query whose joins keep an order in SQLite.
  func ordered(by terms: [String]) -> String {
    self == .sqlite ? "" : "ORDER BY " + terms.joined(separator: ", ")
  }

  /// A clause that locks rows; empty in SQLite, where a writer has the whole file locked.
  package func locking(_ clause: String) -> String { self == .sqlite ? "" : " " + clause }

  /// The clause that makes SQLite use an index where it would scan the table.
  package func indexed(by index: String) -> String {
    self == .sqlite ? " INDEXED BY " + index : ""
  }
}

/// Statement whose text differs between the dialects, composed once for each.
package struct DialectSQL: Sendable {
  private let sqlite: SQL
  private let postgres: SQL

  package init(_ text: (SQLDialect) -> String) {
    (sqlite, postgres) = (SQL(once: text(.sqlite)), SQL(once: text(.postgres)))
  }

  package subscript(dialect: SQLDialect) -> SQL { dialect == .sqlite ? sqlite : postgres }
}

extension MarketDatabase {
  /// Sends a statement over rows (`SQLDialect.values(_:)`), whose own rows the caller does not need.
  package func post(_ sql: SQL, rows: [[SQLValue]]) throws(StoreError) {
    for values in dialect.runs(over: rows) { try post(sql, values) }
  }

  /// Calls `read` for each row that a statement over rows returns.
  func forEach(
    _ sql: SQL, rows: [[SQLValue]], read: (StoredRow) throws(StoreError) -> Void
  ) throws(StoreError) {
    for values in dialect.runs(over: rows) {
      try forEach(sql, values) { row throws(StoreError) in
        try read(row)
        return true
      }
    }
  }
}

/// Values of a statement while its text is built.
package struct StatementParameters {
  private let dialect: SQLDialect
  package private(set) var values: [SQLValue] = []

  package init(_ dialect: SQLDialect) {
    self.dialect = dialect
  }

  /// Adds a value, or finds an equal one, and returns its parameter, as `$1`.
  package mutating func add(_ value: SQLValue) -> String {
    if let position = values.firstIndex(of: value) { return "$\(position + 1)" }
    values.append(value)
    return "$\(values.count)"
  }

  /// Adds values, and returns their parameters in parentheses.
  mutating func list(_ values: [SQLValue]) -> String {
    var parameters: [String] = []
    for value in values { parameters.append(add(value)) }
    return "(\(parameters.joined(separator: ", ")))"
  }

  /// Adds numbers, and returns the condition that a column has one of them.
  mutating func condition(that column: String, isAmong numbers: [Int64]) -> String {
    dialect.isAny(column, of: add(.integers(numbers)))
  }

  /// The condition, after ` AND `, that a column has a value among the rows of a query; PostgreSQL runs the
  /// query first, so that an index of the column serves.
  func condition(that column: String, isAmongRows query: String) -> String {
    dialect == .sqlite
      ? " AND \(column) IN (\(query))" : " AND \(column) = ANY (ARRAY(\(query)))"
  }
}

/// Statement with its values, and the closure that reads each of its rows.
package struct Query {
  package let sql: SQL
  package let values: [SQLValue]
  /// Whether PostgreSQL plans it for these values each time, and does not prepare it.
  package let isPlannedAnew: Bool
  package let read: (StoredRow) throws(StoreError) -> Void

  package init(
    _ sql: SQL, _ values: [SQLValue] = [], isPlannedAnew: Bool = false,
    read: @escaping (StoredRow) throws(StoreError) -> Void = { _ in }
  ) {
    self.sql = sql
    self.values = values
    self.isPlannedAnew = isPlannedAnew
    self.read = read
  }
}

/// Value that independent statements read, which run in one round trip: by `MarketDatabase.read(_:)`, or at the
/// end of a transaction, which is committed along.
package struct Reading<Value> {
  package let queries: [Query]
  private let read: () throws(StoreError) -> Value

  /// `value` is called once the queries have run.
  package init(_ queries: [Query], value: @escaping () throws(StoreError) -> Value) {
    self.queries = queries
    read = value
  }

  /// A value that needs no statement.
  package init(_ value: Value) { self.init([]) { value } }

  /// The first row of a statement as `read` reads it; nil where there is none.
  package init<Element>(
    first sql: SQL, _ values: [SQLValue],
    read: @escaping (StoredRow) throws(StoreError) -> Element
  ) where Value == Element? {
    var first: Element?
    let query = Query(sql, values) { row throws(StoreError) in
      if case nil = first { first = try read(row) }
    }
    self.init([query]) { first }
  }

  /// The value, after the queries have run.
  package var value: Value { get throws(StoreError) { try read() } }

  package func map<Other>(
    _ transform: @escaping (Value) throws(StoreError) -> Other
  ) -> Reading<Other> {
    Reading<Other>(queries) { () throws(StoreError) in try transform(try read()) }
  }
}

/// Some readings as one.
package func together<First, Second>(
  _ first: Reading<First>, _ second: Reading<Second>
) -> Reading<(First, Second)> {
  Reading(first.queries + second.queries) { () throws(StoreError) in
    (try first.value, try second.value)
  }
}

extension MarketDatabase {
  /// - Throws: the `StoreError` of the first statement that fails, or what reading its rows throws.
  package func read<Value>(_ reading: Reading<Value>) throws(StoreError) -> Value {
    if !reading.queries.isEmpty { try run(reading.queries) }
    return try reading.value
  }
}
