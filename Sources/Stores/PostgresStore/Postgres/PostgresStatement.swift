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

/// The values of a statement while it is written.
struct StatementParameters {
  private(set) var values: [PostgresValue] = []

  /// Adds a value, or finds it again.
  ///
  /// - Parameter value: what a parameter stands for.
  /// - Returns: its name, as `$1`.
  mutating func add(_ value: PostgresValue) -> String {
    if let place = values.firstIndex(of: value) { return "$\(place + 1)" }
    values.append(value)
    return "$\(values.count)"
  }
}
