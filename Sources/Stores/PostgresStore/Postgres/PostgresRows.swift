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

  /// Number of rows that the statement inserted, changed or deleted.
  var changes: Int {
    guard let text = PQcmdTuples(result) else { return 0 }
    return Int(String(cString: text)) ?? 0
  }

  var first: PostgresRow? { count > 0 ? PostgresRow(of: self, at: 0) : nil }

  /// Each row as `body` reads it.
  func map<Element, Failure: Error>(
    _ body: (PostgresRow) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for row in 0..<count { elements.append(try body(PostgresRow(of: self, at: Int32(row)))) }
    return elements
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
  func text(_ column: Int32) -> String { text(column, atMost: .max) }

  func text(_ column: Int32, atMost bytes: Int) -> String {
    guard let all = rows.bytes(row, column) else { return "" }
    // As it is kept a byte may take five.
    let (kept, overflow) = bytes.multipliedReportingOverflow(by: 5)
    let beginning = overflow ? all[...] : all.prefix(kept)
    return StorableText.decoded(String(decoding: beginning, as: UTF8.self))
  }

  /// The bytes; empty where the column is null.
  func bytes(_ column: Int32) -> [UInt8] { rows.bytes(row, column).map(Array.init) ?? [] }

  func bytes(_ column: Int32, atMost count: Int) -> [UInt8]? {
    rows.bytes(row, column)?.count ?? 0 <= count ? bytes(column) : nil
  }
}
