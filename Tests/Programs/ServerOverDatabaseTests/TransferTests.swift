import MarketModel
import MarketTransfer
import PostgresStore
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// Markets that go from a file into a database and back.
@Suite(.cluster) struct TransferTests {
  @Test func `a run that was cut short is repeated without doubles`() async throws {
    let markets = try TransferMarkets()
    let lines = (1...1_200).map { #"{"name":"mug \#($0 % 100)","price":\#($0)}"# }
    try markets.write(lines.joined(separator: "\n"), to: "a.ndjson")
    let cluster = try TestCluster()
    let database = try await PostgresMarketStore.open(at: cluster.emptySchema())

    let short = InterruptedMarket(database) { number throws(RepositoryError) in
      if number == 2 { throw .store(.diskFull) }
    }
    await #expect(throws: TransferError.market(.store(.diskFull))) {
      _ = try await markets.importing("a.ndjson", into: short)
    }
    // What happens to the database does not end a run.
    let restarted = InterruptedMarket(database) { _ in try? cluster.restart() }
    let (rest, _) = try await markets.importing("a.ndjson", into: restarted)
    let (again, _) = try await markets.importing("a.ndjson", into: database)

    #expect(rest == ImportRun.Summary(added: 700, known: 500))
    #expect(again == ImportRun.Summary(known: 1_200))
    #expect(try await database.page(PageRequest()).total == .exactly(1_200))
  }

  @Test func `a table comes in from a pipe`() async throws {
    let address = try #require(TestCluster.shared).emptySchema()
    let script = """
      printf 'name,price,stock\\nmug,5000,2\\n"cup, blue",7000,1\\n' |
        "$(dirname "$(readlink "/proc/$PPID/exe")")/market-server" import - --store "$1"
      """

    let program = try ChildProcess("/bin/sh", arguments: ["-c", script, "sh", address])
    while try program.readLine() != nil {}

    #expect(try program.wait() == 0)
    let store = try await PostgresMarketStore.open(at: address)
    let products = try await store.page(PageRequest()).products
    #expect(products.map(\.name) == ["cup, blue", "mug"])
  }
}
