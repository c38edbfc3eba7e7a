internal import MarketModel
import MarketStrings
internal import SafeTextKit
internal import TerminalKit

/// Texts of a question.
struct QuestionText {
  /// Name of the asker with the question's age.
  let asker: SafeText
  /// Question in one paragraph.
  let text: SafeText
  /// Offered price; empty without one.
  let offer: SafeText
  /// "Seller" with the answer's age; nil before it is answered.
  let answerer: SafeText?
  let answer: SafeText

  private static let nameColumns = 20

  init(_ question: Question, _ context: RenderContext) {
    let strings = context.strings
    func age(_ moment: Timestamp) -> SafeText {
      " · " + AgeText.text(moment, now: context.now, strings)
    }
    func paragraph(_ text: String) -> SafeText {
      SafeText.lines(text).filter { !$0.isEmpty }.joined(separator: " ")
    }
    let name = AskerText.text(question.asker, strings).truncated(toColumns: Self.nameColumns)
    asker = (question.isOwn ? strings(.questionOwn, name) : name) + age(question.asked)
    text = paragraph(question.text)
    offer = question.offer.map { strings(.questionOffers, MoneyText.text($0)) } ?? .empty
    answerer = question.answer.map { strings[.columnSeller] + age($0.given) }
    answer = question.answer.map { paragraph($0.text) } ?? .empty
  }

  /// Returns question and offer after a heading, in at most `most` lines; the offer is kept where text
  /// is cut.
  func lines(_ columns: Int, atMost most: Int, behind head: SafeText = .empty) -> [SafeText] {
    let lines = (head + text + (offer.isEmpty ? .empty : " " + offer)).wrapped(toColumns: columns)
    return Self.folded(lines, atMost: most, columns, keeping: offer)
  }

  static func folded(
    _ lines: [SafeText], atMost most: Int, _ columns: Int, keeping tail: SafeText = .empty
  ) -> [SafeText] {
    guard lines.count > most else { return lines }
    let room = max(0, columns - 2 - tail.columns)
    return lines.prefix(most - 1) + [lines[most - 1].prefix(columns: room) + "… " + tail]
  }
}

extension Theme {
  /// Style of the seller's name above an answer, used for nothing else.
  var answerer: Style { accent.adding(.bold) }
}
