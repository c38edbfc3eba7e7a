import Glibc
import SQLiteKit
import StoreCore
import TextCoding

/// Brings the tables of a database to the newest version, however many servers do so at once, and
/// without keeping those that use the database from writing.
///
/// An empty database gets everything in one transaction. Later each step of a script is done by one
/// server while the others wait, and what is done is written beside the version, so that the next
/// server goes on where one was stopped.
struct SchemaMigration {
  /// The scripts that lead from each version to the next; in `Resources/schema`.
  private static let scripts = ResourceFile.texts("schema/postgres", ".sql").map(SchemaScript.init)

  /// The version that this program works with.
  static var newestVersion: Int { scripts.count }

  /// The version of the tables behind a connection; nil where there are none.
  static func version(over connection: PostgresConnection) throws(StoreError) -> Int? {
    try TablesMigration(connection).version()
  }

  private let address: String
  private let connections: ConnectionPool

  init(of address: String, over connections: ConnectionPool) {
    self.address = address
    self.connections = connections
  }

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

/// Place of the tables in the scripts.
private struct SchemaState: Equatable {
  var version: Int
  /// Steps of the next script that are done.
  var step: Int
}

/// Migration over one connection.
private struct TablesMigration {
  /// While one server changes tables, others look again after this many microseconds.
  private static let turnPause: UInt32 = 200_000
  /// Time for which a statement waits for those that use a table, and keeps others waiting.
  private static let lockMilliseconds = 1_000
  /// Together ten minutes, in which others come to their turn between two waits.
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
      // No table of this name.
      guard error == .failed(state: "42P01") else { throw error }
      return nil
    }
  }

  /// Runs the scripts that are missing, of one for each version, and throws `.newerVersion` where
  /// the tables have a later one; `connect` makes another connection, which holds the turn.
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
      // The turn ends with the other connection.
      try connection.execute(
        "ALTER TABLE market_schema ADD COLUMN IF NOT EXISTS step bigint NOT NULL DEFAULT 0")
      while let place = try place(), place.version < scripts.count {
        try advance(from: place, by: scripts[place.version])
      }
      guard try version() ?? 0 <= scripts.count else { throw .newerVersion }
      return
    }
  }

  /// Makes the tables where there are none; the row of the version is locked meanwhile.
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

  /// Tries to be the one that changes tables, for as long as this connection is kept.
  ///
  /// The lock belongs to a transaction, so that a pooler keeps it too. The transaction has read all it
  /// will, so that no index waits for its end. Who waited for the lock in the database would be
  /// waited for in turn.
  private func takeTurn() throws(StoreError) -> Bool {
    try connection.begin(.begin)
    let row = try connection.run(
      """
      SELECT CASE WHEN pg_try_advisory_xact_lock(hashtext(current_schema() || '.market_schema'))
        THEN 1::bigint ELSE 0::bigint END
      """
    ).first
    // Takes the place of the answer above, with which the state that it saw would be kept.
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

  /// Does one step of a script, and takes note of it.
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
        // A server of an older version may have done it meanwhile, in its own way.
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

  /// Runs a body in a transaction that soon steps back where others hold what it needs.
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

  /// Makes an index while others write; one that was left unfinished is of no use, and goes.
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

/// One script that leads the tables to their next version, in steps of which each is done once.
///
/// A statement ends with `;` at the end of a line; a line that begins with `--` says something to
/// people.
struct SchemaScript {
  enum Step: Equatable {
    /// Statements that are run in one transaction.
    case statements([String])
    /// An index, which is made while others write, outside of any transaction.
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

/// An index that a script makes.
struct SchemaIndex: Equatable {
  let name: String
  /// Statement that makes it without keeping anybody from writing.
  let concurrentStatement: String
  /// Statement that makes it in a transaction, on tables that nobody uses yet.
  let statement: String

  /// Nil where the statement makes something else.
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
