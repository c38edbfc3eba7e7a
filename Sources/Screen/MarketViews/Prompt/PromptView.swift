internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension PromptModel: ViewedLayer {
  package func view(in frame: Frame) -> PromptView { PromptView(model: self, frame: frame) }
}

/// Dialog of one text line, with its subject above, and a hint or the outcome below.
package struct PromptView: LineView {
  package let model: PromptModel
  package let frame: Frame

  package static let bindings = BindingTable<PromptView>([
    Binding("confirm", [.enter], .keyMakeMarket, footer: 10, when: \.makesMarket) { $0.confirm() },
    Binding("confirm", [.enter], .keyAskMarket, footer: 10, when: \.asksMarket) { $0.confirm() },
    Binding(
      "save-setting", [.enter, .control("s")], .keySaveSetting, footer: 10, when: \.isSetting
    ) { $0.confirm() },
    Binding("confirm", [.enter], .keyConfirm, footer: 10, when: \.isNoSetting) { $0.confirm() },
    SharedBindings.cancel(footer: 20) { $0.model.cancel() },
  ])
  package static var takesOwnKeys: Bool { false }

  private var makesMarket: Bool { if case .missing = model.outcome { true } else { false } }
  private var asksMarket: Bool { model.subject == .marketAddress }
  private var isNoSetting: Bool { !isSetting }
  private var isSetting: Bool { if case .setting = model.subject { true } else { false } }

  private func confirm() {
    guard !model.confirm() else { return }
    switch model.subject {
    case .searchName, .templateName: navigator.announce(.hint(.nameFirst))
    default: break
    }
  }

  package func draw(on canvas: inout Canvas) {
    let (words, theme) = (words, context.theme)
    let mark: SafeText = isRefused ? "✗ " : .empty
    let (box, area, fieldRow) = places(of: words)
    box.draw(on: &canvas)
    for (row, line) in words.head.prefix(fieldRow).enumerated() {
      let text = row == 0 && words.note.isEmpty ? mark + line : line
      canvas.write(
        text.truncated(toColumns: area.columns), at: area.row(row).origin,
        style: isRefused ? theme.warning : words.isPadded ? theme.text : theme.secondary)
    }
    field.draw(on: &canvas, context)
    let note = (mark + words.note).wrapped(toColumns: max(1, area.columns))
    let free = max(0, area.rows - fieldRow - 1)
    for (row, line) in note.prefix(words.note.isEmpty ? 0 : min(free, words.noteRows)).enumerated()
    {
      canvas.write(
        line, at: area.row(fieldRow + 1 + row).origin,
        style: isRefused ? theme.warning : theme.secondary)
    }
  }

  package var field: FieldLine {
    let words = words
    let (_, area, fieldRow) = places(of: words)
    return FieldLine(
      label: words.label, editor: model.editor, rect: area.row(fieldRow), hint: words.hint)
  }

  /// Positions of the box, its content, and the text line's row in it.
  ///
  /// One line of heading is followed by a blank one, which a second line replaces.
  private func places(of words: PromptWords) -> (box: Box, area: CellRect, fieldRow: Int) {
    let headRows = words.head.isEmpty ? 0 : max(2, words.head.count)
    let rows = headRows + 1 + words.noteRows + (words.isPadded ? 2 : 0)
    let box = Box(title: words.title, rows: rows, in: bounds, context)
    let padding = words.isPadded && box.content.rows >= rows ? 1 : 0
    let margin = words.isPadded ? 1 : 0
    let area = box.content.inset(left: margin, top: padding, right: margin, bottom: padding)
    return (box, area, max(0, min(headRows, area.rows - 1)))
  }

  private var bounds: CellRect { isSetting ? FullListLayout(frame).list : frame.body }

  /// Whether the input was refused.
  private var isRefused: Bool {
    switch model.outcome {
    case .noAmount, .severalCurrencies, .noContact, .noMarket, .failed: true
    case .asking, .missing, nil: false
    }
  }

  // MARK: Words

  private var words: PromptWords {
    let strings = context.strings
    let name = strings[ProductField.name.phrase]
    switch model.subject {
    case .alertAmount(let target):
      return PromptWords(
        title: strings[.alertBelowTitle],
        label: MoneyText.code(target.currency(of: model.editor.text)),
        head: [
          problem(.alertAmountRefused) ?? SafeText(target.name),
          target.price.map { AlertText.priceToday($0, strings) },
        ].compactMap(\.self))
    case .favoriteNote(let name):
      return PromptWords(
        title: strings[.keyNote], hint: strings[.favoriteNoteHint], head: [name])
    case .searchName(let line):
      return PromptWords(title: strings[.saveSearchTitle], label: name, head: [SafeText(line)])
    case .marketAddress:
      return PromptWords(
        title: strings[.marketAddTitle], label: strings[.marketAddLabel], hint: "market.example",
        note: marketNote, noteRows: 3)
    case .marketName(let market, let summary):
      return PromptWords(
        title: strings[summary == nil ? .marketRenameTitle : .marketAddTitle],
        label: strings[.marketNameLabel], note: note(on: market, summary),
        noteRows: rows(of: note(on: market, summary)))
    case .everywhere:
      return PromptWords(
        title: strings[.everywhereTitle], label: strings[.search], note: strings[.everywhereHint],
        noteRows: rows(of: strings[.everywhereHint]))
    case .setting(let row, let form):
      let standard = SafeText(row.standard)
      return PromptWords(
        title: SafeText(row.name), hint: standard,
        note: strings(
          .settingsForm, SafeText(form),
          standard.isEmpty ? strings[.settingsNothing] : standard), noteRows: 2)
    case .templateName: return PromptWords(title: strings[.templateNameTitle], label: name)
    case .sellerName: return asking(.sellerNameQuestion, .sellerName)
    case .sellerContact:
      return asking(isRefused ? .sellerContactRefused : .sellerContactQuestion, .sellerContact)
    case .report(let reason):
      return PromptWords(
        title: strings[.reportTitle], label: strings[.reportText], head: [strings[reason.phrase]],
        note: strings[.reportNote], noteRows: rows(of: strings[.reportNote]))
    case .bulkPrice:
      let note = problem(.bulkPriceHint) ?? strings[.bulkPriceHint]
      return PromptWords(
        title: strings[.bulkPrice], label: strings[ProductField.price.phrase], hint: "-10%",
        note: note, noteRows: max(rows(of: note), rows(of: strings[.bulkPriceHint])))
    case .bulkStock:
      return PromptWords(
        title: strings[.bulkStock], label: strings[ProductField.stock.phrase], hint: "1",
        note: strings[.bulkStockHint], noteRows: rows(of: strings[.bulkStockHint]))
    }
  }

  /// Text why the input is no amount; nil where it was not refused as such.
  private func problem(_ noAmount: Phrase) -> SafeText? {
    if case .severalCurrencies(let currencies) = model.outcome {
      let names = currencies.map { SafeText($0.rawValue) }.joined(separator: ", ")
      return context.strings(.bulkPriceCurrencies, names)
    }
    guard case .noAmount(let error) = model.outcome else { return nil }
    return error == .noAmount
      ? context.strings[noAmount] : ProblemText.text(error, context.strings)
  }

  /// Rows of a note in the box, with the mark of a problem.
  private func rows(of note: SafeText) -> Int {
    let columns = Box(title: .empty, rows: 3, in: bounds, context).content.columns
    return ("✗ " + note).wrapped(toColumns: max(1, columns)).count
  }

  /// Returns the texts of a question to a seller, with padding.
  private func asking(_ question: Phrase, _ field: ProductField) -> PromptWords {
    let columns = Box(title: .empty, rows: 3, in: frame.body, context).content.columns - 2
    return PromptWords(
      title: context.strings[.sellerNameTitle], label: context.strings[field.phrase],
      head: context.strings[question].wrapped(toColumns: max(1, columns)), isPadded: true)
  }

  /// Outcome of an entered address, with the next step.
  private var marketNote: SafeText {
    let strings = context.strings
    switch model.outcome {
    case .asking(let market): return strings(.marketAsking, market.name ?? .empty)
    case .noMarket: return strings[.marketUnreadable]
    case .missing(let market): return strings(.marketMissing, SafeText(market.location.text ?? ""))
    case .failed(.unreachable(.insecure)): return strings[.marketInsecure]
    case .failed(let error): return strings(.marketAskAgain, ErrorText.text(error, strings))
    case .noAmount, .severalCurrencies, .noContact, nil: return strings[.marketAddHint]
    }
  }

  /// Returns the text on the market found at an address.
  private func note(on market: KnownMarket, _ summary: MarketSummary?) -> SafeText {
    let place = SafeText(market.location.text ?? "")
    guard let summary else { return place }
    return context.strings(.marketAnswered, place, MarketAnswerText.text(summary, context.strings))
  }
}

/// Texts of a prompt.
private struct PromptWords {
  let title: SafeText
  var label = SafeText.empty
  /// Dimmed text of the empty line.
  var hint = SafeText.empty
  /// Lines above the text line.
  var head: [SafeText] = []
  /// Whether head and line have padding.
  var isPadded = false
  /// Text below the line, in up to `noteRows` rows.
  var note = SafeText.empty
  var noteRows = 0
}
