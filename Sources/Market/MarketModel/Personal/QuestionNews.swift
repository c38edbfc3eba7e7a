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
  /// Names of the products of the first ones of both; foreign text.
  package var names: [Product.ID: String] = [:]
  /// Whether the identifier was made here, so that nothing is older than the first look.
  package var tellsAll: Bool

  package init(market: MarketKey, location: String?, tellsAll: Bool) {
    self.market = market
    self.location = location
    self.tellsAll = tellsAll
  }
}

/// How far a person was told of the questions of a market.
package struct ToldQuestions: Hashable, Sendable {
  /// The highest number of the questions about what is sold from here.
  package var question = Question.ID(rawValue: 0)
  /// The latest answer to what was asked from here: when it was given, and the number of its question.
  package var answered = Timestamp(seconds: 0)
  package var answer = Question.ID(rawValue: 0)
  /// The id of the market that all of this is known of; nil where it has not said one.
  package var marketID: MarketID?

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
    question = received.first?.id ?? question
    if let latest = answered.first, let answer = latest.answer {
      (self.answered, self.answer) = (answer.given, latest.id)
    }
    guard !isOther, !isFirst || news.tellsAll else { return [] }
    return [
      news.triggered(received) { (.asked(by: $0.asker), $0.text, $0.offer) },
      news.triggered(answered) { (.answered, $0.answer?.text ?? "", nil) },
    ].compactMap(\.self)
  }

  /// Whether a question about what is sold from here was not told yet.
  package func lacks(_ question: Question) -> Bool { question.id > self.question }

  /// Whether an answer was not told yet; false where there is none.
  package func lacksAnswer(to question: Question) -> Bool {
    guard let given = question.answer?.given.seconds else { return false }
    return (given, question.id) > (answered.seconds, answer)
  }
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
      name: names[first.product] ?? "", price: offer, count: questions.count)
  }
}
