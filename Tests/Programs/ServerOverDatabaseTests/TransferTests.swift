import Expectations
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

    expect(rest, ImportRun.Summary(added: 700, known: 500))
    expect(again, ImportRun.Summary(known: 1_200))
    try await expect(database.page(PageRequest()).total, .exactly(1_200))
  }

  @Test func `questions go from a file into a database and back, and nothing is lost`() async throws
  {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let (id, before) = try await store.fillWithQuestions()
    try await markets.exporting(store, to: "a.ndjson")
    let cluster = try TestCluster()
    let database = try await PostgresMarketStore.open(at: cluster.emptySchema())

    let (first, problems) = try await markets.importing("a.ndjson", into: database)
    let (again, _) = try await markets.importing("a.ndjson", into: database)
    try await markets.exporting(database, to: "b.ndjson")
    let copy = try await markets.store("b.sqlite")
    _ = try await markets.importing("b.ndjson", into: copy)
    try markets.write("", to: "c.sqlite")
    try await database.backup(to: markets.path(of: "c.sqlite")) { _ in }
    let next = try await database.ask(
      NewQuestion(text: "Next"), about: id, by: SellerIdentifier(secret: "next"),
      key: IdempotencyKey(rawValue: "next"))

    #expect(problems == [] && first.added == 1 && again == ImportRun.Summary(known: 1))
    try await expect(copy.archivedQuestions(), before)
    try await expect(markets.store("c.sqlite").archivedQuestions(), before)
    try await expect(
      markets.text(of: "b.ndjson", of: database), markets.text(of: "a.ndjson", of: store))
    #expect(before.allSatisfy { $0.question.id < next.id })
    let detail = try await database.detail(of: id)
    #expect(detail.questionCount == 4 && detail.unansweredCount == 3)
  }

  @Test func `a table comes in from a pipe`() async throws {
    let address = try #require(TestCluster.shared).emptySchema()
    let script = """
      printf 'name,price,stock\\nmug,5000,2\\n"cup, blue",7000,1\\n' |
        "$(dirname "$(readlink "/proc/$PPID/exe")")/market-server" import - --store "$1"
      """

    let program = try ChildProcess("/bin/sh", arguments: ["-c", script, "sh", address])
    while try program.readLine() != nil {}

    try expect(program.wait(), 0)
    let store = try await PostgresMarketStore.open(at: address)
    let products = try await store.page(PageRequest()).products
    expect(products.map(\.name), ["cup, blue", "mug"])
  }
}
