internal import CSQLite

extension Connection {
  /// Runs a body that reads, so that all its statements see one state of the database.
  package func reading<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try transaction(begin: "BEGIN", body)
  }

  /// Runs a body that writes; all it did is on the disk when this returns, or nothing at all.
  package func writing<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try transaction(begin: "BEGIN IMMEDIATE", body)
  }

  /// Runs a body that writes and may refuse; what it did before it refused is undone.
  package func writingUnlessRefused<Success, Refusal: Error>(
    _ body: () throws(DatabaseError) -> Result<Success, Refusal>
  ) throws(DatabaseError) -> Result<Success, Refusal> {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
      switch result {
      case .success: try run("COMMIT")
      case .failure: rollBack()
      }
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  private func transaction<Result>(
    begin: String, _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try run(begin)
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Some errors have rolled back by themselves, and then there is nothing left to do.
  private func rollBack() {
    guard sqlite3_get_autocommit(database) == 0 else { return }
    sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
  }
}
