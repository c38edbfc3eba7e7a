import Glibc
import SQLiteKit
import StoreCore
import TextCoding

/// Migration of a database's tables to the current version, with any number of servers starting at once,
/// and without blocking other statements for more than a second.
///
/// An empty database is created in one transaction. Later each step of a script is run by one server
/// while the others wait, and is recorded beside the version, so that another server can continue an
/// interrupted migration.
/// - Throws: every call throws the `StoreError` of its statement.
struct SchemaMigration {
  /// The scripts from each version to the next, in `Resources/schema`; the first creates the tables.
  static let scripts = ResourceFile.texts(
    "schema/postgres", ".sql", from: Schema.firstVersion
  ).map(SchemaScript.init)

  /// The version of the tables that this program uses.
  static var newestVersion: Int { version(after: scripts.count) }

  /// The version of the tables after some scripts; 0 before the first.
  fileprivate static func version(after count: Int) -> Int {
    count == 0 ? 0 : Schema.firstVersion + count - 1
  }

  /// The version of the tables of a connection; nil where there are none.
  /// - Throws: `.beforeFirstRelease`; `.newerVersion` for a version above `newest`.
  static func version(
    over connection: PostgresConnection, atMost newest: Int = newestVersion
  ) throws(StoreError) -> Int? {
    let version: Int?
    do {
      version = try connection.run("SELECT version FROM market_schema WHERE id = 1").first.map {
        Int($0.integer(0))
      }
    } catch {
      // 42P01: the table does not exist.
      guard error == .failed(state: "42P01") else { throw error }
      return nil
    }
    guard let version, version != 0 else { return nil }
    if version < Schema.firstVersion { throw .beforeFirstRelease }
    if version > newest { throw .newerVersion }
    return version
  }

  private let address: String
  private let connections: ConnectionPool
  private let scripts: [SchemaScript]

  init(of address: String, over connections: ConnectionPool, by scripts: [SchemaScript] = scripts) {
    self.address = address
    self.connections = connections
    self.scripts = scripts
  }

  /// Runs the missing scripts.
  /// - Throws: `.newerVersion` and `.beforeFirstRelease` for tables of a version that this program does
  ///   not use; `.conflict` where a table stays locked; what `ConnectionPool.retrying(isRepeatable:_:)`
  ///   throws.
  func run() async throws(StoreError) {
    let (address, scripts) = (address, scripts)
    let newest = Self.version(after: scripts.count)
    let version = try await connections.retrying { connection throws(StoreError) in
      try Self.version(over: connection, atMost: newest)
    }
    if version == newest { return }
    let unhurried = ConnectionPool("schema", count: 1, to: address, options: .unhurried)
    try await unhurried.retrying { connection throws(StoreError) in
      try TablesMigration(connection, by: scripts).run { () throws(StoreError) in
        try PostgresConnection(to: address, .unhurried)
      }
    }
  }
}

/// Progress of a migration.
private struct SchemaProgress: Equatable {
  /// The version of the tables.
  var version: Int
  /// Completed steps of the next script.
  var step: Int
}

/// Migration on one connection.
private struct TablesMigration {
  /// Microseconds between two checks while another server migrates.
  private static let turnPause: UInt32 = 200_000
  /// Maximum milliseconds that a statement waits for a table lock, and thereby blocks other statements.
  private static let lockMilliseconds = 1_000
  /// Maximum number of attempts, ten minutes in all, with pauses in which other statements run.
  private static let lockAttempts = 300

  private let connection: PostgresConnection
  private let scripts: [SchemaScript]
  private let newest: Int

  init(_ connection: PostgresConnection, by scripts: [SchemaScript]) {
    self.connection = connection
    self.scripts = scripts
    newest = SchemaMigration.version(after: scripts.count)
  }

