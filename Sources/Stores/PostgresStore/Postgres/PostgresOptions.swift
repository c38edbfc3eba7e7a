/// How connections to a database behave.
struct PostgresOptions: Sendable {
  /// What a statement may take, and how long a free connection is waited for.
  var patienceMilliseconds: Int
  /// Whether the database itself ends statements that take longer.
  var limitsStatements = true
  /// Further settings of a session, `name = value` each.
  var furtherSettings: [String] = []

  /// What changes tables: as long as it takes.
  static let unhurried = PostgresOptions(
    patienceMilliseconds: 7 * 86_400_000, limitsStatements: false)

  /// What each session begins with.
  var settings: [String] {
    let limit = limitsStatements ? patienceMilliseconds : 0
    return [
      "statement_timeout = \(limit)", "idle_in_transaction_session_timeout = \(limit * 2)",
    ] + furtherSettings
  }
}
