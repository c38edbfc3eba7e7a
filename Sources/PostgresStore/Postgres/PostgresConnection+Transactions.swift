extension PostgresConnection {
  /// Begins a transaction; behind a pooler it is told the settings that else a session is told.
  func begin(_ statement: PostgresStatement) throws(PostgresError) {
    try post(statement)
    guard isPooled else { return }
    for setting in settings { try post("SET LOCAL " + setting) }
  }

  /// Runs a body of one statement that reads, which needs no transaction unless only those can be
  /// told settings.
  func asking<Result>(
    _ body: () throws(PostgresError) -> Result
  ) throws(PostgresError) -> Result {
    isPooled ? try reading(body) : try body()
  }

  /// Runs a body that reads, so that all its statements see one state of the database.
  ///
  /// - Parameter body: may end the transaction itself, by `.commit` behind its last statements.
  /// - Returns: what the body returned.
  /// - Throws: what the database answered.
  func reading<Result>(
    _ body: () throws(PostgresError) -> Result
  ) throws(PostgresError) -> Result {
    do {
      try begin(.beginReading)
      let result = try body()
      if isInTransaction { try run(.commit) }
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs a body that writes and may refuse; what it did before it refused is undone.
  func writing<Success, Refusal: Error>(
    _ body: () throws(PostgresError) -> Result<Success, Refusal>
  ) throws(PostgresError) -> Result<Success, Refusal> {
    let result: Result<Success, Refusal>
    do {
      try begin(.begin)
      result = try body()
    } catch {
      rollBack()
      throw error
    }
    switch result {
    case .success: try commit()
    case .failure: rollBack()
    }
    return result
  }

  /// Commits, along with what was posted last.
  private func commit() throws(PostgresError) {
    do {
      try run(.commit)
    } catch .disconnected {
      throw .commitUnknown
    } catch .timedOut where isBroken {
      // The connection was cut; where the database itself gave up, nothing has happened.
      throw .commitUnknown
    } catch {
      rollBack()
      throw error
    }
  }

  /// Leaves no transaction behind; a connection on which that fails is not used again.
  private func rollBack() {
    // What was posted and fails is rolled back as well.
    _ = try? settle()
    guard !isBroken, isInTransaction else { return }
    // Where it fails the connection is still in its transaction, and is given up for that.
    try? execute("ROLLBACK")
  }
}
