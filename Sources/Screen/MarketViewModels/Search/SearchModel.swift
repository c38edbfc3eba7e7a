package import EditorKit
package import MarketModel
internal import SafeTextKit

/// Search line: the list follows each change; Esc restores the list as it was.
package final class SearchModel: LineLayer {
  @Observed package private(set) var editor: LineEditor
  /// Completion of the word at the caret; nil if none is in progress.
  @Observed package private(set) var completion: SearchCompletion?
  /// Whether the help on the syntax is shown below the line.
  @Observed package private(set) var showsSyntax = false

  package let searching: SearchController
  private let personal: (any PersonalDataStore)?
  private let language: SearchLanguage
  /// Market names, for the completion of `in:`.
  private let marketNames: [String]
  private let placeBefore: ProductList.Snapshot
  @Observed private var history = SearchHistory()
  private var asking: Task<Void, Never>?

  /// Maximum characters of the line.
  static let maxLineLength = 400
  /// Pause in typing after which the list is searched.
  static let pause = Duration.milliseconds(150)
  /// Maximum number of past searches that are read.
  private static let rememberedSearches = 100

  /// Makes the line with the current request.
  package init(
    searching: SearchController, personal: (any PersonalDataStore)? = nil,
    language: SearchLanguage, marketNames: [String] = []
  ) {
    self.searching = searching
    self.personal = personal
    self.language = language
    self.marketNames = marketNames
    placeBefore = searching.browser.list.snapshot
    let line = searching.request.line(in: language)
    // New words begin behind a filter, and continue existing ones.
    let isOpen = !line.isEmpty && searching.request.terms.isEmpty
    editor = LineEditor(isOpen ? line + " " : line, limit: Self.maxLineLength)
    searching.prepare()
    guard let personal else { return }
    Task.immediate {
      history.didLoad(await personal.pastSearches(atMost: Self.rememberedSearches))
    }
  }

  /// Error of the current search; nil if it did not fail.
  ///
  /// The previous rows stay.
  package var failure: RepositoryError? {
    let feed = searching.browser.feed
    return feed.isStale ? feed.phase.failure : nil
  }

  /// Errors of amounts in the line that further typing cannot fix.
  package var amountErrors: [AmountError] {
    SearchRequest.amountErrors(in: editor.text, isOpen: true)
  }

  /// Edits the text; the list follows after a pause.
  package func edit(_ change: (inout LineEditor) -> Void) {
    let before = editor.text
    change(&editor)
    if completion != nil { completion = nil }
    guard editor.text != before else { return }
    history.didType()
    textDidChange()
  }

  /// Shows the results at once and adds the line to the history.
  /// - Returns: the destination of a link or of a search of other markets; nil otherwise.
  package func confirm() -> SearchExit? {
    if let link {
      searching.leave(to: placeBefore)
      return .link(link)
    }
    let line = editor.text.trimmed
    let exit = searching.confirm(SearchRequest(reading: line), from: placeBefore)
    if !line.isEmpty, let personal { Task.immediate { await personal.didSearch(for: line) } }
    return exit
  }

  /// The link in the line; nil for a search.
  private var link: ProductAddress? { ProductAddress.only(in: editor.text) }

  /// Restores the list as it was before the search.
  package func cancel() { searching.leave(to: placeBefore) }

  package func toggleSyntax() { showsSyntax.toggle() }

  package func didClose() { asking?.cancel() }

  /// Replaces the line.
  package func replace(with line: String) {
    guard line != editor.text else { return }
    editor.buffer.selectAll()
    editor.paste(line)
    completion = nil
    textDidChange()
  }

  private func textDidChange() {
    // A link is not searched: the shown market need not know where it leads.
    if link != nil || ProductAddress.isBegun(by: editor.text) { return searching.cancel() }
    searching.ask(
      for: SearchRequest(reading: SearchText.finished(editor.text, caret: editor.buffer.caret)),
      after: Self.pause)
  }

  // MARK: History

  /// Replaces the line by the previous search.
  package func recallOlder() {
    if let line = history.older(than: editor.text) { replace(with: line) }
  }

  /// Replaces the line by the next search, at last by the typed line.
  package func recallNewer() {
    if let line = history.newer() { replace(with: line) }
  }

  // MARK: Completion

  /// Whether the line is empty.
  package var isEmpty: Bool { editor.text.trimmed.isEmpty }

  /// Completes the word at the caret, or inserts the next candidate.
  package func complete(by step: Int = 1) {
    if completion != nil { return takeNext(by: step) }
    let word = SearchText.word(before: editor.buffer.caret, in: editor.text)
    let found = candidates(for: word.text)
    completion = SearchCompletion(start: word.start, typed: word.text, candidates: found)
    if !found.isEmpty { takeNext(by: step) }
    askForSellers(of: word)
  }

  private func takeNext(by step: Int) {
    guard var next = completion, let text = next.move(by: step) else { return }
    let caret = editor.buffer.caret
    editor.buffer.move(to: next.start)
    editor.buffer.move(to: caret, selecting: true)
    editor.paste(text)
    completion = next
    textDidChange()
  }

  private func candidates(for word: String) -> [String] {
    if let name = SearchText.sellerName(begunBy: word) {
      return searching.loadedSellers(beginningWith: name).map(SearchText.mention)
    }
    if let place = SearchText.text(in: word, behind: .place) {
      return searching.places(beginningWith: place).map { place in
        var request = SearchRequest()
        request.place = place
        return request.line(in: language)
      }
    }
    let begun = SearchText.text(in: word, behind: .market)?.folded
    let markets = marketNames.filter { name in
      begun.map(name.folded.hasPrefix) ?? false
    }
    return SearchKeyword.completions(of: word, in: language)
      + markets.map { SearchRequest(scope: .market($0)).line(in: language) }
  }

  /// Adds seller names of the market to the candidates, unless something else was typed.
  private func askForSellers(of word: (start: Int, text: String)) {
    guard let name = SearchText.sellerName(begunBy: word.text), !name.isEmpty else { return }
    asking?.cancel()
    asking = Task.immediate {
      let names = await searching.sellers(beginningWith: name)
      guard !Task.isCancelled, completion?.typed == word.text else { return }
      completion?.add(names.map(SearchText.mention))
      if completion?.chosen == nil { takeNext(by: 1) }
    }
  }

  // MARK: Saved searches

  /// The line in its normal form, as it is saved.
  package var lineToSave: String { SearchRequest(reading: editor.text).line(in: language) }
}

extension SearchModel {
  /// Opens the search line, or announces that the market has no search.
  package static func open(on navigator: Navigator, in language: SearchLanguage) {
    let capabilities = navigator.browser.capabilities
    guard QueryPart.allCases.contains(where: { capabilities?.offers($0) != false }) else {
      return navigator.announce(.hint(.noSearch))
    }
    navigator.stack.push(
      SearchModel(
        searching: navigator.searching, personal: navigator.program.personal, language: language,
        marketNames: navigator.markets?.names ?? []))
  }
}
