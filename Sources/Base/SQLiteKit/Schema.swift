/// The tables of one kind of database file, version by version.
package struct Schema: Sendable {
  /// Marks files of this kind (https://www.sqlite.org/pragma.html#pragma_application_id).
  package let applicationID: Int32
  /// The scripts that lead from each version to the next; the first makes an empty file version 1.
  package let migrations: [String]
  /// Added to the version of a file whose late indexes are missing: to programs that do not know of
  /// this it is of a newer version.
  fileprivate static let unfinished: Int64 = 1_000_000

  /// Beginning of the names of indexes that may be made after all rows are there; nil for none.
  private let late: String?

  package init(applicationID: Int32, migrations: [String], late: String? = nil) {
    self.applicationID = applicationID
    self.migrations = migrations
    self.late = late
  }

  /// Indexes that may be missing while an empty file is filled, with the statements that make them.
  ///
  /// Found when they are asked for, since going through all scripts takes longer than to open a file.
  fileprivate var lateIndexes: [(name: Substring, statement: Substring)] {
    guard let late else { return [] }
    let beginning = "CREATE INDEX "
    return migrations.flatMap { $0.split(separator: ";") }.compactMap { statement in
      guard let start = statement.firstRange(of: beginning + late)?.lowerBound else { return nil }
      let statement = statement[start...]
      return (statement.dropFirst(beginning.count).prefix { $0 != " " }, statement)
    }
  }

  /// State of a file: what it needs before it can be used.
  package enum State: Hashable, Sendable {
    /// The file holds nothing yet.
    case empty
    case outdated
    case current
  }
}

extension SQLiteConnection {
  /// Looks whether a file is of this kind, without changing it.
  ///
  /// Throws `.foreign` where it is of another kind or holds triggers or views, which no version of
  /// a schema has, and `.newerVersion`.
  package func state(of schema: Schema) throws(DatabaseError) -> Schema.State {
    // One statement, since another program may be migrating the file between two.
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
    guard version % Schema.unfinished <= schema.migrations.count,
      version < Schema.unfinished * 2
    else { throw .newerVersion }
    return version == schema.migrations.count ? .current : .outdated
  }

  /// Brings a file to the newest version, in one transaction.
  ///
  /// Inside the transaction `fill` is called where the file was empty, and `convert` with its version
  /// where it was outdated, for what no script can do. Throws as `state(of:)`.
  package func migrate(
    to schema: Schema, filling fill: () throws(DatabaseError) -> Void = {},
    converting convert: (_ old: Int) throws(DatabaseError) -> Void = { _ in }
  ) throws(DatabaseError) {
    _ = try state(of: schema)
    try useWriteAheadLog()
    try writing { () throws(DatabaseError) in
      // Another program may have been faster.
      let state = try state(of: schema)
      try makeLateIndexes(of: schema)
      let version = Int(try version(of: schema))
      for migration in schema.migrations.dropFirst(version) { try execute(migration) }
      try execute(
        """
        PRAGMA application_id = \(schema.applicationID);
        PRAGMA user_version = \(schema.migrations.count);
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

extension SQLiteConnection {
  /// The version of a file's tables, whether all indexes are there or not.
  package func version(of schema: Schema) throws(DatabaseError) -> Int64 {
    (try integer("PRAGMA user_version") ?? 0) % Schema.unfinished
  }

  /// Takes the late indexes of a file away, which cost more row by row than all at once; false where
  /// others have the file open, who need them.
  ///
  /// Whoever opens the file from now on makes them (`migrate`), or takes it for one of a newer version.
  package func dropLateIndexes(of schema: Schema) throws(DatabaseError) -> Bool {
    // Only who is alone can end the log.
    do throws(DatabaseError) {
      try execute("PRAGMA journal_mode = DELETE")
    } catch .busy {
      return false
    }
    try writing { () throws(DatabaseError) in
      for index in schema.lateIndexes { try execute("DROP INDEX \(index.name)") }
      let version = try version(of: schema) + Schema.unfinished
      try execute("PRAGMA user_version = \(version)")
    }
    try useWriteAheadLog()
    return true
  }

  /// Makes the late indexes where they are missing, in the transaction of the caller.
  package func makeLateIndexes(of schema: Schema) throws(DatabaseError) {
    guard try integer("PRAGMA user_version") ?? 0 >= Schema.unfinished else { return }
    for index in schema.lateIndexes { try execute(String(index.statement)) }
    let version = try version(of: schema)
    try execute("PRAGMA user_version = \(version)")
  }
}
