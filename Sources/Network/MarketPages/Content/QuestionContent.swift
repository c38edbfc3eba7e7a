internal import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// Question with its answer on a page.
struct QuestionContent: Hashable, Sendable {
  /// Text of a question or answer, with its time.
  struct Statement: Hashable, Sendable {
    let text: SafeText
    let time: Timestamp
    let age: SafeText

    fileprivate init(_ text: String, _ time: Timestamp, _ context: PageContext) {
      self.text = SafeText(text).truncated(toColumns: QuestionContent.textColumns)
      self.time = time
      age = AgeText.text(time, now: context.now, context.strings)
    }
  }

  private static let textColumns = 400
  private static let askerColumns = 40
  /// Maximum number of questions on a page.
  private static let maxCount = 20
  /// Maximum bytes of all questions of a page in HTML; later questions are left out.
  private static let maxBytes = 12 << 10

  let asker: SafeText
  let question: Statement
  /// Offered price as text; nil if there is none.
  let offer: SafeText?
  let answer: Statement?

  private init(_ question: Question, _ context: PageContext) {
    asker = AskerText.text(question.asker, context.strings).truncated(toColumns: Self.askerColumns)
    self.question = Statement(question.text, question.asked, context)
    offer = question.offer.map { context.strings(.questionOffers, MoneyText.text($0)) }
    answer = question.answer.map { Statement($0.text, $0.given, context) }
  }

  /// First questions that fit a page; their size in HTML is subtracted from `bytes`.
  static func beginning(
    of questions: [Question], within bytes: inout Int, _ context: PageContext
  ) -> [QuestionContent] {
    var used = 0
    return questions.prefix(maxCount).map { QuestionContent($0, context) }.prefix { question in
      let size = HTML(
        "\(question.asker)\(question.question.text)\(question.answer?.text ?? .empty)"
      ).bytes.count
      guard used + size <= maxBytes else { return false }
      (used, bytes) = (used + size, bytes - size)
      return true
    }
  }
}
