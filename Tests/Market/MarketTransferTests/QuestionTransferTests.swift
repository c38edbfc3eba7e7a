import Expectations
import MarketModel
import MarketStore
import MarketStrings
import MarketTransfer
import SQLiteKit
import SafeTextKit
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// Questions that move with their products.
struct QuestionTransferTests {
  private static let seller = SellerIdentifier(secret: "seller")

  @Test func `questions move with askers, answers and times, and nothing comes twice`() async throws
  {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let (id, before) = try await store.fillWithQuestions()
    try await markets.exporting(store, to: "a.ndjson")
    let copy = try await markets.store("b.sqlite")

    let (first, problems) = try await markets.importing("a.ndjson", into: copy)
    let (second, _) = try await markets.importing("a.ndjson", into: copy)
    try await markets.exporting(copy, to: "b.ndjson")

    #expect(problems == [] && first.added == 1 && second == ImportRun.Summary(known: 1))
    try await expect(copy.archivedQuestions(), before)
    let detail = try await copy.detail(of: id)
    #expect(detail.questionCount == 3 && detail.unansweredCount == 2)
    let text = try await markets.text(of: "a.ndjson", of: store)
    try await expect(markets.text(of: "b.ndjson", of: copy), text)
    #expect(!text.contains("asker-1"))
    // The asker is the same here: what was asked there is taken back.
    try await copy.deleteQuestion(
      before[0].question.id, by: .seller(SellerIdentifier(secret: "asker-1")), password: nil)
    try await expect(copy.detail(of: id).questionCount, 2)
  }

  @Test func `an own file that comes again brings back no question that was deleted`() async throws
  {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let (id, before) = try await store.fillWithQuestions()
    try await markets.exporting(store, to: "a.ndjson")
    try await store.removeQuestion(before[1].question.id)

    let (summary, problems) = try await markets.importing("a.ndjson", into: store)

    #expect(problems == [] && summary == ImportRun.Summary(known: 1))
    try await expect(store.detail(of: id).questionCount, 2)
  }

  @Test func `a copy of a market takes nothing twice of what its original wrote`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let (id, before) = try await store.fillWithQuestions()
    try await markets.exporting(store, to: "a.ndjson")
    try markets.write("", to: "b.sqlite")
    try await store.backup(to: markets.path(of: "b.sqlite")) { _ in }
    let copy = try await markets.store("b.sqlite")

    let (summary, problems) = try await markets.importing("a.ndjson", into: copy)

    #expect(problems == [] && summary == ImportRun.Summary(known: 1))
    try await expect(copy.archivedQuestions(), before)
    try await expect(copy.detail(of: id).questionCount, 3)
  }

  @Test func `numbers that are taken or out of proportion are given anew`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let (_, before) = try await store.fillWithQuestions()
    let lines = (1...3).map { number in
      let question =
        #"{"question":{"id":\#(number == 3 ? 1 << 50 : 2),"product_id":1,"text":"q","#
        + #""asked_at":"2024-02-29T10:20:30Z"},"asker":{"name":"Mina"}}"#
      return #"{"name":"mug \#(number)","price":1000,"questions":[\#(question),\#(question)]}"#
    }
    try markets.write(lines.joined(separator: "\n"), to: "b.ndjson")

    let (_, problems) = try await markets.importing("b.ndjson", into: store)
    let all = try await store.archivedQuestions()

    #expect(problems == [] && all.count == before.count + 6)
    expect(Set(all.map(\.question.id)).count, all.count)
    #expect(all.allSatisfy { $0.question.id.rawValue < 100 })
  }

  @Test(arguments: [
    #"{"question":{"id":1,"product_id":1,"text":"","asked_at":"2024-02-29T10:20:30Z"}}"#,
    #"{"question":{"id":1,"product_id":1,"text":"q","asked_at":"never"}}"#,
    #"{"question":{"id":1,"product_id":1,"text":"q","offer":-1,"asked_at":"2024-02-29T10:20:30Z"}}"#,
    #"{"question":{"id":1,"product_id":1,"text":"q","offer":1,"currency":"EUR","asked_at":"2024-02-29T10:20:30Z"}}"#,
    #"{"question":{"id":1,"product_id":1,"text":"q","asked_at":"2024-02-29T10:20:30Z","answer":"","answered_at":"2024-02-29T10:20:30Z"}}"#,
    #"{"question":{"id":1,"product_id":1,"text":"q","asked_at":"2024-02-29T10:20:30Z"},"asker":{"name":""}}"#,
    #"{"question":7}"#, "7", #"{"question":{"id":"x"}}"#,
  ])
  func `a question that no market takes refuses its line in one sentence`(
    element: String
  ) async throws {
    let markets = try TransferMarkets()
    try markets.write(#"{"name":"mug","price":1000,"questions":[\#(element)]}"#, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    let (summary, problems) = try await markets.importing("a.ndjson", into: store)

    expect(summary, ImportRun.Summary(refused: 1))
    let sentence = try #require(problems.first).text(Strings(.english)).string
    #expect(sentence.hasPrefix("line 1: questions: ") || sentence.hasPrefix("line 1: seller: "))
    try await expect(store.archivedQuestions(), [])
  }

  @Test func `texts beyond their limits are cut or refused, and never kept as they are`()
    async throws
  {
    let markets = try TransferMarkets()
    let long = String(repeating: "x", count: 100_000)
    try markets.write(
      #"{"name":"mug","price":1000,"questions":[{"question":{"id":1,"product_id":1,"text":"\#(long)","#
        + #""asked_at":"2024-02-29T10:20:30Z"}}]}"#, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    _ = try await markets.importing("a.ndjson", into: store)

    #expect(try await store.archivedQuestions().allSatisfy { $0.question.text.count <= 500 })
  }

  @Test func `a table has no questions, and nothing of who asked`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    _ = try await store.fillWithQuestions()
    try await markets.exporting(store, to: "a.csv")

    let text = try markets.text(of: "a.csv")

    for word in ["Asker", "Is it there?", "It is."] { #expect(!text.contains(word)) }
  }

  @Test func `what is hidden does not move`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let (_, before) = try await store.fillWithQuestions()
    _ = try await store.setBlocked(true, try #require(before[0].asker.id))
    try await markets.exporting(store, to: "a.ndjson")
    let copy = try await markets.store("b.sqlite")

    _ = try await markets.importing("a.ndjson", into: copy)

    try await expect(copy.archivedQuestions(), Array(before.dropFirst()))
  }

  @Test func `a backup has the questions`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let (_, before) = try await store.fillWithQuestions()
    try markets.write("", to: "b.sqlite")

    try await store.backup(to: markets.path(of: "b.sqlite")) { _ in }

    let copy = try await markets.store("b.sqlite")
    try await expect(copy.archivedQuestions(), before)
  }
}
