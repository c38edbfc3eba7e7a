import Glibc
import MarketModel
import Posix
import SQLiteKit

/// Row of what a person keeps, as it is carried from one computer to another.
package struct PersonalRow: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
  }

  package struct Column: Hashable, Sendable {
    package let name: String
    package let value: Value
  }

  package let table: String
  /// Every column of the table, in the order of its schema.
  package let columns: [Column]

  package init(table: String, columns: [(name: String, value: Value)]) {
    self.table = table
    self.columns = columns.map { Column(name: $0.name, value: $0.value) }
  }
}

/// All that a person keeps on this computer, to be carried to another one, merged there, or cleared.
///
/// Its tables are those of the schema, so that what is kept one day is carried without a line here.
package struct PersonalArchive {
  /// Reason why rows cannot be taken in; nothing has changed.
  package enum Failure: Error, Hashable, Sendable {
    case trouble(PersonalStoreError)
    /// A row is none of this kind of file, by its number from 1.
    case badRow(Int)
    /// A newer version of the program wrote the rows.
    case newer
    case tooMany
  }

  /// Rows that are taken in at most.
  package static let maxRows = 1_000_000
  private let path: String
  private let connection: SQLiteConnection

  /// Opens the file, which is made where there is none.
  package init(at path: String) throws(Failure) {
    try? Folder.make(Folder.containing(path))
    self.path = path
    connection = try Self.telling { () throws(DatabaseError) in
      let connection = try SQLiteConnection(opening: path, .init(createsFile: true))
      try connection.migrateToPersonal()
      return connection
    }
  }

  /// The version of the tables.
  package static var version: Int { Schema.personal.migrations.count }

  /// Goes through all rows, of one moment, until `body` has seen enough.
  package func readAll(_ body: (PersonalRow) -> Bool) throws(Failure) {
    try Self.telling { () throws(DatabaseError) in
      try connection.reading { () throws(DatabaseError) in
        for table in try PersonalTable.all(connection) {
          var goesOn = true
          try connection.forEach(SQL(table.selection)) { row throws(DatabaseError) in
            goesOn = body(PersonalRow(table: table.name, columns: Self.columns(of: row, table)))
            return goesOn
          }
          guard goesOn else { return }
        }
      }
    }
  }

  /// Takes everything away, on the disk too.
  package func clear() throws(Failure) {
    try Self.telling { () throws(DatabaseError) in
      try connection.execute("PRAGMA secure_delete = ON; PRAGMA synchronous = FULL")
      try connection.writing { () throws(DatabaseError) in
        for table in try PersonalTable.all(connection).reversed() {
          try connection.run(SQL(table.deletion))
        }
      }
    }
    // Another program that reads at this moment keeps the old pages until it is done.
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  // MARK: Merging

  /// Takes in rows that another file of this kind held, all of them or none.
  ///
  /// They are put into a file of their own first, made by the version that wrote them: what breaks a
  /// rule of the tables breaks it there. `next` gives one row after the other, nil at the end.
  ///
  /// - Returns: how many rows were read, and for how many of them there was no room.
  package func merge(
    version: Int, next: () throws(Failure) -> PersonalRow?
  ) throws(Failure) -> (read: Int, leftOut: Int) {
    guard version <= Self.version else { throw .newer }
    guard version > 0 else { throw .badRow(0) }
    let location = path + ".import-" + String(UInt64.random(in: .min ... .max), radix: 16)
    defer { for ending in ["", "-wal", "-shm", "-journal"] { unlink(location + ending) } }
    let (staging, count) = try stage(at: location, version, next)
    let leftOut = try Self.telling { () throws(DatabaseError) in
      for migration in Schema.personal.migrations.dropFirst(version) {
        try staging.execute(migration)
      }
      try connection.execute("PRAGMA synchronous = FULL")
      return try connection.writing { () throws(DatabaseError) in
        var merging = PersonalMerging(from: staging, to: connection)
        for table in try PersonalTable.all(connection) { try merging.merge(table) }
        try connection.joinPrices()
        if version < Schema.foldingVersion { try FavoriteSearchTerms.renew(over: connection) }
        return merging.leftOut
      }
    }
    return (count, leftOut)
  }

  /// Fills a file of its own with the rows.
  private func stage(
    at location: String, _ version: Int, _ next: () throws(Failure) -> PersonalRow?
  ) throws(Failure) -> (SQLiteConnection, Int) {
    let (staging, tables) = try Self.telling { () throws(DatabaseError) in
      let staging = try SQLiteConnection(opening: location, .init(createsFile: true))
      try staging.execute("PRAGMA synchronous = OFF; BEGIN")
      for migration in Schema.personal.migrations.prefix(version) { try staging.execute(migration) }
      let tables = try PersonalTable.all(staging)
      return (staging, Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) }))
    }
    var count = 0
    while let row = try next() {
      count += 1
      guard count <= Self.maxRows else { throw .tooMany }
      guard let table = tables[row.table], row.columns.map(\.name) == table.columns,
        Self.isSound(row)
      else { throw .badRow(count) }
      do throws(DatabaseError) {
        try staging.run(SQL(table.wholeInsertion), row.columns.map(\.value.sql))
      } catch {
        switch error {
        case .full, .busy, .cancelled, .readOnly, .readOnlyFolder, .cannotOpen:
          throw .trouble(PersonalStoreError(error))
        case .constraint, .failed, .damaged, .foreign, .newerVersion: throw .badRow(count)
        }
      }
    }
    try Self.telling { () throws(DatabaseError) in try staging.execute("COMMIT") }
    return (staging, count)
  }

  /// Whether the key of a market, whose column had another name in earlier versions, can be one.
  private static func isSound(_ row: PersonalRow) -> Bool {
    guard row.table == "market" else { return true }
    return row.columns.allSatisfy { column in
      guard ["key", "place"].contains(column.name) else { return true }
      guard case .text(let text) = column.value, text.utf8.count <= MarketKey.longest else {
        return false
      }
      let key = MarketKey(rawValue: text)
      return key == .local || (key.isFormer ? !text.contains("/") : key.isPlace)
    }
  }

  /// Columns come as their types and values in turn.
  static func columns(
    of row: Row, _ table: PersonalTable
  ) -> [(name: String, value: PersonalRow.Value)] {
    var columns: [(name: String, value: PersonalRow.Value)] = []
    for (index, name) in table.columns.enumerated() {
      let location = Int32(2 * index + 1)
      let value: PersonalRow.Value =
        switch row.text(location - 1) {
        case "null": .null
        case "integer": .integer(row.integer(location))
        case "blob": .bytes(row.blob(location))
        default: .text(row.text(location))
        }
      columns.append((name, value))
    }
    return columns
  }

  private static func telling<Value>(
    _ body: () throws(DatabaseError) -> Value
  ) throws(Failure) -> Value {
    do throws(DatabaseError) { return try body() } catch {
      throw .trouble(PersonalStoreError(error))
    }
  }
}

extension PersonalRow.Value {
  var sql: SQLValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .text(let text): .text(text)
    case .bytes(let bytes): .blob(bytes)
    }
  }
}
