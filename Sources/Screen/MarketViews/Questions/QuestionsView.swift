package import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension QuestionsModel: ViewedLayer {
  package func view(in frame: Frame) -> QuestionsView { QuestionsView(model: self, frame: frame) }
}

/// List of the questions about a product, with the selected one in full beside it.
package struct QuestionsView: FullListView {
  package let model: QuestionsModel
  package let frame: Frame

  package static var screenName: Phrase? { .columnQuestions }
  package static let bindings = BindingTable<QuestionsView>(
    [
      answering([.enter, "a"], when: \.frame.chosen.isOwn),
      answering([.enter]),
      SharedBindings.asking(footer: 15, when: { !$0.frame.chosen.isOwn }),
      Binding(
        "delete-question", [.delete, "D"], .keyDeleteQuestion, footer: 20, isDestructive: true,
        offered: \.mayDelete
      ) { view in
        if let question = view.list.selected { view.navigator.beginDeletion(of: question) }
      }.needing(.paletteOwnProduct),
      SharedBindings.reporting(perform: { view in
        if let question = view.list.selected { view.navigator.beginReport(of: question) }
      }),
      SharedBindings.undo(),
      Binding("refresh", ["r", .function(5)], .keyRefresh) { $0.navigator.refresh() },
    ] + SharedBindings.list(back: [.escape, "q", .backspace], footer: 30))
  package static var opens: [any LayerView.Type] {
    [FormLayerView.self, PasswordView.self, ConfirmationView.self, MenuView.self]
  }

  /// Key that answers the selected question; nobody asks about an own product.
  private static func answering(
    _ keys: [KeyPress], when applies: Binding<QuestionsView>.Condition? = nil
  ) -> Binding<QuestionsView> {
    Binding(
      "answer-question", keys, .keyAnswer, footer: 10, when: applies, offered: \.mayAnswer
    ) { $0.choose() }
    .hinted(when: \.frame.chosen.knowsPassword)
    .needing { $0.hasItems ? .paletteOwnProduct : .paletteListEmpty }
  }

  private var mayAnswer: Bool { hasItems && frame.chosen.mayChange }
  private var mayDelete: Bool {
    list.selected.map { $0.isOwn && $0.answer == nil } == true
      || hasItems && frame.chosen.knowsPassword
  }

  package var title: WindowTitle? {
    WindowTitle(
      context.strings.counted(.questionsCount, model.page?.count ?? 0),
      note: navigator.chosen?.name ?? .empty)
  }

  package var emptyText: SafeText {
    if let failure = model.page?.failure { return ErrorText.text(failure, context.strings) }
    let none = context.strings[.questionsNone]
    guard navigator.chosen.map(navigator.refusalToAsk) == .some(nil),
      let ask = rows.first(where: { $0.name == "ask" })
    else { return none }
    let key = KeyName.text(of: ask, inWords: context.writesKeysInWords)
    return none + " · " + key + " " + context.strings[.keyAsk]
  }

  package func words(of question: Question) -> [SafeText] { facts(of: question).map(\.text) }

  package func choose(_ question: Question) { navigator.beginAnswer(to: question) }

  package func draw(_ question: Question, in row: ListRow, on canvas: inout Canvas) {
    let words = QuestionText(question, context)
    let isOpen = question.answer == nil
    let mark: SafeText = navigator.isOwn(navigator.chosen) ? isOpen ? "• " : "  " : .empty
    let state = isOpen ? context.strings[.questionUnanswered] : .empty
    ListLine(
      text: mark + words.asker + "  " + words.text,
      remark: [words.offer, state].filter { !$0.isEmpty }.joined(separator: " · "),
      isNumbered: false
    ).draw(in: row, on: &canvas)
  }

  package func picture(of question: Question) -> PreviewPicture {
    navigator.chosen?.product.thumbnail.map(PreviewPicture.ready) ?? .none
  }

  /// Returns a question and its answer in full, indented below their authors.
  package func facts(of question: Question) -> [ListFact] {
    let (words, theme) = (QuestionText(question, context), context.theme)
    func lines(_ text: String?) -> [ListFact] {
      text.map(SafeText.lines)?.map { ListFact(text: $0, style: theme.text, indent: 2) } ?? []
    }
    let asked = context.strings[.questionText] + " · " + words.asker
    return [ListFact(text: asked, style: theme.secondary)] + lines(question.text)
      + [ListFact(text: words.offer, style: theme.accent, indent: 2)]
      + (words.answerer.map { [ListFact(text: $0, style: theme.answerer)] } ?? [])
      + lines(question.answer?.text)
  }
}

extension Report.Reason {
  var phrase: Phrase {
    switch self {
    case .forbidden: .reportForbidden
    case .fraud: .reportFraud
    case .wrongCategory: .reportWrongCategory
    case .offensive: .reportOffensive
    case .duplicate: .reportDuplicate
    case .other: .reportOther
    }
  }
}

extension SharedBindings {
  /// Command that reports the chosen product, or what `perform` reports, to the market's operators.
  static func reporting<V: LayerView>(
    when applies: ((V) -> Bool)? = nil,
    perform: @escaping (V) -> Void = { $0.navigator.beginReport() }
  ) -> Binding<V> {
    let refusal = { (view: V) in view.navigator.refusalToReport }
    return Binding(
      "report", ["E"], .keyReport, when: applies, offered: { refusal($0) == nil }, perform
    )
    .grouped(.product).hinted { _ in false }
    .needing { refusal($0).map(NoticeText.phrase) ?? .paletteNoProduct }
  }

  /// Key that asks a question about the chosen product.
  static func asking<V: LayerView>(
    footer: Int? = nil, when applies: ((V) -> Bool)? = nil
  ) -> Binding<V> {
    let refusal = { (view: V) in view.frame.chosen.refusalToAsk }
    return Binding(
      "ask", ["a"], .keyAsk, footer: footer, when: applies, offered: { refusal($0) == nil }
    ) { $0.navigator.beginQuestion() }
    .grouped(.product).needing { refusal($0).map(NoticeText.phrase) ?? .paletteNoProduct }
  }
}
