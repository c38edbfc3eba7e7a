internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// View of the unanswered questions of all markets and the drafts, above the seller's own products.
struct DraftListView {
  let list: DraftListState
  let navigator: Navigator
  let rect: CellRect
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    let rule = rect.splitBottom(1).bottom
    if hasHeading {
      let hasMore = navigator.markets?.unanswered.hasMore == true
      let count = SafeText(list.questions.count) + (hasMore ? "+" : "")
      canvas.write(
        context.strings(.groupUnanswered, count), at: rect.origin.moved(columns: 2),
        style: context.theme.secondary)
    }
    for index in (0..<list.count).dropFirst(first).prefix(rows.rows) {
      let (text, remark) = texts(at: index)
      let row = ListRow(
        rect: rows.row(index - first).inset(right: 1), number: index,
        isSelected: index == list.selected, context: context)
      ListLine(text: text, remark: remark, isNumbered: false).draw(in: row, on: &canvas)
    }
    canvas.horizontalRule(at: rule.origin, columns: rule.columns, style: context.theme.rule)
  }

  private func texts(at index: Int) -> (SafeText, SafeText) {
    guard index < list.questions.count else {
      return DraftLine.texts(list.drafts[index - list.questions.count], context)
    }
    let (item, strings) = (list.questions[index], context.strings)
    let question = item.question
    let facts = [
      question.offer.map(MoneyText.text),
      item.market.name ?? strings[.marketLocal],
      AgeText.short(question.asked, now: context.now, columns: 4, strings),
    ].compactMap(\.self).joined(separator: " · ")
    let text = AskerText.text(question.asker, strings) + ": " + SafeText(question.text)
    // A long name is cut for the facts after it, and a short question leaves room for the name.
    let room =
      max((rows.columns - 3) / 2, rows.columns - text.columns - 4) - facts.columns - 3
    let name = SafeText(item.productName).truncated(toColumns: max(Self.nameColumns, room))
    return (text, name + " · " + facts)
  }

  /// Minimum columns of a product's name.
  private static let nameColumns = 8

  /// Moves among the drafts, and between them and the first products; returns true where that was the
  /// whole move.
  func move(_ move: Viewport.Move, times: Int, isInFirstRow: Bool) -> Bool {
    guard let drafts = navigator.selling?.drafts else { return false }
    switch (move, list.selected != nil) {
    case (.up, true): drafts.move { $0.move(by: -times) }
    case (.down, true): drafts.move { $0.move(by: times) }
    case (.first, true): drafts.move { $0.enter(at: 0) }
    case (.pageUp, true), (.halfPageUp, true), (.left, true), (.right, true): break
    case (.pageDown, true), (.halfPageDown, true), (.last, true):
      drafts.move { $0.leave() }
      return false
    case (.up, false) where isInFirstRow: drafts.move { $0.enter() }
    case (.first, false) where isInFirstRow: drafts.move { $0.enter(at: 0) }
    case (_, false): return false
    }
    return true
  }

  /// Moves the selection back to the products.
  func leave() { navigator.selling?.drafts.move { $0.leave() } }

  /// Selects a question or a draft; a second click opens it.
  func press(at point: CellPoint) {
    guard let selling = navigator.selling, let index = index(at: point) else { return }
    if index != list.selected { return selling.drafts.move { $0.enter(at: index) } }
    if list.selectedQuestion != nil { navigator.openQuestion() } else { selling.openDraft() }
  }

  private func index(at point: CellPoint) -> Int? {
    guard rows.contains(point) else { return nil }
    let index = first + point.row - rows.minRow
    return index < list.count ? index : nil
  }

  /// Whether there is a heading; a single line shows the selected item instead.
  private var hasHeading: Bool { !list.questions.isEmpty && rect.rows > 2 }

  private var rows: CellRect { rect.inset(top: hasHeading ? 1 : 0, bottom: 1) }

  /// Index of the first visible item, so that the selected one is visible.
  private var first: Int {
    max(0, min((list.selected ?? 0) - rows.rows / 2, list.count - rows.rows))
  }
}
