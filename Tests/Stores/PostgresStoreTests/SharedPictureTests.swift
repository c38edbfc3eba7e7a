import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// One picture, while several transactions name it or let go of it.
@Suite(.cluster) struct SharedPictureTests {
  private let photo = PictureFile.jpeg(1)
  private let address: String
  private let store: PostgresMarketStore

  init() async throws {
    address = try #require(TestCluster.shared).emptySchema()
    store = try await PostgresMarketStore.open(at: address)
  }

  /// A transaction that is about to name the picture, and the picture's id.
  private func naming() throws -> (transaction: PostgresConnection, picture: Int64) {
    let connection = try PostgresConnection(to: address)
    try connection.begin(.begin)
    let keys = try connection.read(connection.pictures.lockedKeys(of: [ContentHash.of(photo)]))
    return (connection, try #require(keys.values.first))
  }

  /// Returns once a session of this schema waits for a lock.
  private func awaitWaiting() async throws {
    let watcher = try PostgresConnection(to: address)
    let waiting: SQL = """
      SELECT count(*) FROM pg_locks JOIN pg_class ON pg_class.oid = relation
      WHERE relname = 'picture' AND relnamespace = current_schema()::regnamespace
        AND pid IN (SELECT pid FROM pg_locks WHERE NOT granted)
      """
    while try watcher.integer(waiting) == 0 { await Task.yield() }
  }

  @Test func `products are registered while another transaction names their picture`() async throws
  {
    _ = try await store.register(.sample(pictures: [photo]))
    let (transaction, picture) = try naming()

    let registered = try await store.register(.sample(pictures: [photo]))

    expect(registered.pictures.map(\.number), [picture])
    try transaction.run("ROLLBACK")
  }

  @Test func `one of two products goes while another transaction names their picture`() async throws
  {
    let first = try await store.register(.sample(pictures: [photo]))
    let second = try await store.register(.sample(pictures: [photo]))
    let (transaction, _) = try naming()

    _ = try await store.remove(first.id)

    try await expect(store.detail(of: second.id).pictures, first.pictures)
    try transaction.run("ROLLBACK")
  }

  @Test func `a picture that is about to be named stays when its last product goes`() async throws {
    let first = try await store.register(.sample(pictures: [photo]))
    let second = try await store.register(.sample(pictures: [PictureFile.jpeg(2)]))
    let (transaction, picture) = try naming()
    let removal = Task { [store] in try await store.remove(first.id) }
    try await awaitWaiting()

    try transaction.run(
      "INSERT INTO product_picture (product, position, picture) VALUES ($1, 1, $2)",
      [.integer(second.id.rawValue), .integer(picture)])
    try transaction.run("COMMIT")

    _ = try await removal.value
    try await expect(store.detail(of: second.id).pictures.last, first.pictures.first)
    _ = try await store.picture(at: first.pictures[0].original, .original)
  }
}
