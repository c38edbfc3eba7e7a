internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Box of a question about a product, or of an answer: above the fields the question being answered,
/// below them notes for the asker.
struct QuestionBox {
  let box: Box
  private let head: [SafeText]
  private let notes: [SafeText]

  private static let (columns, headRows) = (64, 3)
  /// Rows of the text in a window of usual height, in a tall one, and minimum rows of a tall one.
  private static let (textRows, tallTextRows, tallWindowRows) = (3, 6, 34)

  /// Creates the box in the lower part of `body`, so that the product stays visible; nil for the form
  /// of a product.
  init?(_ form: ProductForm, in body: CellRect, _ context: RenderContext) {
    guard let name = form.purpose.asked.map({ SafeText($0.product.name) }) else { return nil }
    let strings = context.strings
    let inner = max(1, min(Self.columns, body.columns - 2 * ScreenLayout.margin) - 4)
    var (head, notes): ([SafeText], [SafeText]) = ([], [])
    if case .answer(let question, _) = form.purpose {
      let words = QuestionText(question, context)
      head = words.lines(inner, atMost: Self.headRows, behind: words.asker + "  ")
    } else {
      notes = strings[.questionWarning].wrapped(toColumns: inner)
    }
    let text = body.rows < Self.tallWindowRows ? Self.textRows : Self.tallTextRows
    let rows =
      text + form.fields.count + [head, notes].reduce(0) { $0 + ($1.isEmpty ? 0 : $1.count + 1) }
    box = Box(
      title: strings(head.isEmpty ? .titleQuestion : .titleAnswer, name), columns: Self.columns,
      rows: rows, in: body.splitBottom(rows + 3).bottom, context)
    (self.head, self.notes) = (head, box.content.rows < rows ? [] : notes)
  }

  /// Area of the fields.
  var fields: CellRect {
    box.rect.inset(
      left: 1, top: head.isEmpty ? 1 : head.count + 2, right: 1,
      bottom: notes.isEmpty ? 1 : notes.count + 2)
  }

  func draw(on canvas: inout Canvas) {
    box.draw(on: &canvas)
    let theme = box.context.theme
    for (row, line) in head.prefix(box.content.rows).enumerated() {
      canvas.write(line, at: box.content.row(row).origin, style: theme.text)
    }
    let foot = box.content.splitBottom(notes.count).bottom
    for (row, line) in notes.enumerated() {
      canvas.write(line, at: foot.row(row).origin, style: theme.secondary)
    }
  }
}
