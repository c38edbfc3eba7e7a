/// How connections to a database behave.
struct PostgresOptions: Sendable {
  /// What a statement may take, and how long a free connection is waited for.
  var patienceMilliseconds: Int
  /// Further settings of a session, `name = value` each.
  var furtherSettings: [String] = []

  /// What each session begins with.
  var settings: [String] {
    [
      "statement_timeout = \(patienceMilliseconds)",
      "idle_in_transaction_session_timeout = \(patienceMilliseconds * 2)",
    ] + furtherSettings
  }
}
