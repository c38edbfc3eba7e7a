/// One statement with what its parameters stand for.
struct PostgresStatement: Sendable {
  /// Its parameters are `$1`, `$2` and so on.
  let sql: String
  /// Always of the same types.
  let values: [PostgresValue]
  /// Whether it is planned anew each time, for these very values, and not prepared once.
  let isPlannedAnew: Bool

  init(_ sql: String, _ values: [PostgresValue] = [], isPlannedAnew: Bool = false) {
    self.sql = sql
    self.values = values
    self.isPlannedAnew = isPlannedAnew
  }

  /// Begins a transaction that only reads, and sees one state of the database.
  static let beginReading = PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")

  static let begin = PostgresStatement("BEGIN")

  static let commit = PostgresStatement("COMMIT")
}
