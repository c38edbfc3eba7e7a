internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension DetailBlock {
  private static let (askedIndent, answerIndent, gap, foldedLines) = (2, 4, 2, 2)

  /// Block of the questions about a product, each folded, with the key that shows all; not shortened
  /// where the page `scrolls`, and nil where there are none.
  static func questions(
    _ page: ProductQuestions.Page?, count: Int, isOwn: Bool, key: SafeText, columns: Int,
    scrolls: Bool, _ context: RenderContext
  ) -> DetailBlock? {
    let (count, theme) = (page?.count ?? count, context.theme)
    guard count > 0 else { return nil }
    let head = heading(
      context.strings.counted(.questionsCount, count), key: key, all: .exactly(count), context)
    let questions = (page?.questions ?? []).prefix(QuestionsRequest.usualSize)
      .map { ($0, QuestionText($0, context)) }
    let widest =
      questions.map { _, words in
        max(askedIndent + words.asker.columns, answerIndent + (words.answerer?.columns ?? 0))
      }.max() ?? 0
    let start = min(widest, columns * 9 / 20) + gap
    let room = max(1, columns - start)
    var (lines, ends) = ([head], [2])
    func add(_ texts: [SafeText], by author: SafeText, _ style: Style, indent: Int) {
      let author = author.truncated(toColumns: max(0, start - gap - indent))
      for (number, text) in texts.enumerated() {
        lines.append { canvas, row in
          canvas.write(text, at: row.origin.moved(columns: start), style: theme.text)
          guard number == 0 else { return }
          canvas.write(author, at: row.origin.moved(columns: indent), style: style)
        }
      }
    }
    for (question, words) in questions {
      let isMarked = isOwn && question.answer == nil
      add(
        words.lines(room, atMost: foldedLines), by: (isMarked ? "• " : "  ") + words.asker,
        isMarked ? theme.accent : question.isOwn ? theme.strong : theme.secondary, indent: 0)
      if let answerer = words.answerer {
        let answer = QuestionText.folded(
          words.answer.wrapped(toColumns: room), atMost: foldedLines, room)
        add(answer, by: answerer, theme.answerer, indent: answerIndent)
      }
      ends.append(lines.count + 1)
    }
    return DetailBlock(lines, summary: scrolls ? nil : head, ends: ends)
  }
}
