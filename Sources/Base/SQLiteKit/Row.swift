internal import CSQLite

/// The row that a running statement stands on; valid only inside the closure that receives it.
///
/// Columns count from 0. A value of another type is converted as SQLite does, so that a foreign
/// file can make wrong values but no crash.
package struct Row: ~Copyable {
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

  /// The text; empty where the column is null, repaired where it is no UTF-8.
  package func text(_ column: Int32) -> String { text(column, atMost: .max) }

  /// The beginning of a text, which ends between two scalars.
  package func text(_ column: Int32, atMost bytes: Int) -> String {
    guard let start = sqlite3_column_text(pointer, column) else { return "" }
    let all = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column)))
    guard all.count > bytes else { return String(decoding: all, as: UTF8.self) }
    var end = bytes
    // The bytes of a scalar after its first one.
    while end > max(0, bytes - 3), all[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: all[..<end], as: UTF8.self)
  }

  /// The bytes; nil where there are more.
  package func bytes(_ column: Int32, atMost count: Int) -> [UInt8]? {
    sqlite3_column_bytes(pointer, column) <= count ? blob(column) : nil
  }

  /// The bytes; empty where the column is null.
  package func blob(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(pointer, column) else { return [] }
    let count = Int(sqlite3_column_bytes(pointer, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
