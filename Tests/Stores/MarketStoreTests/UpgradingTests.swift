import MarketModel
import MarketStore
import SQLiteKit
import StoreCore
import TestSupport
import Testing

/// Market files of the version before.
@Suite struct UpgradingTests {
  @Test func `a file without blocks and without what keys came with goes on as it was`()
    async throws
  {
    let folder = try TemporaryFolder()
    let key = IdempotencyKey(rawValue: "an old intent")
    let old = try await SQLiteStore.temporary(in: folder)
    let kept = try await old.register(.sample(), by: .guest, key: key)
    try Connection(opening: folder.path(of: "market.sqlite"), .init()).execute(
      """
      ALTER TABLE seller DROP COLUMN blocked;
      ALTER TABLE idempotency DROP COLUMN digest;
      ALTER TABLE idempotency DROP COLUMN pictures;
      PRAGMA user_version = 5;
      """)

    let store = try await SQLiteStore.temporary(in: folder)

    // Nobody knows what the old key came with.
    #expect(try await store.register(.sample(name: "Cup"), by: .guest, key: key) == kept)
    _ = try await store.setBlocked(true, Seller.guest.id)
    await #expect(throws: RepositoryError.blocked) { try await store.register(.sample()) }
    _ = try await store.setBlocked(false, Seller.guest.id)
    _ = try await store.remove(kept.id)
    await #expect(throws: RepositoryError.notFound) {
      try await store.register(.sample(), by: .guest, key: key)
    }
  }
}
