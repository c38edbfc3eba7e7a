import Glibc
import SQLiteKit
import StoreCore
import TextCoding

/// Migration of a database's tables to the current version, with any number of servers starting at once,
/// and without blocking writers.
///
/// An empty database is created in one transaction. Later each step of a script is run by one server
/// while the others wait, and is recorded beside the version, so that another server can continue an
/// interrupted migration.
/// Every call throws the `StoreError` of its statement.
struct SchemaMigration {
  /// The scripts from each version to the next, in `Resources/schema`.
  private static let scripts = ResourceFile.texts(
    "schema/postgres", ".sql", from: Schema.firstVersion
  ).map(SchemaScript.init)

  /// The version of the tables that this program uses.
  static var newestVersion: Int { scripts.count }

  /// The version of the tables of a connection; nil where there are none.
  static func version(over connection: PostgresConnection) throws(StoreError) -> Int? {
    try TablesMigration(connection).version()
  }

  private let address: String
  private let connections: ConnectionPool

  init(of address: String, over connections: ConnectionPool) {
    self.address = address
    self.connections = connections
  }

  /// Runs the missing scripts.
  /// - Throws: `.newerVersion` where the tables have a later version; `.conflict` where a table stays
  ///   locked; what `ConnectionPool.retrying(isRepeatable:_:)` throws.
  func run() async throws(StoreError) {
    let newest = Self.scripts.count
    let version = try await connections.retrying { connection throws(StoreError) in
      try TablesMigration(connection).version()
    }
    if let version, version > newest { throw .newerVersion }
    if version == newest { return }
    let address = address
    let unhurried = ConnectionPool("schema", count: 1, to: address, options: .unhurried)
    try await unhurried.retrying { connection throws(StoreError) in
      try TablesMigration(connection).migrate(by: Self.scripts) { () throws(StoreError) in
        try PostgresConnection(to: address, .unhurried)
      }
    }
  }
}

/// Progress of a migration.
private struct SchemaState: Equatable {
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

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// The version of the tables; nil where there are none.
  func version() throws(StoreError) -> Int? {
    do {
      return try connection.run("SELECT version FROM market_schema WHERE id = 1").first.map {
        Int($0.integer(0))
      }
    } catch {
      // 42P01: the table does not exist.
      guard error == .failed(state: "42P01") else { throw error }
      return nil
    }
  }

  /// Runs the missing scripts, one for each version; `connect` makes another connection, which holds the
  /// advisory lock.
  /// - Throws: `.newerVersion` where the tables have a later version; `.conflict` where a table stays
  ///   locked.
  func migrate(
    by scripts: [SchemaScript], connect: () throws(StoreError) -> PostgresConnection
  ) throws(StoreError) {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS market_schema (
        id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL)
      """)
    try connection.execute(
      "INSERT INTO market_schema (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING")
    try makeTables(by: scripts)
    guard try version() != scripts.count else { return }
    let other = try connect()
    defer { withExtendedLifetime(other) {} }
    while try version() != scripts.count {
      guard try TablesMigration(other).takeTurn() else {
        usleep(Self.turnPause)
        continue
      }
      // The lock is released with the other connection.
      try connection.execute(
        "ALTER TABLE market_schema ADD COLUMN IF NOT EXISTS step bigint NOT NULL DEFAULT 0")
      while let place = try place(), place.version < scripts.count {
        try advance(from: place, by: scripts[place.version])
      }
      guard try version() ?? 0 <= scripts.count else { throw .newerVersion }
      return
    }
  }

  /// Creates the tables where there are none; the row of the version is locked meanwhile.
  private func makeTables(by scripts: [SchemaScript]) throws(StoreError) {
    _ = try connection.transact(.writing) { () throws(StoreError) -> Outcome<Void> in
      let row = try connection.run("SELECT version FROM market_schema WHERE id = 1 FOR UPDATE")
        .first
      guard row?.integer(0) == 0 else { return .success(()) }
      for step in scripts.flatMap(\.steps) {
        switch step {
        case .statements(let statements):
          for statement in statements { try connection.execute(statement) }
        case .index(let index): try connection.execute(index.statement)
        }
      }
      try connection.run(
        "UPDATE market_schema SET version = $1 WHERE id = 1", [.integer(Int64(scripts.count))])
      return .success(())
    }
  }

  /// Tries to take the advisory lock of the migration, for as long as this connection is open.
  ///
  /// The lock belongs to a transaction, so that it also holds behind a pooler. The transaction has
  /// released its snapshot, so that CREATE INDEX CONCURRENTLY does not wait for it. The lock is polled,
  /// since a connection waiting for it in the database would be waited for in turn.
  private func takeTurn() throws(StoreError) -> Bool {
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

  private func place(isHeld: Bool = false) throws(StoreError) -> SchemaState? {
    try connection.run(
      isHeld
        ? "SELECT version, step FROM market_schema WHERE id = 1 FOR UPDATE"
        : "SELECT version, step FROM market_schema WHERE id = 1"
    ).first.map { SchemaState(version: Int($0.integer(0)), step: Int($0.integer(1))) }
  }

  /// Runs one step of a script, and records it.
  private func advance(
    from place: SchemaState, by script: SchemaScript
  ) throws(StoreError) {
    var next = SchemaState(version: place.version, step: place.step + 1)
    if next.step >= script.steps.count { next = SchemaState(version: place.version + 1, step: 0) }
    guard place.step < script.steps.count else { return try move(to: next) }
    switch script.steps[place.step] {
    case .index(let index):
      try make(index)
      try move(to: next)
    case .statements(let statements):
      try runInTurn(with: { () throws(StoreError) in
        // A server of an older version may have run it meanwhile, without steps.
        guard try self.place(isHeld: true) == place else { return }
        for statement in statements { try connection.execute(statement) }
        try move(to: next)
      })
    }
  }

  private func move(to place: SchemaState) throws(StoreError) {
    try connection.run(
      "UPDATE market_schema SET version = $1, step = $2 WHERE id = 1",
      [.integer(Int64(place.version)), .integer(Int64(place.step))])
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
