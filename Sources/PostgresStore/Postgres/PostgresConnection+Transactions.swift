extension PostgresConnection {
  /// Runs a body that reads, so that all its statements see one state of the database.
  func reading<Result>(
    _ body: () throws(PostgresError) -> Result
  ) throws(PostgresError) -> Result {
    try beginReading()
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Begins a transaction that only reads, and sees one state of the database.
  func beginReading() throws(PostgresError) {
    try run("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
  }

  /// Runs a body that writes and may refuse; what it did before it refused is undone.
  func writing<Success, Refusal: Error>(
    _ body: () throws(PostgresError) -> Result<Success, Refusal>
  ) throws(PostgresError) -> Result<Success, Refusal> {
    try run("BEGIN")
    let result: Result<Success, Refusal>
    do {
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

  private func commit() throws(PostgresError) {
    do {
      try run("COMMIT")
    } catch .disconnected, .timedOut {
      throw .commitUnknown
    } catch {
      rollBack()
      throw error
    }
  }

  /// Leaves no transaction behind; a connection on which that fails is not used again.
  private func rollBack() {
    guard !isBroken, isInTransaction else { return }
    // Where it fails the connection is still in its transaction, and is given up for that.
    try? execute("ROLLBACK")
  }
}
