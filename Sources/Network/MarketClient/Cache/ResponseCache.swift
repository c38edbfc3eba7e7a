import Dispatch
import DispatchBridge
import Glibc
import MarketAPI
import MarketModel
import Posix
import SQLiteKit

/// Cache of server responses in one SQLite file of limited size; the oldest entries are evicted first.
///
/// The cache reports no errors: a damaged file is deleted and created again, and where no file can be
/// written nothing is cached. Several processes may share one file.
package actor ResponseCache {
  /// Bytes counted for an entry in addition to its body.
  private static let overhead: Int64 = 256
  /// Maximum size of a body in bytes; larger responses are not cached.
  ///
  /// SQLite holds a few copies of what it writes.
  private static let bodyLimit = 4 << 20
  private static let cachedHeaders = [
    HeaderName.contentType, HeaderName.entityTag, HeaderName.extensions, HeaderName.capabilities,
    HeaderName.marketAddress, HeaderName.marketName,
  ]

  private enum State {
    case closed
    case open(SQLiteConnection, byteCount: Int64)
    /// The file cannot be used; nothing is cached until the process ends.
    case unusable
  }

  private let executor = QueueExecutor(label: "market.client.cache", qos: .utility)
  private let path: String
  private let byteLimit: Int64
  private let now: @Sendable () -> Int64
  private var state = State.closed

  /// Creates a cache whose file and parent folders are created on first use; `now` is in seconds since
  /// 1970.
  ///
  /// `byteLimit` is the maximum size of all entries; beyond it the oldest are evicted. With what SQLite
  /// needs in addition, the file stays below 256 MB.
  package init(
    at path: String, byteLimit: Int64 = 240 << 20,
    now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
  ) {
    self.path = path
    self.byteLimit = byteLimit
    self.now = now
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  func entry(of server: WebAddress, _ key: CacheKey) -> CacheEntry? {
    let found = perform { connection throws(StoreError) in
      try connection.first(
        "SELECT stored, headers, body FROM entries WHERE server = ? AND name = ?",
        [.text(server.text), .text(key.text)]
      ) { row in
        CacheEntry(
          seconds: row.integer(0),
          response: HTTPResponse(
            .ok, headers: HTTPHeaders(cachedText: row.text(1)), body: row.blob(2)))
      }
    }
    return found ?? nil
  }

  /// Targets of the newest entries of `server` that begin with `targets`, newest first, at most
  /// `limit`.
  func answers(
    of server: WebAddress, to targets: String, atMost limit: Int
  ) -> [RequestTarget] {
    let beginning = CacheKey.answer(RequestTarget(path: targets)).text
    let found = perform { connection throws(StoreError) in
      try connection.all(
        """
        SELECT name FROM entries WHERE server = ?1 AND name >= ?2 AND name < ?2 || ?3
        ORDER BY id DESC LIMIT ?4
        """,
        [.text(server.text), .text(beginning), .text("\u{10FFFF}"), .integer(Int64(limit))]
      ) { row in row.text(0) }
    }
    let word = CacheKey.answer(RequestTarget(path: "")).text
    return (found ?? []).map { RequestTarget(parsing: String($0.dropFirst(word.count))) }
  }

  func store(_ response: HTTPResponse, of server: WebAddress, _ key: CacheKey) {
    let size = Int64(response.body.count) + Self.overhead
    guard size <= byteLimit, response.body.count <= Self.bodyLimit else { return }
    let headers = response.headers.text(of: Self.cachedHeaders)
    let now = now()
    perform { connection throws(StoreError) in
      try connection.writing { () throws(StoreError) in
        try Self.forget(server, key, in: connection)
        try connection.run(
          "INSERT INTO entries (server, name, stored, headers, body, size) VALUES (?,?,?,?,?,?)",
          .text(server.text), .text(key.text), .integer(now), .text(headers),
          .blob(response.body), .integer(size))
      }
    }
    evictIfFull(adding: size)
  }

  func forget(_ key: CacheKey, of server: WebAddress) {
    perform { connection throws(StoreError) in
      try Self.forget(server, key, in: connection)
    }
  }

  private static func forget(
    _ server: WebAddress, _ key: CacheKey, in connection: SQLiteConnection
  ) throws(StoreError) {
    try connection.run(
      "DELETE FROM entries WHERE server = ? AND name = ?", .text(server.text), .text(key.text))
  }
}

extension ResponseCache {
  /// Runs `body` on the open file.
  ///
  /// A damaged file is replaced and `body` runs once more; nil if it failed.
  @discardableResult
  private func perform<Answer>(
    _ body: (SQLiteConnection) throws(StoreError) -> Answer
  ) -> Answer? {
    for _ in 0..<2 {
      do throws(StoreError) {
        guard let connection = try opened() else { return nil }
        return try body(connection)
      } catch {
        guard recover(from: error) else { return nil }
      }
    }
    return nil
  }

  private func opened() throws(StoreError) -> SQLiteConnection? {
    switch state {
    case .unusable: return nil
    case .open(let connection, _): return connection
    case .closed:
      // If the folder cannot be made, opening the file fails below.
      try? Folder.make(Folder.containing(path))
      CacheFile.removeLink(at: path)
      let connection = try SQLiteConnection(
        opening: path, SQLiteConnection.Options(createsFile: true, busyMilliseconds: 100))
      try connection.migrate(to: CacheFile.schema)
      // A power failure may lose the last entries, which costs nothing.
      try connection.execute("PRAGMA synchronous = NORMAL")
      let count = try connection.integer("SELECT coalesce(sum(size), 0) FROM entries") ?? 0
      state = .open(connection, byteCount: count)
      return connection
    }
  }

  /// Sets the state that follows from an error; true if a retry makes sense.
  private func recover(from error: StoreError) -> Bool {
    switch error {
    case .readOnly, .readOnlyFolder, .fileSystemLacks, .cannotOpen:
      state = .unusable
      return false
    case .damaged, .foreign, .newerVersion, .beforeFirstRelease, .failed:
      state = .closed
      CacheFile.remove(path)
      return true
    case .disconnected, .commitUnknown, .conflict, .timedOut, .cancelled, .full, .otherEncoding,
      .constraint:
      return false
    }
  }

  /// Evicts entries once the limit is exceeded, down to seven eighths of it.
  private func evictIfFull(adding size: Int64) {
    guard case .open(let connection, let count) = state else { return }
    state = .open(connection, byteCount: count + size)
    guard count + size > byteLimit else { return }
    let rest = perform { connection throws(StoreError) in
      try connection.writing { () throws(StoreError) in
        try CacheFile.evict(from: connection, downTo: byteLimit - byteLimit / 8)
      }
    }
    if let rest, case .open(let connection, _) = state {
      state = .open(connection, byteCount: rest)
    }
  }
}

extension HTTPHeaders {
  /// The named fields that are present, one `name:value` a line.
  fileprivate func text(of names: [String]) -> String {
    names.compactMap { name in self[name].map { name + ":" + $0 } }.joined(separator: "\n")
  }

  fileprivate init(cachedText text: String) {
    self.init()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { add(String(parts[1]), for: String(parts[0])) }
    }
  }
}

