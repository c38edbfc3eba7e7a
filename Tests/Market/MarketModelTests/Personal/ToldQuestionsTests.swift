import MarketModel
import TestSupport
import Testing

/// What is told of questions and answers, one look after the other.
@Suite struct ToldQuestionsTests {
  private static let market = MarketID("00112233445566778899aabbccddeeff")
  private static let other = MarketID("ffeeddccbbaa99887766554433221100")

  private func question(_ id: Int64, answered: Int64? = nil) -> Question {
    Question(
      id: Question.ID(rawValue: id), product: Product.ID(rawValue: 7), text: "question \(id)",
      offer: id == 5 ? Money(hundredths: 170_000_00, currency: .krw) : nil, asker: "Mina",
      asked: Timestamp(seconds: 100 + id),
      answer: answered.map { Question.Answer(text: "answer \(id)", given: Timestamp(seconds: $0)) })
  }

  private func look(
    _ received: [Int64] = [], answered: [(id: Int64, at: Int64)] = [], isMadeHere: Bool = false,
    of market: MarketID? = nil
  ) -> QuestionNews {
    var news = QuestionNews(market: .local, location: nil, tellsAll: isMadeHere)
    news.marketID = market
    news.received = received.map { question($0) }
    news.answered = answered.map { question($0.id, answered: $0.at) }
    news.names = [Product.ID(rawValue: 7): "Road bike"]
    return news
  }

  /// The texts and counts of what is told at each of these looks.
  private func told(_ looks: QuestionNews...) -> [[String]] {
    var told = ToldQuestions()
    return looks.enumerated().map { number, look in
      told.take(look, isFirst: number == 0).map { "\($0.alertName) of \($0.count)" }
    }
  }

  @Test func `the first look tells nothing old, the next what came since then, once`() {
    let told = told(
      look([2, 1], answered: [(4, 500)]), look([3, 2, 1], answered: [(9, 600), (4, 500)]),
      look([3, 2, 1], answered: [(9, 600), (4, 500)]))

    #expect(told == [[], ["question 3 of 1", "answer 9 of 1"], []])
  }

  @Test func `a hundred questions are one with their number, and so are answers`() {
    let told = told(
      look(), look((1...100).reversed(), answered: (1...30).reversed().map { ($0, 500 + $0) }))

    #expect(told == [[], ["question 100 of 100", "answer 30 of 30"]])
  }

  @Test func `an identifier that was made here is told all, for nothing of it is old`() {
    #expect(told(look([2, 1], isMadeHere: true)) == [["question 2 of 2"]])
  }

  @Test func `an answer that was given later is told though its question is older`() {
    let told = told(
      look(answered: [(9, 600)]), look(answered: [(2, 601), (9, 600)]),
      look(answered: [(3, 601), (2, 601), (9, 600)]))

    #expect(told == [[], ["answer 2 of 1"], ["answer 3 of 1"]])
  }

  @Test func `a market of another id is looked at for the first time, and then told`() {
    let told = told(
      look([8], of: Self.market), look([3], isMadeHere: true, of: Self.other),
      look([4, 3], of: Self.other))

    #expect(told == [[], [], ["question 4 of 1"]])
  }

  @Test func `what is told says who asked what about which product, and what was offered`() {
    var told = ToldQuestions()

    let triggered = told.take(look([5], isMadeHere: true), isFirst: true)

    #expect(triggered.map(\.event) == [.asked(by: "Mina")])
    #expect(triggered.map(\.name) == ["Road bike"])
    #expect(triggered.first?.price == Money(hundredths: 170_000_00, currency: .krw))
    #expect(triggered.first?.condition == nil)
  }
}
