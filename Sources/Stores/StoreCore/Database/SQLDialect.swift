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

  package mutating func mark(_ text: String) -> String { add(.text(text)) }

  package mutating func mark(_ value: OrderKey.Value) -> String {
    switch value {
    case .number(let number): add(.integer(number))
    case .currency(let currency): add(.text(currency.rawValue))
    }
  }

  /// Adds numbers, and returns the condition that a column has one of them.
  mutating func condition(that column: String, isAmong numbers: [Int64]) -> String {
    dialect.isAny(column, of: add(.integers(numbers)))
  }
}
