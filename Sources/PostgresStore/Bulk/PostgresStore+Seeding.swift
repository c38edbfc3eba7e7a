import MarketModel
import StoreCore

extension PostgresStore {
  package func seed(_ seed: SeedMarket) async throws(RepositoryError) {
    let words = words
    try await writing(isRepeatable: false) { connection throws(PostgresError) in
      .success(try connection.insert(seed, words: words))
    }
  }

  package func beginBulk() async throws(RepositoryError) {}

  /// Lets the database look over the tables, so that it plans by what is in them now.
  package func endBulk() async throws(RepositoryError) {
    do {
      try await searches.use { connection throws(PostgresError) in
        try connection.execute("BEGIN; SET LOCAL statement_timeout = 0; ANALYZE; COMMIT")
      }
    } catch {
      throw RepositoryError(error)
    }
  }
}
