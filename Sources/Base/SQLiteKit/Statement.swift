internal import CSQLite

/// Prepared statement of one connection, for the actor that uses the connection.
package final class Statement {
  let pointer: OpaquePointer
  /// The value of each parameter, by its index; a parameter `$1` has the first value wherever it stands.
  private let valueIndices: [Int]

  /// Prepares a statement.
  ///
  /// - Throws: `.damaged` where a table or column is missing; another error of SQLite.
  init(_ sql: String, on database: OpaquePointer) throws(StoreError) {
    var pointer: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
    guard code == SQLITE_OK, let pointer else {
      throw StoreError(ofStatement: sqlite3_extended_errcode(database))
    }
    self.pointer = pointer
    valueIndices = (0..<sqlite3_bind_parameter_count(pointer)).map { index in
      let name = sqlite3_bind_parameter_name(pointer, index + 1).map { String(cString: $0) }
      guard let name, name.first == "$", let number = Int(name.dropFirst()) else {
        return Int(index)
      }
      return number - 1
    }
  }

  deinit { sqlite3_finalize(pointer) }

  /// Binds a value to each parameter.
  ///
  /// - Throws: `.damaged` for a value above the length limit; another error of SQLite.
  func bind(_ values: [SQLValue]) throws(StoreError) {
    precondition(
      values.count == valueIndices.count, "a statement takes as many values as it has parameters")
    for (index, valueIndex) in valueIndices.enumerated() {
      let code = bind(values[valueIndex], at: Int32(index + 1))
      guard code == SQLITE_OK else { throw StoreError(code: code) }
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .integer(nil), .text(nil), .blob(nil): return sqlite3_bind_null(pointer, index)
    case .integer(let number?): return sqlite3_bind_int64(pointer, index, number)
    case .blob(let bytes?):
      // A null address would bind NULL.
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(pointer, index, 0) }
      return CSQLite_bind_blob(pointer, index, bytes, UInt64(bytes.count))
    case .text(var text?):
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { bytes in
          guard let start = bytes.baseAddress else {
            return CSQLite_bind_text(pointer, index, "", 0)
          }
          return CSQLite_bind_text(pointer, index, start, UInt64(bytes.count))
        }
      }
    // Lists are JSON for `json_each`, with bytes as hexadecimal digits.
    case .integers(let numbers):
      let parts = numbers.map { $0.map { String($0) } ?? "null" }
      return bind(.text("[\(parts.joined(separator: ","))]"), at: index)
    case .blobs(let blobs):
      let parts = blobs.map { $0.map { "\"\(Self.digits(of: $0))\"" } ?? "null" }
      return bind(.text("[\(parts.joined(separator: ","))]"), at: index)
    case .texts, .hashes: preconditionFailure("only numbers and bytes are given as lists")
    }
  }

  private static func digits(of bytes: [UInt8]) -> String {
    let digits: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      for (index, byte) in bytes.enumerated() {
        text[2 * index] = digits.utf8Start[Int(byte >> 4)]
        text[2 * index + 1] = digits.utf8Start[Int(byte & 15)]
      }
      return 2 * bytes.count
    }
  }

  /// Moves to the next row; false where there is none.
  ///
  /// - Throws: `.conflict`, `.cancelled`, `.full` or another error of SQLite; `.damaged` for
  ///   SQLITE_ERROR.
  package func step() throws(StoreError) -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      throw StoreError(ofStatement: sqlite3_extended_errcode(sqlite3_db_handle(pointer)))
    }
  }

  /// Current row.
  package var row: Row { Row(of: self) }

  /// Resets the statement and releases the bound values, which may be large.
  package func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
  }
}

/// Current row of a running statement; valid until the next step.
///
/// Columns count from 0. SQLite converts values of other types, so an untrusted file can cause wrong
/// values but no crash.
package struct Row {
  private let pointer: OpaquePointer

  init(of statement: Statement) {
    pointer = statement.pointer
  }

  package var columnCount: Int32 { sqlite3_column_count(pointer) }

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(pointer, column) == SQLITE_NULL
  }

  package func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(pointer, column)
  }

  /// Returns the text of a column; empty for NULL, repaired where it is not UTF-8.
  package func text(_ column: Int32) -> String { text(column, atMost: .max) }

  /// Returns the beginning of a text, of at most `bytes` bytes, cut between scalars.
  package func text(_ column: Int32, atMost bytes: Int) -> String {
    guard let start = sqlite3_column_text(pointer, column) else { return "" }
    let all = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column)))
    guard all.count > bytes else { return String(decoding: all, as: UTF8.self) }
    var end = bytes
    // Skips continuation bytes.
    while end > max(0, bytes - 3), all[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: all[..<end], as: UTF8.self)
  }

  /// Returns the bytes of a column; nil where there are more than `count`.
  package func bytes(_ column: Int32, atMost count: Int) -> [UInt8]? {
    sqlite3_column_bytes(pointer, column) <= count ? blob(column) : nil
  }

  /// Returns the bytes of a column; empty for NULL.
  package func blob(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(pointer, column) else { return [] }
    let count = Int(sqlite3_column_bytes(pointer, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
