internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension OutboxPromptModel: ViewedLayer {
  package func view(in frame: Frame) -> OutboxPromptView {
    OutboxPromptView(model: self, frame: frame)
  }
}

/// Dialog for a registration that was queued while its market was unreachable.
package struct OutboxPromptView: LayerView {
  package let model: OutboxPromptModel
  package let frame: Frame

  package static let bindings = BindingTable<OutboxPromptView>(
    [
      Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.confirm() },
      Binding("yes", ["y"], .keyYes, footer: 30, when: \.isOffering) { $0.model.answer(true) },
      Binding("no", ["n"], .keyNo, footer: 40, when: \.isOffering) { $0.model.answer(false) },
      Binding(
        "other-answer", [.tab, .left, .right, .backTab, "h", "l"], .keyOtherAnswer, footer: 20,
        when: \.isOffering
      ) { $0.model.chooseOther() },
      Binding(
        "show-password", [.function(9)], .keyHidePassword, footer: 15, when: \.model.isShown
      ) { $0.model.toggleShown() },
      Binding("show-password", [.function(9)], .keyShowPassword, footer: 15, when: \.isAsking) {
        $0.model.toggleShown()
      },
      SharedBindings.cancel(footer: 50) { $0.model.cancel() },
    ])
  package static var opens: [any LayerView.Type] { [FormLayerView.self] }
  package static var takesOwnKeys: Bool { false }

  private static let rows = 7

  private var isOffering: Bool {
    if case .offering = model.phase { true } else { false }
  }

  private var isAsking: Bool { !isOffering }

  package var isText: Bool { !isOffering }

  package func edit(_ key: KeyPress) -> Bool {
    guard !isOffering, let change = SecretKeys.change(for: key) else { return false }
    model.edit(change)
    return true
  }

  package func paste(_ text: String) -> Bool {
    guard !isOffering else { return false }
    model.edit { $0.type(text) }
    return true
  }

  package func press(at point: CellPoint) -> Bool {
    guard case .offering(let isYes) = model.phase,
      let answer = answers(isYes: isYes).answer(at: point)
    else { return false }
    model.answer(answer)
    return true
  }

  // MARK: Drawing

  private var box: Box {
    let strings = context.strings
    let title =
      model.count > 1 ? strings(.outboxTitleOf, SafeText(model.count)) : strings[.outboxTitle]
    return Box(title: title, rows: Self.rows, in: frame.body, context)
  }

  private var area: CellRect { box.content.inset(left: 1, right: 1) }

  /// Rows at the top that a low window leaves out.
  private var hidden: Int { max(0, Self.rows - 1 - area.rows) }

  package func draw(on canvas: inout Canvas) {
    box.draw(on: &canvas)
    if hidden == 0 { drawProduct(on: &canvas) }
    switch model.phase {
    case .offering(let isYes): drawQuestion(isYes: isYes, on: &canvas)
    case .asking(let problem): drawPassword(problem, on: &canvas)
    }
  }

  private func drawProduct(on canvas: inout Canvas) {
    let strings = context.strings
    let name = DraftLine.name(of: model.draft, strings).truncated(toColumns: area.columns)
    canvas.write(name, at: area.row(1).origin, style: context.theme.strong)
    let sale = FieldText.sale(of: model.draft.values, strings)
      .filter { [.discount, .stock].contains($0.field) }
    let further = sale.map { strings[$0.field.phrase] + " " + $0.value }
    let facts: [SafeText] =
      [frame.marketName, FieldText.price(of: model.draft.values)] + further + [
        strings.counted(.photoCount, model.draft.values.photos.count),
        AgeText.text(model.draft.changed, now: context.now, strings),
      ]
    canvas.write(
      facts.joined(separator: " · ").truncated(toColumns: area.columns), at: area.row(2).origin,
      style: context.theme.secondary)
  }

  private func drawQuestion(isYes: Bool, on canvas: inout Canvas) {
    canvas.write(
      context.strings[.askOutbox].truncated(toColumns: area.columns),
      at: area.row(4 - hidden).origin, style: context.theme.text)
    answers(isYes: isYes).draw(on: &canvas)
  }

  private func drawPassword(_ problem: FieldError.Problem?, on canvas: inout Canvas) {
    let strings = context.strings
    PasswordField(
      label: strings[ProductField.password.phrase], secret: model.secret,
      isShown: model.isShown, rect: area.row(4 - hidden)
    )
    .draw(on: &canvas, context)
    let text = problem.map { "✗ " + ProblemText.text($0, of: .password, strings) }
    canvas.write(
      (text ?? strings[.formPasswordHint]).truncated(toColumns: area.columns),
      at: area.row(5 - hidden).origin,
      style: text == nil ? context.theme.secondary : context.theme.warning)
  }

  private func answers(isYes: Bool) -> AnswerLine {
    AnswerLine(
      yes: context.strings[.keySubmit], no: context.strings[.answerLater], isYes: isYes,
      line: area.row(5 - hidden), context: context)
  }
}
