import MarketModel
import MarketStore
import PostgresStore
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

/// What whoever runs a market in a database does.
@Suite(.enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)))
struct DatabaseOperatingTests {
  private func open(_ address: String) async throws -> PostgresStore {
    try await PostgresStore.open(
      at: address, pictureProcessor: PassThroughPictureProcessor(), options: .forTests)
  }

  @Test func `the program's orders reach the database, each with a line of log`() async throws {
    let address = try #require(TestCluster.shared).emptySchema()
    let store = try await open(address)
    let id = try await store.register(.sample()).id.rawValue
    let market = try ChildProcess.path(of: "market")
    let script = """
      exec 2>&1
      export LANG=C.UTF-8 HOME=/nonexistent
      echo an-identifier | \(market) seller set --id 6 --name 'Hana & Co' --store "$1"
      \(market) seller block 6 --store "$1"
      \(market) remove \(id) 99 --store "$1"
      echo status $?
      """

    let shell = try ChildProcess("/bin/sh", arguments: ["-c", script, "sh", address])
    var lines: [String] = []
    while let line = shell.readLine() { lines.append(line) }

    let words = [
      " operator seller-set 6 ok", "Hana & Co is seller 6", " operator seller-block 6 ok",
      "Blocked Hana & Co (seller 6)", " operator remove \(id) ok", " operator remove 99 not-found",
      "Removed product \(id): Bicycle", "market-server: There is no product 99", "status 4",
    ]
    #expect(lines.count == words.count)
    for (line, word) in zip(lines, words) { #expect(line.contains(word)) }
    let seller = SellerIdentifier(secret: "an-identifier")
    #expect(try await store.seller(of: seller)?.name == "Hana & Co")
    await #expect(throws: RepositoryError.blocked) {
      try await store.register(.sample(), by: .seller(seller))
    }
  }

  @Test func `a database without blocks and without what keys came with goes on as it was`()
    async throws
  {
    let cluster = try #require(TestCluster.shared)
    let address = try cluster.emptySchema()
    let key = IdempotencyKey(rawValue: "an old intent")
    let old = try await open(address)
    let kept = try await old.register(.sample(), by: .guest, key: key)
    try cluster.run(
      """
      ALTER TABLE seller DROP COLUMN blocked; \
      ALTER TABLE idempotency DROP COLUMN digest, DROP COLUMN pictures; \
      UPDATE market_schema SET version = 3;
      """, at: address)

    let store = try await open(address)

    // Nobody knows what the old key came with.
    #expect(try await store.register(.sample(name: "Cup"), by: .guest, key: key) == kept)
    _ = try await store.remove(kept.id)
    await #expect(throws: RepositoryError.notFound) {
      try await store.register(.sample(), by: .guest, key: key)
    }
  }
}