/// Key of a cached response.
enum CacheKey: Hashable, Sendable {
  /// Response by which the server's API was recognized.
  case server
  /// Response to a request without a body, by its target.
  case answer(RequestTarget)
  /// Picture, by its address.
  case picture(String)

  var text: String {
    switch self {
    case .server: "server"
    case .answer(let target): "answer " + target.text
    case .picture(let address): "picture " + address
    }
  }
}

/// Successful response as it was cached.
struct CacheEntry: Hashable, Sendable {
  /// Time of receipt, in seconds since 1970.
  let seconds: Int64
  let response: HTTPResponse
}

/// SQLite file of the cache.
private enum CacheFile {
  /// "OMca" marks a file of this cache.
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

  /// Deletes the oldest entries until the rest takes at most `limit` bytes; returns the bytes that
  /// remain.
  static func evict(
    from connection: SQLiteConnection, downTo limit: Int64
  ) throws(StoreError) -> Int64 {
    // Ids rise with every entry, so that summing from the highest keeps the newest.
    try connection.run(
      """
      DELETE FROM entries WHERE id IN (
        SELECT id FROM (SELECT id, sum(size) OVER (ORDER BY id DESC) AS total FROM entries)
        WHERE total > ?)
      """, .integer(limit))
    return try connection.integer("SELECT coalesce(sum(size), 0) FROM entries") ?? 0
  }

  /// Removes a symbolic link at `path`; its target is left alone.
  static func removeLink(at path: String) {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { remove(path) }
  }

  /// Removes the file and SQLite's files beside it.
  static func remove(_ path: String) {
    for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
  }
}
