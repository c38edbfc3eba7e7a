internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension SearchModel: ViewedLayer {
  package func view(in frame: Frame) -> SearchView { SearchView(model: self, frame: frame) }
}

/// Search line above the bottom bar, with notes below it; the products above it follow.
package struct SearchView: LineView {
  package let model: SearchModel
  package let frame: Frame

  package static let bindings = BindingTable<SearchView>(
    [
      Binding("confirm", [.enter], .keyConfirm, footer: 10) { view in
        // What the search opens is above the products, not above the line.
        view.close()
        view.navigator.follow(view.model.confirm())
        view.tellNotes()
      },
      Binding("cancel", [.escape], .keyCancel, footer: 20) { view in
        view.model.cancel()
        view.close()
      },
      Binding("saved-searches", [.tab], .keySavedSearches, footer: 30, when: \.model.isEmpty) {
        $0.model.openSaved(on: $0.navigator)
      },
      Binding("complete", [.tab], .keyComplete, footer: 30, when: \.hasText) {
        $0.model.complete()
      },
      Binding("complete-backwards", [.backTab], .keyCompleteBackwards, when: \.hasText) {
        $0.model.complete(by: -1)
      },
      Binding("older-search", [.up, .control("p")], .keyOlderSearch, footer: 40) {
        $0.model.recallOlder()
      },
      Binding("newer-search", [.down, .control("n")], .keyNewerSearch) { $0.model.recallNewer() },
      Binding("save-search", [.control("s")], .keySaveSearch, footer: 50) {
        $0.model.beginSaving(on: $0.navigator)
      },
      Binding("search-syntax", [.function(1)], .keySearchSyntax, footer: 90) {
        $0.model.toggleSyntax()
      },
      SharedBindings.quit(),
    ])
  package static var opens: [any LayerView.Type] { [PersonalListView.self, PromptView.self] }
  package static var takesOwnKeys: Bool { false }

  private var hasText: Bool { !model.isEmpty }

  /// Shows the notes on the search after its line is closed.
  private func tellNotes() {
    let notes = notes(SearchRequest.amountErrors(in: model.editor.text))
    if !notes.isEmpty { navigator.announce(.words(notes.joined(separator: " · "))) }
  }

  private func notes(_ errors: [AmountError]) -> [SafeText] {
    errors.map { ProblemText.text($0, context.strings) }
      + model.searching.notes.map { RequestText.note($0, context.strings) }
  }

  package var editingRows: [EditingRow] { LineKeys.rows }

  package func draw(on canvas: inout Canvas) {
    canvas.fill(panel, style: context.theme.bar)
    field.draw(on: &canvas, context)
    if model.showsSyntax { return drawSyntax(on: &canvas) }
    var position = below.origin
    for piece in pieces {
      let room = below.maxColumn - position.column
      guard room > 0 else { return }
      canvas.write(piece.text.truncated(toColumns: room), at: position, style: piece.style)
      position = position.moved(columns: piece.text.columns + Self.gap)
    }
  }

  private static let gap = 2
  /// Columns between an example and its meaning.
  private static let meaningGap = 3

  // MARK: Places

  /// Area of the line and the rows below it.
  private var panel: CellRect {
    let rows = model.showsSyntax ? SearchSyntax.allCases.count : 1
    return frame.body.splitBottom(min(rows + 1, frame.body.rows)).bottom
  }

  private var below: CellRect {
    panel.inset(left: ScreenLayout.margin, top: 1, right: ScreenLayout.margin)
  }

  package var field: FieldLine {
    let margin = ScreenLayout.margin
    return FieldLine(
      label: context.strings[.search], editor: model.editor,
      rect: panel.row(0).inset(left: margin, right: margin),
      hint: context.strings[.searchHint], labelStyle: context.theme.barSecondary)
  }

  // MARK: Under the line

  private typealias Piece = (text: SafeText, style: Style)

  /// Most urgent text below the line: completions, why there are no results, or the syntax while the
  /// line is empty.
  private var pieces: [Piece] {
    let theme = context.theme
    if let completion = model.completion, !completion.candidates.isEmpty {
      return completions(completion)
    }
    if let error = model.failure {
      let text = ErrorText.withRetry(
        error, context.strings, key: KeyName.text(.enter), columns: below.columns)
      return [(text, theme.barWarning)]
    }
    let notes = notes(model.amountErrors)
    if !notes.isEmpty { return [(notes.joined(separator: " · "), theme.barWarning)] }
    guard model.isEmpty else { return [] }
    return SearchSyntax.allCases.map { ($0.sample(context.strings.language), theme.barSecondary) }
  }

  /// Returns the candidates; where they do not fit, from the chosen one on.
  private func completions(_ completion: SearchCompletion) -> [Piece] {
    let theme = context.theme
    let pieces = completion.candidates.enumerated().map { index, text in
      (SafeText(text), index == completion.chosen ? theme.barAccent : theme.barSecondary)
    }
    let columns = pieces.reduce(0) { $0 + $1.0.columns + Self.gap } - Self.gap
    return columns <= below.columns ? pieces : Array(pieces.dropFirst(completion.chosen ?? 0))
  }

  private func drawSyntax(on canvas: inout Canvas) {
    let language = context.strings.language
    let samples = SearchSyntax.allCases.map { $0.sample(language) }
    let columns = min(samples.map(\.columns).max() ?? 0, below.columns / 2)
    for (row, (form, sample)) in zip(SearchSyntax.allCases, samples).enumerated()
    where row < below.rows {
      let line = below.row(row)
      canvas.write(
        sample.truncated(toColumns: columns), at: line.origin, style: context.theme.barAccent)
      let position = line.inset(left: columns + Self.meaningGap)
      canvas.write(
        context.strings[form.meaning].truncated(toColumns: position.columns), at: position.origin,
        style: context.theme.barSecondary)
    }
  }
}
