import SQLiteKit
import StoreCore

/// Connection to a market's file, used by one actor at a time.
package final class SQLiteDatabase {
  let file: SQLiteConnection

  /// Opens a market's file (`SQLiteConnection`).
  /// - Throws: `.cannotOpen`, `.readOnlyFolder`, `.foreign` or `.damaged`, as SQLite reports.
  package init(opening path: String, _ options: SQLiteConnection.Options) throws(StoreError) {
    file = try SQLiteConnection(opening: path, options, translate: Self.text)
  }

  /// Translates a statement from PostgreSQL's syntax to SQLite's.
  private static func text(of sql: String) -> String {
    let source = Array(sql.utf8)
    var text: [UInt8] = []
    text.reserveCapacity(source.count)
    var place = 0
    while place < source.count {
      let rest = source[place...]
      // A locking clause is the last part of a statement or of its parentheses.
      if rest.dropFirst().starts(with: "FOR ".utf8), [0x20, 0x0A].contains(rest.first) {
        place = rest.firstIndex(of: UInt8(ascii: ")")) ?? source.count
        continue
      }
      guard rest.first == UInt8(ascii: "$") else {
        text.append(source[place])
        place += 1
        continue
      }
      // The statement is run once for each element.
      let list = Array("ANY (".utf8)
      let isList = text.suffix(list.count).elementsEqual(list)
      if isList { text.removeLast(list.count) }
      let number = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      text.append(UInt8(ascii: "?"))
      text += number
      place = number.endIndex + (isList ? 1 : 0)
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Statements

  package func forEach(
    _ sql: SQL, _ values: [SQLValue], read: (StoredRow) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard let list = values.firstIndex(where: \.isList) else {
      _ = try forEachRow(sql, values, read: read)
      return
    }
    for element in values[list].elements {
      var values = values
      values[list] = element
      guard try forEachRow(sql, values, read: read) else { return }
    }
  }

  /// Calls `read` for each row of one run of a statement; false where `read` ended it.
  private func forEachRow(
    _ sql: SQL, _ values: [SQLValue], read: (StoredRow) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let statement = try file.bound(sql, values)
    defer { statement.reset() }
    while try statement.step() {
      guard try read(StoredRow(statement.row)) else { return false }
    }
    return true
  }

  package func run(_ queries: [Query]) throws(StoreError) {
    for query in queries {
      try forEach(query.sql, query.values) { row throws(StoreError) in
        try query.read(row)
        return true
      }
    }
  }

  package func finish(with queries: [Query]) throws(StoreError) { try run(queries) }

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
    guard let list = values.firstIndex(where: \.isList) else {
      return try file.run(sql, values)
    }
    var count = 0
    for element in values[list].elements {
      var values = values
      values[list] = element
      count += try file.run(sql, values)
    }
    return count
  }

  /// Runs a script of statements without parameters.
  /// - Throws: the `StoreError` of the first statement that fails.
  func execute(_ script: String) throws(StoreError) {
    try file.execute(script)
  }

  /// The rowid of the last inserted row.
  var lastInsertedKey: Int64 { file.lastInsertedKey }

  // MARK: Transactions

  /// Runs a body in a read transaction, so that all its statements see one state of the file.
  /// - Throws: what `body` throws; the `StoreError` of opening the transaction.
  func reading<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    try file.reading(body)
  }

  /// Runs a body in a write transaction, which is on disk when this returns, or is rolled back.
  ///
  /// The transaction is rolled back where `isKept` returns false for the result.
  /// - Throws: what `body` throws; `.conflict` after the busy timeout; `.full`, `.readOnly` or others of
  ///   the commit.
  func writing<Value>(
    keeping isKept: (Value) -> Bool = { _ in true }, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try file.writing(keeping: isKept, body)
  }

  /// Migrates a file to the current version of its tables (`SQLiteConnection.migrate`).
  /// - Throws: `.newerVersion`, `.beforeFirstRelease`, `.foreign`; what the closures throw; the
  ///   `StoreError` of a script.
  func migrate(
    filling fill: () throws(StoreError) -> Void,
    converting convert: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try file.migrate(to: .store, filling: fill) { _ throws(StoreError) in try convert() }
  }
}

extension SQLValue {
  fileprivate var isList: Bool {
    switch self {
    case .integer, .text, .blob: false
    case .integers, .texts, .blobs, .hashes: true
    }
  }

  fileprivate var elements: [SQLValue] {
    switch self {
    case .integer, .text, .blob: [self]
    case .integers(let numbers): numbers.map { .integer($0) }
    case .texts(let texts): texts.map { .text($0) }
    case .blobs(let blobs): blobs.map { .blob($0) }
    case .hashes(let numbers): numbers.map { .integer(Int64($0)) }
    }
  }
}
