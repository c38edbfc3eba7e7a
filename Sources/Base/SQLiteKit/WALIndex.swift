internal import CSQLite

/// WAL index of a database, in memory shared by all its connections
/// (https://www.sqlite.org/walformat.html, section 2).
///
/// The header changes with each commit of any connection, and is read without a system call.
/// - Throws: `init(of:)` throws the `StoreError` of its statement.
package struct WALIndex {
  /// Header at one moment; equal headers mean the same state of the database.
  package struct Header: Equatable, Sendable {
    fileprivate let words: InlineArray<6, UInt64>

    package static func == (one: Header, other: Header) -> Bool {
      one.words.indices.allSatisfy { one.words[$0] == other.words[$0] }
    }
  }

  private static let headerBytes = 48
  fileprivate static let regionBytes: Int32 = 32 << 10
  /// `iVersion` of the header; the only version SQLite has defined.
  private static let formatVersion: UInt64 = 3_007_000

  private let start: UnsafeRawPointer

  /// Returns the index of a connection that has read, valid until the connection closes; nil where it
  /// has none, or cannot share it.
  package init?(of connection: SQLiteConnection) throws(StoreError) {
    // Asking for the index of a file without WAL would create one.
    guard try connection.usesWriteAheadLog else { return nil }
    guard let file = connection.openFile, let map = file.pointee.pMethods.pointee.xShmMap else {
      return nil
    }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, Self.regionBytes, 0, &region) == SQLITE_OK, let region else { return nil }
    start = UnsafeRawPointer(region)
  }

  /// Header at present; nil during a change.
  ///
  /// The index has two copies. A commit writes the second copy first, so equal copies, read in the other
  /// order, belong to one state.
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

extension SQLiteConnection {
  /// The open file, with the methods for shared memory; nil where it has none.
  fileprivate var openFile: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let methods = file?.pointee.pMethods, methods.pointee.iVersion >= 2
    else { return nil }
    return file
  }

  /// Whether the file of a WAL index can be mapped beside this one; the index stays mapped.
  var sharesMemory: Bool {
    guard let file = openFile, let methods = file.pointee.pMethods else { return false }
    var region: UnsafeMutableRawPointer?
    let code = methods.pointee.xShmMap?(file, 0, WALIndex.regionBytes, 1, &region)
    if code == SQLITE_OK { return true }
    // The file of the index, which no connection could map, is deleted.
    _ = methods.pointee.xShmUnmap?(file, 1)
    return false
  }
}
