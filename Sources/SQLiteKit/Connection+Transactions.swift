internal import CSQLite
import Glibc

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
    try checkPlace()
    return try transaction(begin: "BEGIN IMMEDIATE", body)
  }

  /// Runs a body that writes and may refuse; what it did before it refused is undone.
  package func writingUnlessRefused<Success, Refusal: Error>(
    _ body: () throws(DatabaseError) -> Result<Success, Refusal>
  ) throws(DatabaseError) -> Result<Success, Refusal> {
    try checkPlace()
    return try transaction(begin: "BEGIN IMMEDIATE", body) { result in
      if case .success = result { true } else { false }
    }
  }

  /// What is written to a file that was deleted or moved away would be gone with the program.
  package func checkPlace() throws(DatabaseError) {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    if code == SQLITE_OK, hasMoved != 0 { throw .cannotOpen(String(cString: strerror(ENOENT))) }
  }

  /// Runs a body between begin and commit, unless it throws or its result is not to be kept.
  private func transaction<Result>(
    begin: String, _ body: () throws(DatabaseError) -> Result,
    keeps: (Result) -> Bool = { _ in true }
  ) throws(DatabaseError) -> Result {
    try run(begin)
    do {
      let result = try body()
      if keeps(result) { try run("COMMIT") } else { rollBack() }
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
