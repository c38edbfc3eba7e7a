import Expectations
import MarketModel
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// How far questions were told, over real files.
struct ReportedQuestionTests {
  private let folder = FolderOfTest()
  private let home = MarketKey(rawValue: "http://home/")

  private func open() -> PersonalFile { folder.open() }

  private func news(_ ids: [Int64], answered: Int64? = nil) -> QuestionNews {
    var news = QuestionNews(market: home, location: "http://home/", tellsAll: false)
    news.marketID = MarketID("00112233445566778899aabbccddeeff")
    func question(_ id: Int64) -> Question {
      Question(
        id: Question.ID(rawValue: id), product: Product.ID(rawValue: 3),
        text: String(repeating: "물", count: 500), offer: .won(9_000), asker: "Mina",
        asked: Timestamp(seconds: id))
    }
    news.received = ids.map(question)
    news.answered = [answered].compactMap(\.self).map { given in
      var question = question(90)
      question.answer = Question.Answer(text: "Yes", given: Timestamp(seconds: given))
      return question
    }
    news.products = [Product.ID(rawValue: 3): .sample(id: 3, name: "Cup")]
    return news
  }

  @Test func `many programs that hear of one question tell it once`() async {
    let files = (0..<8).map { _ in open() }
    _ = await files[0].record(news([1]))

    let news = news([2, 1], answered: 50)
    let told = await withTaskGroup(of: Int.self) { group in
      for file in files { group.addTask { await file.record(news).count } }
      return await group.reduce(0, +)
    }

    expect(told, 2)
    await expect(open().unseenAlerts(), 2)
  }

  @Test func `what was told comes back as it was, with how far that was`() async throws {
    _ = await open().record(news([1]))
    let told = await open().record(news([2, 1], answered: 50))

    let kept = await open().triggeredAlerts(atMost: 9)
    expect(kept, told.reversed())
    expect(kept.map(\.event), [.answered, .asked(by: "Mina")])
    #expect(kept.last?.price == .won(9_000) && kept.last?.name == "Cup")
    var far = ReportedQuestions()
    (far.question, far.answered) = (Question.ID(rawValue: 2), Timestamp(seconds: 50))
    far.questions = [Question.ID(rawValue: 1), Question.ID(rawValue: 2)]
    far.answers = [Question.ID(rawValue: 90)]
    far.marketID = MarketID("00112233445566778899aabbccddeeff")
    await expect(open().reportedQuestions(in: home), far)
    await expect(open().reportedQuestions(in: .local), nil)
  }
}
