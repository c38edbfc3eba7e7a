import MarketStore

extension PostgresConnection {
  /// The scripts that lead from each version of the tables to the next; in `Resources/schema`.
  private static let migrations = [
    PackageResources.postgres_1_sql, PackageResources.postgres_2_sql,
    PackageResources.postgres_3_sql, PackageResources.postgres_4_sql,
  ]

  /// Brings the tables to the newest version, however many servers do so at once: each locks the
  /// row that holds the version, and finds the work done once it has it.
  func migrate() throws(PostgresError) {
    if try currentVersion() == Self.migrations.count { return }
    try execute(
      """
      CREATE TABLE IF NOT EXISTS market_schema (
        id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL)
      """)
    try execute("INSERT INTO market_schema (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING")
    _ = try writing { () throws(PostgresError) -> Outcome<Void> in
      let row = try run("SELECT version FROM market_schema WHERE id = 1 FOR UPDATE").first
      let version = Int(row?.integer(0) ?? 0)
      guard version <= Self.migrations.count else { throw .newerVersion }
      for script in Self.migrations.dropFirst(version) {
        try execute(String(decoding: script, as: UTF8.self))
      }
      try run(
        "UPDATE market_schema SET version = $1 WHERE id = 1",
        [.integer(Int64(Self.migrations.count))])
      return .success(())
    }
  }

  /// The version of the tables; nil where there are none.
  private func currentVersion() throws(PostgresError) -> Int? {
    do {
      return try run("SELECT version FROM market_schema WHERE id = 1").first.map {
        Int($0.integer(0))
      }
    } catch .failed(state: "42P01") {
      return nil
    }
  }
}
