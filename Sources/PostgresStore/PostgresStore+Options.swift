import Glibc
import MarketModel
import StoreCore

/// Makes an empty market file.
package typealias MarketFileMaking =
  @Sendable (_ path: String) async throws(RepositoryError) -> any MarketArchive

extension PostgresStore {
  /// How a store is opened and what it takes from outside.
  package struct Options: Sendable {
    /// How texts are made comparable in searches; always the same for one database.
    package var fold: TextFolding
    /// Makes the market file that a backup is written to, at a path where there is none.
    package var makeFile: MarketFileMaking
    package var passwordCost: PasswordHasher.Cost
    /// Connections for everything but searches.
    package var connectionCount: Int
    package var searchConnectionCount: Int
    /// What a statement may take, and how long a free connection is waited for.
    package var patienceMilliseconds: Int
    /// The same for searches: words that are nearly everywhere take long to count.
    package var searchPatienceMilliseconds: Int
    /// The clock, in seconds since 1970 in UTC.
    package var now: @Sendable () -> Int64

    package init(
      fold: @escaping TextFolding, makeFile: @escaping MarketFileMaking,
      passwordCost: PasswordHasher.Cost = .standard,
      connectionCount: Int = 8, searchConnectionCount: Int = 2, patienceMilliseconds: Int = 5_000,
      searchPatienceMilliseconds: Int = 5_000,
      now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) {
      self.fold = fold
      self.makeFile = makeFile
      self.passwordCost = passwordCost
      self.connectionCount = connectionCount
      self.searchConnectionCount = searchConnectionCount
      self.patienceMilliseconds = patienceMilliseconds
      self.searchPatienceMilliseconds = searchPatienceMilliseconds
      self.now = now
    }
  }
}
