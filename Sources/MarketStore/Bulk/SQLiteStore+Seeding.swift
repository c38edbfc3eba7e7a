import MarketModel
import SQLiteKit
import StoreCore

extension SQLiteStore {
  package func seed(_ seed: SeedMarket) async throws(RepositoryError) {
    let words = words
    try await write { connection throws(DatabaseError) in
      try connection.writing { () throws(DatabaseError) in
        try connection.insert(seed, words: words)
      }
    }
  }

  package func beginBulk() async throws(RepositoryError) {
    try await write { connection throws(DatabaseError) in try connection.beginBulk() }
  }

  package func endBulk() async throws(RepositoryError) {
    try await write { connection throws(DatabaseError) in try connection.endBulk() }
  }
}
