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
        + #""asked_at":"2023-02-27T10:20:30Z"},"asker":{"name":"Mina"}}"#
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
    #"{"question":{"id":1,"product_id":1,"text":"","asked_at":"2023-02-27T10:20:30Z"}}"#,
    #"{"question":{"id":1,"product_id":1,"text":"q","asked_at":"never"}}"#,
    #"{"question":{"id":1,"product_id":1,"text":"q","offer":-1,"asked_at":"2023-02-27T10:20:30Z"}}"#,
    #"{"question":{"id":1,"product_id":1,"text":"q","offer":1,"currency":"EUR","asked_at":"2023-02-27T10:20:30Z"}}"#,
    #"{"question":{"id":1,"product_id":1,"text":"q","asked_at":"2023-02-27T10:20:30Z","answer":"","answered_at":"2023-02-27T10:20:30Z"}}"#,
    #"{"question":{"id":1,"product_id":1,"text":"q","asked_at":"2023-02-27T10:20:30Z"},"asker":{"name":""}}"#,
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
    #expect(sentence.hasPrefix("line 1: questions[0]") || sentence.hasPrefix("line 1: seller: "))
    try await expect(store.archivedQuestions(), [])
  }

  /// A line of a product with questions of these members each, registered in 2023.
  private func line(of count: Int, _ members: String) -> String {
    let question =
      #"{"question":{"id":1,"product_id":1,"asked_at":"2023-02-27T10:20:30Z",\#(members)}}"#
    return #"{"name":"mug","price":1000,"created":"2023-02-27","questions":["#
      + Array(repeating: question, count: count).joined(separator: ",") + "]}"
  }

  @Test(arguments: [
    (QuestionRules.perProduct, 1, true), (QuestionRules.perProduct + 1, 1, false),
    (QuestionRules.bytesPerProduct / 16_000, 16_000, true),
    (QuestionRules.bytesPerProduct / 16_000 + 1, 16_000, false),
    // Beyond what a line has of values.
    (100_000, 1, false),
  ])
  func `what a product takes of questions is imported, and one more is refused by number`(
    _ count: Int, bytes: Int, isTaken: Bool
  ) async throws {
    let markets = try TransferMarkets()
    // The longest text has 500 characters of 8 scalars of 4 bytes.
    let character =
      String(repeating: "\u{1F469}", count: 1) + String(repeating: "\u{1E944}", count: 7)
    let text = bytes == 1 ? "a" : String(repeating: character, count: 500)
    expect(text.utf8.count, bytes)
    try markets.write(line(of: count, #""text":"\#(text)""#), to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    let (summary, problems) = try await markets.importing("a.ndjson", into: store)

    expect(summary, isTaken ? ImportRun.Summary(added: 1) : ImportRun.Summary(refused: 1))
    guard !isTaken else { return }
    let sentence = try #require(problems.first).text(Strings(.english)).string
    #expect(sentence.contains("10,000") && sentence.contains("questions"))
  }

  @Test(arguments: [
    (#""text":"q","offer":0.01"#, "offer"), (#""text":"q","offer":0,"currency":"USD""#, "offer"),
    (#""text":"q","offer":1,"currency":"EUR""#, "offer"), (#""text":"q","offer":true"#, "offer"),
    (#""text":"q","offer":"5""#, "offer"), (#""text":"q","offer":0.001,"currency":"USD""#, "offer"),
    (#""text":"q","offer":1,"currency":7"#, "offer"),
    (#""text":"q","asked_at":"2999-01-01""#, ""),
    (#""text":"q","answer":"a","answered_at":"2023-02-26T00:00:00Z""#, "answered_at"),
    (#""text":"q","answer":"a","answered_at":"2999-01-01T00:00:00Z""#, "answered_at"),
    (#""text":"q","answer":7,"answered_at":"2023-03-01T00:00:00Z""#, ""),
    (#""text":"q","answered_at":"2023-03-01T00:00:00Z""#, ""),
    (#""text":"a\u001b[2J""#, ""), (#""text":"\u3164""#, ""), (#""text":7"#, ""),
  ])
  func `a question that is wrong in a part refuses its line by that part`(
    members: String, part: String
  ) async throws {
    let markets = try TransferMarkets()
    var line = line(of: 1, members)
    // The first of two is read.
    if members.contains("2999-01-01\"") && part.isEmpty {
      line = line.replacing(#""asked_at":"2023-02-27T10:20:30Z","#, with: "")
    }
    try markets.write(line, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    let (summary, problems) = try await markets.importing("a.ndjson", into: store)

    expect(summary, ImportRun.Summary(refused: 1))
    let sentence = try #require(problems.first).text(Strings(.english)).string
    #expect(sentence.hasPrefix("line 1: questions[0]" + (part.isEmpty ? "" : "." + part)))
  }

  @Test func `a question from before its product is refused, and a list that is none too`()
    async throws
  {
    let markets = try TransferMarkets()
    let early = line(of: 1, #""text":"q""#).replacing("2023-02-27\",", with: "2023-03-01\",")
    let none = #"{"name":"mug","price":1000,"questions":{"question":1}}"#
    try markets.write(early + "\n" + none, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    let (summary, problems) = try await markets.importing("a.ndjson", into: store)

    expect(summary, ImportRun.Summary(refused: 2))
    let sentences = problems.map { $0.text(Strings(.english)).string }
    #expect(sentences.first?.contains("asked_at: “2023-02-27T10:20:30Z”") == true)
    #expect(sentences.last?.hasPrefix("line 2: questions: ") == true)
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
