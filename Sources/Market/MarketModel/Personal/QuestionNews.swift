/// What a market says of the questions that concern a person.
package struct QuestionNews: Hashable, Sendable {
  package var market: MarketKey
  /// Path or address of the market; nil for the local one.
  package var location: String?
  /// The id that the market said; nil where it says none.
  package var marketID: MarketID?
  /// Questions without an answer about what is sold from here, the newest first.
  package var received: [Question] = []
  /// Questions that were asked from here and have an answer, the latest answer first.
  package var answered: [Question] = []
  /// Questions that were asked from here and have no answer yet, as far as they were read.
  package var awaited: Set<Question.ID> = []
  /// Products of those received and of the latest answer that is news.
  package var products: [Product.ID: Product] = [:]
  /// Whether the identifier was made here, so that nothing is older than the first look.
  package var tellsAll: Bool

  package init(market: MarketKey, location: String?, tellsAll: Bool) {
    self.market = market
    self.location = location
    self.tellsAll = tellsAll
  }
}

/// How far a person was told of the questions of a market.
///
/// A database may show a transaction that began earlier after a later one, so a question or an answer
/// that is slightly older than the latest is news unless it is remembered.
package struct ToldQuestions: Hashable, Sendable {
  /// The highest number of the questions about what is sold from here.
  package var question = Question.ID(rawValue: 0)
  /// When the latest answer to what was asked from here was given.
  package var answered = Timestamp(seconds: 0)
  /// Questions that were told, of the latest `lateNumbers`.
  package var questions: Set<Question.ID> = []
  /// Questions whose answers were told, the latest first, at most `maxAnswers`.
  package var answers: [Question.ID] = []
  /// The id of the market that all of this is known of; nil where it has not said one.
  package var marketID: MarketID?

  /// How far below the highest number a question may be that becomes visible after it.
  private static let lateNumbers: Int64 = 100
  /// How long before the latest answer one may have been given that becomes visible after it.
  private static let lateSeconds: Int64 = 300
  /// As many as one look reads.
  private static let maxAnswers = 1_000

  package init() {}

  /// Takes note of what a market says, and answers what is to be told: of questions and of answers the
  /// latest, with the number of all.
  ///
  /// The first look tells nothing old, and neither does the first one at a market of another id.
  package mutating func take(_ news: QuestionNews, isFirst: Bool) -> [TriggeredAlert] {
    let isOther = marketID != nil && news.marketID != nil && marketID != news.marketID
    if isOther { self = ToldQuestions() }
    let received = news.received.filter(lacks)
    let answered = news.answered.filter(lacksAnswer(to:))
    marketID = news.marketID ?? marketID
    question = max(question, received.first?.id ?? question)
    questions = questions.union(received.map(\.id)).filter(mayBeLate)
    let given = answered.first?.answer?.given.seconds ?? 0
    self.answered = Timestamp(seconds: max(self.answered.seconds, given))
    answers = Array((answered.map(\.id) + answers).prefix(Self.maxAnswers))
    guard !isOther, !isFirst || news.tellsAll else { return [] }
    return [
      news.triggered(received) { (.asked(by: $0.asker), $0.text, $0.offer) },
      news.triggered(answered) { (.answered, $0.answer?.text ?? "", nil) },
    ].compactMap(\.self)
  }

  /// Whether a question about what is sold from here was not told yet.
  package func lacks(_ question: Question) -> Bool {
    mayBeLate(question.id) && !questions.contains(question.id)
  }

  /// Whether an answer was not told yet; false where there is none.
  package func lacksAnswer(to question: Question) -> Bool {
    guard let given = question.answer?.given.seconds else { return false }
    return mayBeLate(given) && !answers.contains(question.id)
  }

  /// Whether a question of this number may be one that was not told yet.
  package func mayBeLate(_ id: Question.ID) -> Bool {
    id.rawValue > question.rawValue &- Self.lateNumbers
  }

  /// Whether an answer that was given at this second may be one that was not told yet.
  package func mayBeLate(_ given: Int64) -> Bool { given >= answered.seconds &- Self.lateSeconds }
}

extension QuestionNews {
  /// What is told of some of these, the latest first; nil where there are none.
  fileprivate func triggered(
    _ questions: [Question],
    saying words: (Question) -> (TriggeredAlert.Event, text: String, offer: Money?)
  ) -> TriggeredAlert? {
    guard let first = questions.first else { return nil }
    let (event, text, offer) = words(first)
    return TriggeredAlert(
      market: market, location: location, event: event, alertName: text, product: first.product,
      name: products[first.product]?.name ?? "", price: offer,
      isReserved: event == .answered && questions.count == 1
        && products[first.product]?.isReserved == true,
      count: questions.count)
  }
}
