internal import CPostgres

/// The answer to one statement: its rows in the protocol's binary format.
final class PostgresRows {
  private let result: OpaquePointer

  /// Takes over a result of libpq.
  init(owning result: OpaquePointer) {
    self.result = result
  }

  deinit { PQclear(result) }

  var count: Int { Int(PQntuples(result)) }

  /// How many rows the statement inserted, changed or deleted.
  var changes: Int {
    guard let text = PQcmdTuples(result) else { return 0 }
    return Int(String(cString: text)) ?? 0
  }

  var first: PostgresRow? { count > 0 ? PostgresRow(of: self, at: 0) : nil }

  /// Each row as `body` reads it.
  func map<Element>(_ body: (PostgresRow) -> Element) -> [Element] {
    (0..<count).map { body(PostgresRow(of: self, at: Int32($0))) }
  }

  fileprivate func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer? {
    guard PQgetisnull(result, row, column) == 0 else { return nil }
    return UnsafeRawBufferPointer(
      start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
  }
}

/// One row of an answer; columns count from 0.
struct PostgresRow {
  private let rows: PostgresRows
  private let row: Int32

  fileprivate init(of rows: PostgresRows, at row: Int32) {
    self.rows = rows
    self.row = row
  }

  func isNull(_ column: Int32) -> Bool { rows.bytes(row, column) == nil }

  /// An integer of any width; 0 where the column is null.
  func integer(_ column: Int32) -> Int64 {
    guard let bytes = rows.bytes(row, column), let first = bytes.first else { return 0 }
    // The first byte carries the sign.
    return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
  }

  /// The text; empty where the column is null.
  func text(_ column: Int32) -> String {
    guard let bytes = rows.bytes(row, column) else { return "" }
    return StorableText.decoded(String(decoding: bytes, as: UTF8.self))
  }

  /// The bytes; empty where the column is null.
  func bytes(_ column: Int32) -> [UInt8] { rows.bytes(row, column).map(Array.init) ?? [] }
}
