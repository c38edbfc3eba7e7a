/// Questions and answers of a market that concern the user.
package struct QuestionNews: Hashable, Sendable {
  package var market: MarketKey
  /// Path or address of the market; nil for the local market.
  package var location: String?
  /// Id that the market reported; nil for none.
  package var marketID: MarketID?
  /// Unanswered questions about the user's products, the newest first.
  package var received: [Question] = []
  /// Answered questions of the user, the latest answer first.
  package var answered: [Question] = []
  /// Unanswered questions of the user, as far as they were read.
  package var awaited: Set<Question.ID> = []
  /// Products of `received` and of the latest new answer.
  package var products: [Product.ID: Product] = [:]
  /// Whether the first check reports old questions too: true for an identifier that was created here.
  package var tellsAll: Bool

  package init(market: MarketKey, location: String?, tellsAll: Bool) {
    self.market = market
    self.location = location
    self.tellsAll = tellsAll
  }
}

/// Record of the questions and answers of a market that were already reported to the user.
///
/// A database may show a transaction late, so a question or answer slightly older than the latest is
/// news unless it is remembered.
package struct ReportedQuestions: Hashable, Sendable {
  /// Highest number of a question about the user's products.
  package var question = Question.ID(rawValue: 0)
  /// Time of the latest answer to the user's questions.
  package var answered = Timestamp(seconds: 0)
  /// Reported questions among the latest `lateNumbers`.
  package var questions: Set<Question.ID> = []
  /// Questions with reported answers, the latest first, at most `maxAnswers`; older ones are dropped.
  package var answers: [Question.ID] = []
  /// Id of the market that this belongs to; nil where the market has not reported one.
  package var marketID: MarketID?

  /// Numbers below the highest in which a question may still appear late.
  private static let lateNumbers: Int64 = 100
  /// Seconds before the latest answer in which another answer may still appear late.
  private static let lateSeconds: Int64 = 300
  /// Maximum answers that one check reads.
  private static let maxAnswers = 1_000

  package init() {}

  /// Updates the state with a market's news, and returns one record for questions and one for
  /// answers: the latest, with the count of all.
  ///
  /// The first check reports nothing, and neither does the first one at a market with another id.
  package mutating func apply(_ news: QuestionNews, isFirst: Bool) -> [TriggeredAlert] {
    let isOther = marketID != nil && news.marketID != nil && marketID != news.marketID
    if isOther { self = ReportedQuestions() }
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

  /// Whether a question about the user's products was not reported yet.
  package func lacks(_ question: Question) -> Bool {
    mayBeLate(question.id) && !questions.contains(question.id)
  }

  /// Whether an answer was not reported yet; false for a question without an answer.
  package func lacksAnswer(to question: Question) -> Bool {
    guard let given = question.answer?.given.seconds else { return false }
    return mayBeLate(given) && !answers.contains(question.id)
  }

  /// Whether a question of this number may be unreported.
  package func mayBeLate(_ id: Question.ID) -> Bool {
    id.rawValue > question.rawValue &- Self.lateNumbers
  }

  /// Whether an answer given at this second may be unreported.
  package func mayBeLate(_ given: Int64) -> Bool { given >= answered.seconds &- Self.lateSeconds }
}

extension QuestionNews {
  /// Returns one record for these questions, the latest first; nil where there are none.
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
