internal import CSQLite

/// Index of a database's write-ahead log, which all its connections share in memory
/// (https://www.sqlite.org/walformat.html, section 2).
///
/// Its header changes with each commit, whoever makes it, and is read without a call to the system.
package struct WALIndex {
  /// Header at one moment; two that are equal are of the same state of the database.
  package struct Header: Equatable, Sendable {
    fileprivate let words: InlineArray<6, UInt64>

    package static func == (one: Header, other: Header) -> Bool {
      one.words.indices.allSatisfy { one.words[$0] == other.words[$0] }
    }
  }

  private static let headerBytes = 48
  private static let regionBytes: Int32 = 32 << 10
  /// The only form of the index that there has been; it is the first number of the header.
  private static let formatVersion: UInt64 = 3_007_000

  private let start: UnsafeRawPointer

  /// The index of a connection that has read; nil where it has none, or cannot share it.
  ///
  /// It must not be used any more once the connection is gone.
  package init?(of connection: SQLiteConnection) throws(DatabaseError) {
    // Asked for its index, a file without a log would be given one.
    let mode = try connection.first("PRAGMA journal_mode") { row in row.text(0) }
    guard mode == "wal" else { return nil }
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(
      connection.database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods,
      methods.pointee.iVersion >= 2, let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, Self.regionBytes, 0, &region) == SQLITE_OK, let region else { return nil }
    start = UnsafeRawPointer(region)
  }

  /// The header as it is now; nil while somebody changes it.
  ///
  /// It stands there twice. Who commits writes the second one first, so both are of one state where
  /// they are equal, read in the other order.
  package var header: Header? {
    let (first, second) = (header(at: 0), header(at: Self.headerBytes))
    guard first == second, UInt32(truncatingIfNeeded: first.words[0]) == Self.formatVersion else {
      return nil
    }
    return first
  }

  private func header(at offset: Int) -> Header {
    Header(words: InlineArray { CSQLite_load(start + offset + $0 * 8) })
  }
}
