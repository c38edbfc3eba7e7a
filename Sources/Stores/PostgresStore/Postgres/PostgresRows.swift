internal import CPostgres
import SQLiteKit
import StoreCore

/// Result of one statement: its rows in the protocol's binary format.
final class PostgresRows {
  private let result: OpaquePointer
  private let columnCount: Int
  /// All columns of all rows; nil is null.
  private let columns: UnsafeMutablePointer<UnsafeRawBufferPointer?>

  let count: Int

  /// Takes ownership of a result of libpq.
  init(owning result: OpaquePointer) {
    self.result = result
    let (rowCount, columnCount) = (PQntuples(result), PQnfields(result))
    count = Int(rowCount)
    self.columnCount = Int(columnCount)
    columns = .allocate(capacity: count * self.columnCount)
    var next = columns
    for row in 0..<rowCount {
      for column in 0..<columnCount {
        let isNull = PQgetisnull(result, row, column) != 0
        next.initialize(
          to: isNull
            ? nil
            : UnsafeRawBufferPointer(
              start: PQgetvalue(result, row, column),
              count: Int(PQgetlength(result, row, column))))
        next += 1
      }
    }
  }

  deinit {
    columns.deallocate()
    PQclear(result)
  }

  /// Number of rows that the statement inserted, changed or deleted.
  var changes: Int {
    guard let text = PQcmdTuples(result) else { return 0 }
    return Int(String(cString: text)) ?? 0
  }

  var first: StoredRow? { count > 0 ? row(0) : nil }

  /// Each row as `body` reads it.
  /// - Throws: what `body` throws.
  func map<Element, Failure: Error>(
    _ body: (StoredRow) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for number in 0..<count { elements.append(try body(row(number))) }
    return elements
  }

  /// Calls `body` for each row until it returns false.
  /// - Throws: what `body` throws.
  func read(_ body: (StoredRow) throws(StoreError) -> Bool) throws(StoreError) {
    for number in 0..<count {
      guard try body(row(number)) else { return }
    }
  }

  private func row(_ number: Int) -> StoredRow {
    StoredRow(
      UnsafeBufferPointer(start: columns + number * columnCount, count: columnCount), of: self)
  }
}
