internal import CPostgres
import Dispatch

/// Statements that need nothing of each other's answers go to the database together, so that one way
/// there and back does for all of them (libpq, "Pipeline Mode").
extension PostgresConnection {
  /// Sends a statement along with the next ones that are waited for.
  ///
  /// Nobody sees its rows. Where it fails, the database passes over those that follow, and who waits
  /// for them is told of this failure.
  func post(_ sql: String, _ values: [PostgresValue] = []) throws(PostgresError) {
    try post(PostgresStatement(sql, values))
  }

  func post(_ statement: PostgresStatement) throws(PostgresError) {
    if isKept(statement) { try prepare(statement) }
    try enqueue { sent(statement) }
  }

  /// Runs statements of which none needs what another answers.
  ///
  /// - Parameter statements: in the order in which they are run.
  /// - Returns: the rows of each.
  /// - Throws: the first failure, which may be that of a statement posted before.
  func run(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresRows] {
    // Preparing waits, which would lose the answers to those before.
    for statement in statements where isKept(statement) { try prepare(statement) }
    for statement in statements { try post(statement) }
    return try settle().suffix(statements.count)
  }

  /// Waits for the answers to all that was sent.
  @discardableResult
  func settle() throws(PostgresError) -> [PostgresRows] {
    guard unansweredCount > 0 else { return [] }
    try check(PQpipelineSync(pointer))
    var answers: [PostgresRows] = []
    var failure: PostgresError?
    for _ in 0..<unansweredCount {
      do throws(PostgresError) {
        answers.append(try rows())
      } catch {
        failure = failure ?? error
      }
    }
    unansweredCount = 0
    do throws(PostgresError) {
      try leavePipeline()
    } catch {
      failure = failure ?? error
    }
    if let failure { throw failure }
    return answers
  }

  /// Whether the statement is prepared once under a name of its own; behind a pooler another server's
  /// statement could have the name.
  private func isKept(_ statement: PostgresStatement) -> Bool {
    !statement.isPlannedAnew && !isPooled
  }

  private func prepare(_ statement: PostgresStatement) throws(PostgresError) {
    guard prepared[statement.sql] == nil else { return }
    let name = "s\(prepared.count)"
    let types = statement.values.map(\.type)
    try enqueue { PQsendPrepare(pointer, name, statement.sql, Int32(types.count), types) }
    try settle()
    prepared[statement.sql] = name
  }

  private func enqueue(_ send: () -> Int32) throws(PostgresError) {
    if unansweredCount == 0 { try check(PQenterPipelineMode(pointer)) }
    try check(send())
    unansweredCount += 1
  }

  private func sent(_ statement: PostgresStatement) -> Int32 {
    Self.withParameters(statement.values) { count, values, lengths, formats in
      if let name = prepared[statement.sql], isKept(statement) {
        return PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 1)
      }
      let types = statement.values.map(\.type)
      return PQsendQueryParams(
        pointer, statement.sql, count, types, values, lengths, formats, 1)
    }
  }

  /// Takes the end of what was sent together.
  private func leavePipeline() throws(PostgresError) {
    try wait(until: deadline)
    PQclear(PQgetResult(pointer))
    try check(PQexitPipelineMode(pointer))
  }
}
