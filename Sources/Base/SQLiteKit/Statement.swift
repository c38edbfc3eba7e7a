internal import CSQLite

/// A compiled statement; belongs to one connection and is used where that is used.
final class Statement {
  let pointer: OpaquePointer

  init(_ sql: String, on database: OpaquePointer) throws(DatabaseError) {
    var pointer: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
    guard code == SQLITE_OK, let pointer else {
      throw DatabaseError(ofStatement: sqlite3_extended_errcode(database))
    }
    self.pointer = pointer
  }

  deinit { sqlite3_finalize(pointer) }

  func bind(_ values: [SQLValue]) throws(DatabaseError) {
    precondition(
      values.count == Int(sqlite3_bind_parameter_count(pointer)),
      "a statement takes as many values as it has parameters")
    for (index, value) in values.enumerated() {
      let code = bind(value, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw DatabaseError(code: code) }
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(pointer, index)
    case .integer(let number): return sqlite3_bind_int64(pointer, index, number)
    case .blob(let bytes):
      // A nil address would bind null, so an empty blob is bound by its length alone.
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(pointer, index, 0) }
      return CSQLite_bind_blob(pointer, index, bytes, UInt64(bytes.count))
    case .text(var text):
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { bytes in
          guard let start = bytes.baseAddress else {
            return CSQLite_bind_text(pointer, index, "", 0)
          }
          return CSQLite_bind_text(pointer, index, start, UInt64(bytes.count))
        }
      }
    }
  }

  /// Moves to the next row.
  ///
  /// - Returns: whether there is one.
  func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      throw DatabaseError(ofStatement: sqlite3_extended_errcode(sqlite3_db_handle(pointer)))
    }
  }

  /// Ends the current run and lets go of the values, which may be large.
  func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
  }
}

/// A value that is bound to a parameter of a statement.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  package init(integerLiteral value: Int64) { self = .integer(value) }

  package init(stringLiteral value: String) { self = .text(value) }
}

extension SQLValue {
  /// An integer, or null where there is none.
  package static func integer(orNull value: Int64?) -> SQLValue {
    value.map { .integer($0) } ?? .null
  }
}
