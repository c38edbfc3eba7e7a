import Glibc
import MarketModel
import Posix
import SQLiteKit

/// Row of a personal file, as it is exported and imported.
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
  /// All columns of the table.
  package let columns: [Column]

  package init(table: String, columns: [(name: String, value: Value)]) {
    self.table = table
    self.columns = columns.map { Column(name: $0.name, value: $0.value) }
  }
}

/// Export, import and deletion of a user's personal data.
///
/// The tables are read from the schema, so that a new table needs no code here. An archive bears their
/// version.
package struct PersonalArchive {
  /// Reason why an export, import or deletion failed; nothing has changed.
  package enum Failure: Error, Hashable, Sendable {
    case trouble(PersonalStoreError)
    /// A row, by its number from 1, does not fit the tables; 0 for a version that no release wrote.
    case badRow(Int)
    /// A newer version of the program exported the rows.
    case newer
    case tooMany
  }

  /// Maximum number of imported rows, beyond which `merge(version:next:)` throws `.tooMany`.
  package static let maxRows = 1_000_000
  private let path: String
  private let connection: SQLiteConnection

  /// Opens the file, or creates it.
  ///
  /// `announce` receives the new path of a file from before 1.0, which is set aside.
  /// - Throws: `.trouble` with the reason.
  package init(
    at path: String, whenSetAside announce: (String) -> Void = { _ in }
  ) throws(Failure) {
    try? Folder.make(Folder.containing(path))
    self.path = path
    connection = try Self.mappingErrors { () throws(StoreError) in
      try SQLiteConnection.personal(at: path, .init(createsFile: true), whenSetAside: announce)
    }
  }

  /// The version of the tables that this program exports.
  package static var version: Int { Schema.personal.newestVersion }

  /// Calls `body` for each row, in one read transaction, until it returns false.
  /// - Throws: `.trouble` where the file cannot be read.
  package func readAll(_ body: (PersonalRow) -> Bool) throws(Failure) {
    try Self.mappingErrors { () throws(StoreError) in
      try connection.reading { () throws(StoreError) in
        for table in try PersonalTable.all(connection) {
          var goesOn = true
          try connection.forEach(SQL(table.selection)) { row throws(StoreError) in
            let values = Self.values(of: row, table)
            let columns = zip(table.columns, values).map { (name: $0, value: $1) }
            goesOn = body(PersonalRow(table: table.name, columns: columns))
            return goesOn
          }
          guard goesOn else { return }
        }
      }
    }
  }

  /// Deletes all rows, and overwrites them on disk (`secure_delete`); deletes files that were set aside.
  /// - Throws: `.trouble` where the file cannot be written.
  package func clear() throws(Failure) {
    try Self.mappingErrors { () throws(StoreError) in
      try connection.execute("PRAGMA secure_delete = ON; PRAGMA synchronous = FULL")
      try connection.writing { () throws(StoreError) in
        for table in try PersonalTable.all(connection).reversed() {
          try connection.run(SQL(table.deletion))
        }
      }
    }
    // A concurrent reader keeps the old pages in the WAL until it has finished.
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for aside in PersonalFile.setAsidePaths(of: path) { unlink(aside) }
  }

  // MARK: Merging

  /// Merges the rows of another personal file, all or none.
  ///
  /// They are first inserted into a temporary file with the tables of the exporting version, where rows
  /// that violate a constraint fail. `next` returns one row after the other, and nil at the end.
  ///
  /// - Returns: the number of rows read, and the number dropped because a table was full.
  /// - Throws: `.newer` for a version above this program's; `.badRow`; `.tooMany` above `maxRows`;
  ///   `.trouble`; what `next` throws.
  package func merge(
    version: Int, next: () throws(Failure) -> PersonalRow?
  ) throws(Failure) -> (read: Int, leftOut: Int) {
    guard version <= Self.version else { throw .newer }
    guard version >= Schema.firstVersion else {
      guard version == ExportBridge.version else { throw .badRow(0) }
      return try merge(version: Schema.firstVersion) { () throws(Failure) in
        try next().map(ExportBridge.renamed)
      }
    }
    let location = path + ".import-" + String(UInt64.random(in: .min ... .max), radix: 16)
    defer { for ending in ["", "-wal", "-shm", "-journal"] { unlink(location + ending) } }
    let scripts = version - Schema.firstVersion + 1
    let (staging, count) = try stage(at: location, Schema.personal.migrations.prefix(scripts), next)
    let leftOut = try Self.mappingErrors { () throws(StoreError) in
      for migration in Schema.personal.migrations.dropFirst(scripts) {
        try staging.execute(migration)
      }
      try connection.execute("PRAGMA synchronous = FULL")
      return try connection.writing { () throws(StoreError) in
        var merging = PersonalMerging(from: staging, to: connection)
        for table in try PersonalTable.all(connection) { try merging.merge(table) }
        try connection.joinPrices()
        if version < Schema.foldingVersion { try FavoriteSearchTerms.renew(over: connection) }
        return merging.leftOut
      }
    }
    return (count, leftOut)
  }

  /// Inserts the rows into a temporary file.
  private func stage(
    at location: String, _ migrations: ArraySlice<String>,
    _ next: () throws(Failure) -> PersonalRow?
  ) throws(Failure) -> (SQLiteConnection, Int) {
    let (staging, tables) = try Self.mappingErrors { () throws(StoreError) in
      let staging = try SQLiteConnection(opening: location, .init(createsFile: true))
      try staging.execute("PRAGMA synchronous = OFF; BEGIN")
      for migration in migrations { try staging.execute(migration) }
      let tables = try PersonalTable.all(staging)
      return (staging, Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) }))
    }
    var count = 0
    while let row = try next() {
      count += 1
      guard count <= Self.maxRows else { throw .tooMany }
      guard let table = tables[row.table], let values = table.values(of: row),
        Self.isSound(values, in: table)
      else { throw .badRow(count) }
      do throws(StoreError) {
        try staging.run(SQL(table.wholeInsertion), values.map(\.sql))
      } catch {
        switch error {
        case .constraint, .failed, .damaged, .foreign, .otherEncoding, .newerVersion,
          .beforeFirstRelease:
          throw .badRow(count)
        default: throw .trouble(PersonalStoreError(error))
        }
      }
    }
    try Self.mappingErrors { () throws(StoreError) in try staging.execute("COMMIT") }
    return (staging, count)
  }

  /// Whether the row of a market has a valid key.
  private static func isSound(_ values: [PersonalRow.Value], in table: PersonalTable) -> Bool {
    guard table.name == "market", let index = table.columns.firstIndex(of: "key") else {
      return true
    }
    guard case .text(let text) = values[index], text.utf8.count <= MarketKey.longest else {
      return false
    }
    return MarketKey(rawValue: text).isCanonical
  }

  /// Reads pairs of type and value.
  static func values(of row: Row, _ table: PersonalTable) -> [PersonalRow.Value] {
    table.columns.indices.map { index in
      let column = Int32(2 * index + 1)
      return switch row.text(column - 1) {
      case "null": .null
      case "integer": .integer(row.integer(column))
      case "blob": .bytes(row.blob(column))
      default: .text(row.text(column))
      }
    }
  }

  private static func mappingErrors<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(Failure) -> Value {
    do throws(StoreError) { return try body() } catch {
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
