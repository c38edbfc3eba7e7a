internal import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// Question with its answer, as a page shows it.
struct QuestionContent: Hashable, Sendable {
  /// What was said, and when.
  struct Statement: Hashable, Sendable {
    let text: SafeText
    let time: Timestamp
    let age: SafeText

    fileprivate init(_ text: String, _ time: Timestamp, _ setting: PageContext) {
      self.text = SafeText(text).truncated(toColumns: QuestionContent.textColumns)
      self.time = time
      age = AgeText.text(time, now: setting.now, setting.strings)
    }
  }

  private static let textColumns = 400
  private static let askerColumns = 40
  /// Questions that one page shows at most.
  private static let maxCount = 20
  /// Bytes that the texts of all questions of a page may take in HTML; later questions are left out.
  private static let maxBytes = 12 << 10

  let asker: SafeText
  let question: Statement
  /// The price that was offered, in words; nil where none was.
  let offer: SafeText?
  let answer: Statement?

  private init(_ question: Question, _ setting: PageContext) {
    asker = AskerText.text(question.asker, setting.strings).truncated(toColumns: Self.askerColumns)
    self.question = Statement(question.text, question.asked, setting)
    offer = question.offer.map { setting.strings(.questionOffers, MoneyText.text($0)) }
    answer = question.answer.map { Statement($0.text, $0.given, setting) }
  }

  /// The beginning of a product's questions that fits a page, whose bytes it takes from those that are left.
  static func beginning(
    of questions: [Question], within bytes: inout Int, _ setting: PageContext
  ) -> [QuestionContent] {
    var used = 0
    return questions.prefix(maxCount).map { QuestionContent($0, setting) }.prefix { question in
      let size = HTML(
        "\(question.asker)\(question.question.text)\(question.answer?.text ?? .empty)"
      ).bytes.count
      guard used + size <= maxBytes else { return false }
      (used, bytes) = (used + size, bytes - size)
      return true
    }
  }
}
