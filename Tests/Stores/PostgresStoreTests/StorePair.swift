import MarketStore
import PostgresStore
import PostgresTestSupport
import StoreCore
import TestSupport

/// One empty market in a file and one in a database, with the same clock.
struct StorePair: ~Copyable {
  let file: SQLiteStore
  let database: PostgresMarketStore
  private let folder: TemporaryFolder

  init(now: @escaping @Sendable () -> Int64 = { 1_750_000_000 }) async throws {
    let folder = try TemporaryFolder()
    let file = try await SQLiteStore.open(
      at: folder.path(of: "market.sqlite"), pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(
        createsFile: true, passwordCost: .least,
        busyMilliseconds: 30_000, now: now))
    var options = PostgresMarketStore.Options.forTests
    options.now = now
    // So that both count what filters leave of all finds of these tests.
    options.searchBounds.looked = 20_000
    database = try await TestCluster.emptyStore(options)
    self.file = file
    self.folder = folder
  }

  /// The file first.
  var both: [any StoredMarket] { [file, database] }
}
