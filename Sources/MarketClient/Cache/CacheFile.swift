import Glibc
import SQLiteKit

/// The file behind the cache.
enum CacheFile {
  /// "OMca": a file of this program's cache.
  static let schema = Schema(
    applicationID: 0x4F4D_6361,
    migrations: [
      """
      CREATE TABLE entries (
        id INTEGER PRIMARY KEY,
        server TEXT NOT NULL,
        name TEXT NOT NULL,
        stored INTEGER NOT NULL,
        size INTEGER NOT NULL,
        headers TEXT NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (server, name)
      ) STRICT;
      CREATE INDEX entries_by_size ON entries (id, size);
      """
    ])

  /// Deletes the oldest entries until the rest takes no more than a limit.
  ///
  /// - Parameters:
  ///   - connection: the open file.
  ///   - limit: bytes that may stay.
  /// - Returns: the bytes that stayed.
  /// - Throws: what SQLite answered.
  static func evict(
    from connection: Connection, downTo limit: Int64
  ) throws(DatabaseError) -> Int64 {
    // Ids rise with every entry, so that summing from the highest keeps the newest.
    try connection.run(
      """
      DELETE FROM entries WHERE id IN (
        SELECT id FROM (SELECT id, sum(size) OVER (ORDER BY id DESC) AS total FROM entries)
        WHERE total > ?)
      """, .integer(limit))
    return try connection.integer("SELECT coalesce(sum(size), 0) FROM entries") ?? 0
  }

  /// Removes a link in the place of the file; where it leads is left alone.
  static func removeLink(at path: String) {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { remove(path) }
  }

  /// Removes the file and what SQLite keeps beside it.
  static func remove(_ path: String) {
    for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
  }
}
