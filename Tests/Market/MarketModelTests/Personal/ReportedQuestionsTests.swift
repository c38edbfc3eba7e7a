import Expectations
import MarketModel
import TestSupport
import Testing

/// What is told of questions and answers, one look after the other.
struct ReportedQuestionsTests {
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
    news.products = [Product.ID(rawValue: 7): .sample(id: 7, name: "Road bike")]
    return news
  }

  /// The texts and counts of what is told at each of these looks.
  private func told(_ looks: QuestionNews...) -> [[String]] {
    var told = ReportedQuestions()
    return looks.enumerated().map { number, look in
      told.apply(look, isFirst: number == 0).map { "\($0.alertName) of \($0.count)" }
    }
  }

  @Test func `the first look tells nothing old, the next what came since then, once`() {
    let told = told(
      look([2, 1], answered: [(4, 500)]), look([3, 2, 1], answered: [(9, 600), (4, 500)]),
      look([3, 2, 1], answered: [(9, 600), (4, 500)]))

    expect(told, [[], ["question 3 of 1", "answer 9 of 1"], []])
  }

  @Test func `a hundred questions are one with their number, and so are answers`() {
    let told = told(
      look(), look((1...100).reversed(), answered: (1...30).reversed().map { ($0, 500 + $0) }))

    expect(told, [[], ["question 100 of 100", "answer 30 of 30"]])
  }

  @Test func `an identifier that was made here is told all, for nothing of it is old`() {
    expect(told(look([2, 1], isMadeHere: true)), [["question 2 of 2"]])
  }

  @Test func `an answer that was given later is told though its question is older`() {
    let told = told(
      look(answered: [(9, 600)]), look(answered: [(2, 601), (9, 600)]),
      look(answered: [(3, 601), (2, 601), (9, 600)]))

    expect(told, [[], ["answer 2 of 1"], ["answer 3 of 1"]])
  }

  @Test(arguments: 1...20)
  func `in whatever order questions and answers become visible, each is told once`(
    seed: UInt64
  ) async throws {
    var random = SeededRandom(seed: seed)
    var told = ReportedQuestions()
    _ = told.apply(look(), isFirst: true)
    // Transactions end up to 99 numbers, or 300 seconds, later than they began.
    func late(_ most: Int64) -> [Int64] {
      (1...400).map { ($0, $0 * 3 + Int64.random(in: 0...most * 3, using: &random)) }
        .sorted { $0.1 < $1.1 }.map(\.0)
    }
    var (asking, answering) = (late(99)[...], late(100)[...])
    var (received, answered): ([Int64], [(id: Int64, at: Int64)]) = ([], [])
    var (questions, answers): ([Int64], [Int64]) = ([], [])

    while !asking.isEmpty || !answering.isEmpty {
      let (some, others) = (
        Int.random(in: 0...9, using: &random), Int.random(in: 0...9, using: &random)
      )
      received += asking.prefix(some)
      // The numbers of questions say nothing of the order of their answers.
      answered += answering.prefix(others).map { ($0 * 7919 % 401, $0 * 3) }
      (asking, answering) = (asking.dropFirst(some), answering.dropFirst(others))
      let look = look(
        received.sorted(by: >), answered: answered.sorted { ($0.at, $0.id) > ($1.at, $1.id) })
      questions += look.received.filter(told.lacks).map(\.id.rawValue)
      answers += look.answered.filter(told.lacksAnswer).map(\.id.rawValue)
      _ = told.apply(look, isFirst: false)
    }

    expect(questions.sorted(), Array(1...400))
    expect(answers.sorted(), Array(1...400))
  }

  @Test func `what becomes visible late is told, also beside what was told in its second`() {
    let told = told(
      look(), look([8], answered: [(9, 600)]), look([8, 7], answered: [(9, 600), (2, 600)]),
      look([8, 7], answered: [(9, 600), (2, 600)]))

    expect(
      told, [[], ["question 8 of 1", "answer 9 of 1"], ["question 7 of 1", "answer 2 of 1"], []])
  }

  @Test func `a market of another id is looked at for the first time, and then told`() {
    let told = told(
      look([8], of: Self.market), look([3], isMadeHere: true, of: Self.other),
      look([4, 3], of: Self.other))

    expect(told, [[], [], ["question 4 of 1"]])
  }

  @Test func `one answer says whether its product is reserved`() {
    var (told, news) = (ReportedQuestions(), look(answered: [(9, 600)], isMadeHere: true))
    news.products[Product.ID(rawValue: 7)]?.isReserved = true

    expect(told.apply(news, isFirst: true).map(\.isReserved), [true])
  }

  @Test func `what is told says who asked what about which product, and what was offered`() {
    var told = ReportedQuestions()

    let triggered = told.apply(look([5], isMadeHere: true), isFirst: true)

    expect(triggered.map(\.event), [.asked(by: "Mina")])
    expect(triggered.map(\.name), ["Road bike"])
    expect(triggered.first?.price, Money(hundredths: 170_000_00, currency: .krw))
    expect(triggered.first?.condition, nil)
  }
}
