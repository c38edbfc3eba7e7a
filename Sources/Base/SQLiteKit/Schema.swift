/// Tables of one kind of database file, with the migrations between versions.
package struct Schema: Sendable {
  /// Marks files of this kind (https://www.sqlite.org/pragma.html#pragma_application_id).
  package let applicationID: Int32
  /// Script from each version to the next; the first creates `firstVersion` in an empty file.
  package let migrations: [String]
  /// Version of the tables of the first release; lower ones are refused.
  package static let firstVersion = 101
  /// Added to the version of a file without its late indexes.
  fileprivate static let unfinished: Int64 = 1_000_000

  /// Name prefix of indexes that may be created after all rows are inserted; nil for none.
  private let late: String?

  package init(applicationID: Int32, migrations: [String], late: String? = nil) {
    self.applicationID = applicationID
    self.migrations = migrations
    self.late = late
  }

  /// The version that all migrations lead to.
  package var newestVersion: Int { Self.firstVersion + migrations.count - 1 }

  /// The migrations that a file of a version lacks; version 0 is an empty file.
  package func migrations(after version: Int) -> ArraySlice<String> {
    migrations.dropFirst(version == 0 ? 0 : version - Self.firstVersion + 1)
  }

  /// Indexes of a version that may be missing while an empty file is filled, with the statements that create
  /// them.
  ///
  /// Computed on demand, as parsing all scripts takes longer than opening a file.
  fileprivate func lateIndexes(
    ofVersion version: Int64
  ) -> [(name: Substring, statement: Substring)] {
    guard let late else { return [] }
    let beginning = "CREATE INDEX "
    let scripts = migrations.prefix(Int(version) - Self.firstVersion + 1)
    return scripts.flatMap { $0.split(separator: ";") }.compactMap { statement in
      guard let start = statement.firstRange(of: beginning + late)?.lowerBound else { return nil }
      let statement = statement[start...]
      return (statement.dropFirst(beginning.count).prefix { $0 != " " }, statement)
    }
  }

  package enum State: Hashable, Sendable {
    /// The file has no content yet.
    case empty
    case outdated
    case current
  }
}

extension SQLiteConnection {
  /// Returns the state of a file, without changing it.
  ///
  /// - Throws: `.foreign` for a file of another kind or with triggers or views, which no schema has;
  ///   `.newerVersion`; `.beforeFirstRelease`; what `run(_:_:)` throws.
  package func state(of schema: Schema) throws(StoreError) -> Schema.State {
    // One statement, since another program may migrate the file between two.
    let header = try first(
      """
      SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema),
        (SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view'))
      FROM pragma_application_id, pragma_user_version
      """
    ) { row in (row.integer(0), row.integer(1), row.integer(2), row.integer(3)) }
    guard let (kind, version, objects, programs) = header else { throw .foreign }
    if objects == 0, kind == 0, version == 0 { return .empty }
    guard kind == Int64(schema.applicationID), programs == 0 else { throw .foreign }
    let tables = version % Schema.unfinished
    guard tables >= Schema.firstVersion else { throw .beforeFirstRelease }
    guard tables <= schema.newestVersion, version < Schema.unfinished * 2 else {
      throw .newerVersion
    }
    return version == schema.newestVersion ? .current : .outdated
  }

  /// Migrates a file to the newest version, in one transaction.
  ///
  /// Within it, `fill` is called for an empty file, and `convert` with its version for an
  /// outdated one, for changes beyond SQL scripts.
  ///
  /// - Throws: what `state(of:)`, `fill` and `convert` throw; `.conflict` where another connection holds
  ///   the file; `.readOnly`; `.full`.
  package func migrate(
    to schema: Schema, filling fill: () throws(StoreError) -> Void = {},
    converting convert: (_ version: Int) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) {
    _ = try state(of: schema)
    try useWriteAheadLog()
    try writing { () throws(StoreError) in
      // Another program may have migrated it meanwhile.
      let state = try state(of: schema)
      try makeLateIndexes(of: schema)
      let version = Int(try version(of: schema))
      for migration in schema.migrations(after: version) { try execute(migration) }
      try execute(
        """
        PRAGMA application_id = \(schema.applicationID);
        PRAGMA user_version = \(schema.newestVersion);
        """)
      switch state {
      case .empty: try fill()
      case .outdated: try convert(version)
      case .current: break
      }
    }
  }
}

// MARK: Late indexes

/// - Throws: every call throws the `StoreError` of its statement.
extension SQLiteConnection {
  /// Returns the version of a file's tables, with or without late indexes.
  package func version(of schema: Schema) throws(StoreError) -> Int64 {
    (try integer("PRAGMA user_version") ?? 0) % Schema.unfinished
  }

  /// Drops the late indexes of a file, which are cheaper to build at once than row by row; false
  /// where other connections, which need them, have the file open.
  ///
  /// The next `migrate` creates them again.
  package func dropLateIndexes(of schema: Schema) throws(StoreError) -> Bool {
    // Leaving the WAL mode requires exclusive access.
    do throws(StoreError) {
      try execute("PRAGMA journal_mode = DELETE")
    } catch .conflict {
      return false
    }
    try writing { () throws(StoreError) in
      let version = try version(of: schema)
      for index in schema.lateIndexes(ofVersion: version) {
        try execute("DROP INDEX \(index.name)")
      }
      try execute("PRAGMA user_version = \(version + Schema.unfinished)")
    }
    try useWriteAheadLog()
    return true
  }

  /// Creates missing late indexes, in the caller's transaction.
  package func makeLateIndexes(of schema: Schema) throws(StoreError) {
    guard try integer("PRAGMA user_version") ?? 0 >= Schema.unfinished else { return }
    let version = try version(of: schema)
    for index in schema.lateIndexes(ofVersion: version) { try execute(String(index.statement)) }
    try execute("PRAGMA user_version = \(version)")
  }
}
