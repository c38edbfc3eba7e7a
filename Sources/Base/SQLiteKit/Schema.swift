/// The tables of one kind of database file, version by version.
package struct Schema: Sendable {
  /// Marks files of this kind (https://www.sqlite.org/pragma.html#pragma_application_id).
  package let applicationID: Int32
  /// The scripts that lead from each version to the next; the first makes an empty file version 1.
  package let migrations: [String]

  package init(applicationID: Int32, migrations: [String]) {
    self.applicationID = applicationID
    self.migrations = migrations
  }

  /// State of a file: what it needs before it can be used.
  package enum State: Hashable, Sendable {
    /// The file holds nothing yet.
    case empty
    case outdated
    case current
  }
}

extension Connection {
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
    guard version <= schema.migrations.count else { throw .newerVersion }
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
      let version = Int(try integer("PRAGMA user_version") ?? 0)
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