  /// Runs the missing scripts; `connect` makes another connection, which holds the advisory lock.
  /// - Throws: `.newerVersion` where the tables have a later version; `.conflict` where a table stays
  ///   locked.
  func run(connect: () throws(StoreError) -> PostgresConnection) throws(StoreError) {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS market_schema (
        id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL,
        step bigint NOT NULL DEFAULT 0)
      """)
    try connection.execute(
      "INSERT INTO market_schema (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING")
    try makeTables()
    guard try !isDone() else { return }
    let other = try connect()
    defer { withExtendedLifetime(other) {} }
    while try !isDone() {
      guard try takeTurn(over: other) else {
        usleep(Self.turnPause)
        continue
      }
      // The lock is released with the other connection.
      while let progress = try progress(), progress.version < newest {
        try advance(from: progress)
      }
    }
  }

  private func isDone() throws(StoreError) -> Bool {
    try SchemaMigration.version(over: connection, atMost: newest) == newest
  }

  /// Creates the tables where there are none; the row of the version is locked meanwhile.
  private func makeTables() throws(StoreError) {
    _ = try connection.transact(.writing) { () throws(StoreError) -> Outcome<Void> in
      guard try progress(isHeld: true)?.version == 0 else { return .success(()) }
      for step in scripts.flatMap(\.steps) {
        switch step {
        case .statements(let statements):
          for statement in statements { try connection.execute(statement) }
        case .index(let index): try connection.execute(index.statement)
        }
      }
      try record(SchemaProgress(version: newest, step: 0))
      return .success(())
    }
  }

  /// Tries to take the advisory lock of the migration, for as long as its connection is open.
  ///
  /// The lock belongs to a transaction, so that it also holds behind a pooler. The transaction has
  /// released its snapshot, so that CREATE INDEX CONCURRENTLY does not wait for it. The lock is polled,
  /// since a connection waiting for it in the database would be waited for in turn.
  private func takeTurn(over connection: PostgresConnection) throws(StoreError) -> Bool {
    try connection.begin(.begin)
    let row = try connection.run(
      """
      SELECT CASE WHEN pg_try_advisory_xact_lock(hashtext(current_schema() || '.market_schema'))
        THEN 1::bigint ELSE 0::bigint END
      """
    ).first
    // Replaces the portal of the query above, which would retain its snapshot.
    try connection.execute("SELECT 1")
    if row?.integer(0) == 1 { return true }
    try connection.run("ROLLBACK")
    return false
  }

  private func progress(isHeld: Bool = false) throws(StoreError) -> SchemaProgress? {
    try connection.run(
      isHeld
        ? "SELECT version, step FROM market_schema WHERE id = 1 FOR UPDATE"
        : "SELECT version, step FROM market_schema WHERE id = 1"
    ).first.map { SchemaProgress(version: Int($0.integer(0)), step: Int($0.integer(1))) }
  }

  /// Runs one step of the next script, and records it.
  private func advance(from progress: SchemaProgress) throws(StoreError) {
    let script = scripts[progress.version - Schema.firstVersion + 1]
    var next = SchemaProgress(version: progress.version, step: progress.step + 1)
    if next.step >= script.steps.count {
      next = SchemaProgress(version: progress.version + 1, step: 0)
    }
    guard progress.step < script.steps.count else { return try record(next) }
    switch script.steps[progress.step] {
    case .index(let index):
      try make(index)
      try record(next)
    case .statements(let statements):
      try runInTurn(with: { () throws(StoreError) in
        // Another server goes on where this one has lost the connection with the lock.
        guard try self.progress(isHeld: true) == progress else { return }
        for statement in statements { try connection.execute(statement) }
        try record(next)
      })
    }
  }

  private func record(_ progress: SchemaProgress) throws(StoreError) {
    try connection.run(
      "UPDATE market_schema SET version = $1, step = $2 WHERE id = 1",
      [.integer(Int64(progress.version)), .integer(Int64(progress.step))])
  }

  /// Runs a body in a transaction with a short lock timeout; repeats it after a conflict.
  private func runInTurn(with body: () throws(StoreError) -> Void) throws(StoreError) {
    for _ in 1..<Self.lockAttempts {
      do throws(StoreError) {
        return try tryInTurn(body)
      } catch {
        guard error == .conflict else { throw error }
        sleep(1)
      }
    }
    try tryInTurn(body)
  }

  private func tryInTurn(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    _ = try connection.transact(.writing) { () throws(StoreError) -> Outcome<Void> in
      try connection.run("SET LOCAL lock_timeout = \(Self.lockMilliseconds)")
      try body()
      return .success(())
    }
  }

  /// Creates an index concurrently; drops an invalid one first that an interrupted run has left.
  private func make(_ index: SchemaIndex) throws(StoreError) {
    let found = try connection.run(
      """
      SELECT CASE WHEN indisvalid THEN 1::bigint ELSE 0::bigint END FROM pg_index
      WHERE indexrelid = to_regclass($1)
      """, [.text(index.name)]
    ).first
    if found?.integer(0) == 1 { return }
    if found != nil { try connection.execute("DROP INDEX CONCURRENTLY " + index.name) }
    try connection.execute(index.concurrentStatement)
  }
}

/// Script that migrates the tables to their next version, in steps that each run once.
///
/// A statement ends with `;` at the end of a line; a line that begins with `--` is a comment.
struct SchemaScript {
  enum Step: Equatable {
    /// Statements that run in one transaction.
    case statements([String])
    /// Index that is created concurrently, outside of a transaction.
    case index(SchemaIndex)
  }

  let steps: [Step]

  init(_ text: String) {
    let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("--") }
    let statements = (lines.joined(separator: "\n") + "\n").split(separator: ";\n").map(String.init)
      .filter { !$0.allSatisfy(\.isWhitespace) }
    var steps: [Step] = []
    for statement in statements {
      if let index = SchemaIndex(madeBy: statement) {
        steps.append(.index(index))
      } else if case .statements(let before) = steps.last {
        steps[steps.count - 1] = .statements(before + [statement])
      } else {
        steps.append(.statements([statement]))
      }
    }
    self.steps = steps
  }
}

/// Index that a script creates.
struct SchemaIndex: Equatable {
  let name: String
  /// Statement that creates it without blocking writers.
  let concurrentStatement: String
  /// Statement that creates it in a transaction, on new tables.
  let statement: String

  /// Nil where the statement creates something else.
  init?(madeBy statement: String) {
    let words = statement.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.first == "CREATE" else { return nil }
    let isUnique = words.dropFirst().first == "UNIQUE"
    let rest = words.dropFirst(isUnique ? 2 : 1)
    guard rest.first == "INDEX", let name = rest.dropFirst().first else { return nil }
    self.name = name
    self.statement = statement
    let kind = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
    concurrentStatement = kind + " CONCURRENTLY " + rest.dropFirst().joined(separator: " ")
  }
}
