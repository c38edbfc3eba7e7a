import Expectations
import MarketModel
import PostgresStore
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

/// Commands of an operator on a market in a database.
@Suite(.cluster) struct DatabaseOperatingTests {
  @Test func `the program's orders reach the database, each with a line of log`() async throws {
    let (store, address) = try await TestCluster.emptyMarket()
    let id = try await store.register(.sample()).id.rawValue
    let kept = try await store.register(.sample())
    let asker = SellerIdentifier(secret: "asker")
    for text in ["One", "Two"] {
      _ = try await store.ask(
        NewQuestion(text: text), about: kept.id, by: asker, key: IdempotencyKey(rawValue: text))
    }
    let number = try #require(try await store.seller(of: asker)).id.rawValue
    let market = try ChildProcess.path(of: "market")
    let script = """
      exec 2>&1
      export LANG=C.UTF-8 HOME=/nonexistent
      echo an-identifier | \(market) admin seller set --id 6 --name 'Hana & Co' --store "$1"
      \(market) admin seller block 6 --store "$1"
      \(market) admin delete \(id) 99 --store "$1"
      echo status $?
      \(market) admin questions --by \(number) --store "$1" --language en
      \(market) admin questions delete 1 9 --store "$1" --language en
      \(market) admin questions delete --by \(number) --store "$1" --language en
      """

    let shell = try ChildProcess("/bin/sh", arguments: ["-c", script, "sh", address])
    var lines: [String] = []
    while let line = try shell.readLine() { lines.append(line) }

    let words = [
      " operator seller-set 6 ok", "Hana & Co is seller 6", " operator seller-block 6 ok",
      "Blocked Hana & Co (seller 6)", " operator remove \(id) ok", " operator remove 99 not-found",
      "Deleted product \(id): Bicycle", "market-server: There is no product 99", "status 4",
      "2\t\(kept.id.rawValue)\t\(number)\t", "1\t\(kept.id.rawValue)\t\(number)\t",
      " operator question-remove 1 ok", " operator question-remove 9 not-found",
      "Deleted question 1", "There is no question 9",
      " operator question-remove 2 ok", "Deleted question 2",
    ]
    expect(lines.count, words.count)
    for (line, word) in zip(lines, words) { #expect(line.contains(word)) }
    let seller = SellerIdentifier(secret: "an-identifier")
    try await expect(store.seller(of: seller)?.name, "Hana & Co")
    await #expect(throws: RepositoryError.blocked) {
      try await store.register(.sample(), by: .seller(seller))
    }
  }
}
