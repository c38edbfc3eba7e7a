import MarketModel
import SQLiteKit

/// Last reported questions and answers; a new one is reported to one running program only, as a triggered
/// alert.
extension PersonalFile {
  package func reportedQuestions(in market: MarketKey) -> ReportedQuestions? {
    read { connection throws(StoreError) in try connection.reportedQuestions(in: market) } ?? nil
  }

  package func record(_ news: QuestionNews) -> [TriggeredAlert] {
    write { connection throws(StoreError) in
      let market = news.market
      let known = try connection.reportedQuestions(in: market)
      var reported = known ?? ReportedQuestions()
      let news = reported.apply(news, isFirst: known == nil)
      if reported != known {
        try connection.run(
          "INSERT OR REPLACE INTO told_question VALUES (?, ?, ?, ?, ?, ?)",
          .integer(try connection.numberOrNew(of: market)), .integer(reported.question.rawValue),
          .integer(reported.answered.seconds), .text(Self.text(reported.questions)),
          .text(Self.text(reported.answers)), .text(reported.marketID?.text))
      }
      var triggered: [TriggeredAlert] = []
      for one in news { triggered.append(try connection.add(one, to: nil)) }
      return triggered
    } ?? []
  }

  private static func text(_ ids: some Sequence<Question.ID>) -> String {
    ids.map { String($0.rawValue) }.joined(separator: " ")
  }
}

extension Row {
  fileprivate func questionIDs(_ column: Int32) -> [Question.ID] {
    text(column, atMost: 1 << 16).split(separator: " ")
      .compactMap { Int64($0).map(Question.ID.init) }
  }
}

extension SQLiteConnection {
  fileprivate func reportedQuestions(in market: MarketKey) throws(StoreError) -> ReportedQuestions?
  {
    try all(
      """
      SELECT question, answered, questions, answers, market_id FROM told_question
      JOIN market ON market.id = told_question.market WHERE market.key = ?
      """, [.text(market.rawValue)]
    ) { row in
      var reported = ReportedQuestions()
      reported.question = Question.ID(rawValue: row.integer(0))
      reported.answered = row.time(1)
      reported.questions = Set(row.questionIDs(2))
      reported.answers = row.questionIDs(3)
      reported.marketID = row.text(orNull: 4, atMost: 64).flatMap { MarketID($0) }
      return reported
    }.first
  }
}
