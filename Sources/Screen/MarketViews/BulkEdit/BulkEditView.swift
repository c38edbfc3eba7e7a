internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension BulkEditModel: ViewedLayer {
  package func view(in frame: Frame) -> BulkEditView { BulkEditView(model: self, frame: frame) }
}

/// Dialog of a change to several products: the question, the progress, and the result of each.
package struct BulkEditView: SectionedListView {
  package let model: BulkEditModel
  package let frame: Frame

  private static let columns = 76
  private static let headRows = 2
  /// Rows of the answers, with a blank one above.
  private static let answerRows = 2

  package static let bindings = BindingTable<BulkEditView>(
    [
      Binding("confirm", [.enter], .keyConfirm, footer: 10, when: \.isAsking) {
        $0.model.giveAnswer()
      },
      Binding("yes", ["y"], .keyYes, footer: 21, when: \.isAsking) { $0.model.confirm() },
      Binding("no", ["n"], .keyNo, footer: 22, when: \.isAsking) { $0.model.cancel() },
      Binding(
        "other-answer", [.tab, .left, .right, .backTab, "h", "l"], .keyOtherAnswer, footer: 20,
        when: \.isAsking
      ) { $0.model.chooseOther() },
      Binding("retry-one", [.enter], .keyRetryOne, footer: 10, when: \.mayRetryOne) {
        $0.model.retry(all: false)
      },
      Binding("retry-all", ["R", .control("r")], .keyRetryAll, footer: 15, when: \.mayRetryAll) {
        $0.model.retry(all: true)
      },
      Binding("close", [.escape, "q", .control("c")], .keyClose, footer: 30, when: \.isDone) {
        $0.model.cancel()
      },
      SharedBindings.cancel(footer: 30) { $0.model.cancel() }.hinted { !$0.isDone },
    ] + SharedBindings.steps() + SharedBindings.pages())
  package static var opens: [any LayerView.Type] { [PasswordView.self] }
  package static var takesOwnKeys: Bool { false }

  private var isAsking: Bool { model.phase == .asking }
  private var asksToDelete: Bool { isAsking && model.isDeletion }
  private var isDone: Bool { model.phase == .done }
  private var mayRetryOne: Bool { isDone && model.isSelectedOpen }
  private var mayRetryAll: Bool { isDone && model.hasOpenRows }

  package var needsTypedKeys: Bool { asksToDelete }

  package func scroll(by notches: Int) -> Bool {
    move(notches < 0 ? .up : .down, times: abs(notches))
    return true
  }

  package func press(at point: CellPoint) -> Bool {
    guard isAsking, let isYes = answers.answer(at: point) else { return select(at: point) }
    if isYes { model.confirm() } else { model.cancel() }
    return true
  }

  private var box: Box {
    Box(
      title: context.strings.counted(.bulkTitle, model.rows.count), columns: Self.columns,
      rows: model.rows.count + Self.headRows + answerRows, in: frame.body, context)
  }

  private var answerRows: Int { isAsking ? Self.answerRows : 0 }

  private var answers: AnswerLine {
    AnswerLine(
      yes: context.strings[answer],
      no: context.strings[.answerNo], isYes: model.isYes,
      line: box.content.splitBottom(1).bottom, context: context)
  }

  package func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    canvas.write(
      head.truncated(toColumns: box.content.columns), at: box.content.origin,
      style: asksToDelete ? context.theme.warning : context.theme.strong)
    drawList(on: &canvas)
    if isAsking { answers.draw(on: &canvas) }
  }

  package var listArea: CellRect {
    box.content.inset(top: Self.headRows, bottom: answerRows)
  }
  package var emptyText: SafeText { .empty }
  package func text(of heading: Never) -> SafeText {}
  package func words(of product: ListedProduct) -> [SafeText] { [product.name] }
  package func choose(_ product: ListedProduct) {}

  package func draw(_ product: ListedProduct, in row: ListRow, on canvas: inout Canvas) {
    ListLine(text: product.name, remark: text(of: model.rows[row.number]), isNumbered: false)
      .draw(in: row, on: &canvas)
  }

  /// Question, progress, or number of changed products.
  private var head: SafeText {
    let strings = context.strings
    let all = SafeText(model.rows.count)
    switch model.phase {
    case .reading: return strings(.bulkReading, SafeText(model.count { $0 != .waiting }), all)
    case .asking:
      let count = model.count { $0 == .ready }
      return strings(question, SafeText(count), frame.marketName, number: count)
    case .sending:
      let count = model.count { $0 != .ready && $0 != .sending }
      return strings(.bulkSending, SafeText(count), all)
    case .done:
      let done = model.count { $0 == .done || $0 == .unchanged || $0 == .gone }
      return strings(.bulkDone, SafeText(done), all)
    }
  }

  private var question: Phrase {
    switch model.change {
    case .deletion: .askBulkDeletion
    case .restoring: .askBulkUndo
    case .price, .stock, .reservation: .askBulk
    }
  }

  private var answer: Phrase {
    switch model.change {
    case .deletion: .keyDelete
    case .restoring: .titleUndo
    case .price, .stock, .reservation: .answerSend
    }
  }

  private func text(of row: BulkEditModel.Row) -> SafeText {
    let strings = context.strings
    switch row.state {
    case .waiting: return "…"
    case .ready:
      guard let changes = row.changes else { return strings[.bulkToDelete] }
      return ChangeText(changes: changes, strings: strings).line
    case .unchanged: return strings[.bulkUnchanged]
    case .sending: return strings[.sending]
    case .done: return "✓ " + strings[model.isDeletion ? .soldDeleted : .soldChanged]
    case .gone: return strings[.rowDeleted]
    case .sold: return "✗ " + strings[.hintSoldNotReserved]
    case .failed(let error): return "✗ " + ErrorText.text(error, strings)
    case .notReached: return strings[.bulkNotReached]
    }
  }
}
