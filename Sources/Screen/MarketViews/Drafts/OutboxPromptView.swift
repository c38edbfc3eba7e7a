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

/// The box about a registration that waited for its market.
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
      SharedBindings.cancel(footer: 50) { $0.model.cancel() },
    ])
  package static var opens: [any LayerView.Type] { [FormLayerView.self] }
  package static var takesOwnKeys: Bool { false }

  private static let rows = 7

  private var isOffering: Bool {
    if case .offering = model.phase { true } else { false }
  }

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
    guard let answer = answers.first(where: { $0.rect.contains(point) }) else { return false }
    model.answer(answer.isYes)
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

  /// The rows at the top that a low window leaves out.
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
    let sale = FieldText.sale(of: model.draft.values, strings).filter { $0.field != .price }
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
    let theme = context.theme
    canvas.write(
      context.strings[.askOutbox].truncated(toColumns: area.columns),
      at: area.row(4 - hidden).origin, style: theme.text)
    for answer in answers {
      let isChosen = answer.isYes == isYes
      let style = isChosen ? theme.selected(theme.accent) : theme.secondary
      if isChosen { canvas.setCursor(at: answer.rect.origin, isVisible: false) }
      canvas.write((isChosen ? "▸ " : "  ") + answer.text, at: answer.rect.origin, style: style)
    }
  }

  private func drawPassword(_ problem: FieldError.Problem?, on canvas: inout Canvas) {
    let strings = context.strings
    PasswordField(
      label: strings[ProductField.password.phrase], secret: model.secret, rect: area.row(4 - hidden)
    )
    .draw(on: &canvas, context)
    let text = problem.map { "✗ " + ProblemText.text($0, of: .password, strings) }
    canvas.write(
      (text ?? strings[.formPasswordHint]).truncated(toColumns: area.columns),
      at: area.row(5 - hidden).origin,
      style: text == nil ? context.theme.secondary : context.theme.warning)
  }

  /// Where the two answers stand, side by side; none while the password is asked for.
  private var answers: [(isYes: Bool, text: SafeText, rect: CellRect)] {
    guard isOffering else { return [] }
    var position = area.row(5 - hidden).origin
    return [(true, Phrase.keySubmit), (false, .answerLater)].map { isYes, phrase in
      let text = context.strings[phrase] + " "
      let rect = CellRect(origin: position, size: CellSize(columns: text.columns + 2, rows: 1))
      position = position.moved(columns: rect.columns + 2)
      return (isYes, text, rect)
    }
  }
}
