package import EditorKit
package import MarketModel
internal import SafeTextKit

/// The search line: results follow as one types, and leaving it with Esc brings back what was shown
/// before.
package final class SearchModel: LineLayer {
  @Observed package private(set) var editor: LineEditor
  /// What the text under way may become, by `Tab`.
  @Observed package private(set) var completion: SearchCompletion?
  /// Whether all that the line understands is told under it.
  @Observed package private(set) var showsSyntax = false

  package let searching: SearchController
  private let personal: (any PersonalDataStore)?
  private let language: SearchLanguage
  /// The names that `in:` may be followed by.
  private let marketNames: [String]
  private let placeBefore: BrowsedList.Position
  @Observed private var history = SearchHistory()
  private var asking: Task<Void, Never>?

  static let maxLineLength = 400
  static let pause = Duration.milliseconds(150)
  private static let rememberedSearches = 100

  /// Begins with what the products are asked for now.
  package init(
    searching: SearchController, personal: (any PersonalDataStore)? = nil,
    language: SearchLanguage, marketNames: [String] = []
  ) {
    self.searching = searching
    self.personal = personal
    self.language = language
    self.marketNames = marketNames
    placeBefore = searching.browser.place
    let line = searching.request.line(in: language)
    // Words begin behind a filter, and go on where words are.
    let isOpen = !line.isEmpty && searching.request.terms.isEmpty
    editor = LineEditor(isOpen ? line + " " : line, limit: Self.maxLineLength)
    searching.begin()
    guard let personal else { return }
    Task.immediate {
      history.didLoad(await personal.pastSearches(atMost: Self.rememberedSearches))
    }
  }

  /// Why there are no results; what is shown then is what was shown before.
  package var failure: RepositoryError? {
    let feed = searching.browser.feed
    return feed.isStale ? feed.phase.failure : nil
  }

  /// What is wrong with the amounts of the line, as far as no more typing mends it.
  package var amountErrors: [AmountError] {
    SearchRequest.amountErrors(in: editor.text, isOpen: true)
  }

  /// Changes the text; the results follow when nothing more is typed for a moment.
  package func edit(_ change: (inout LineEditor) -> Void) {
    let before = editor.text
    change(&editor)
    if completion != nil { completion = nil }
    guard editor.text != before else { return }
    history.didType()
    textDidChange()
  }

  /// Shows the results of what stands in the line, at once, and keeps it for later; what leads elsewhere
  /// is left to who asked.
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

  /// The link that stands in the line; nil for words.
  private var link: ProductAddress? { ProductAddress.only(in: editor.text) }

  /// Goes back to what was shown before the search began.
  package func cancel() { searching.leave(to: placeBefore) }

  package func toggleSyntax() { showsSyntax.toggle() }

  package func didClose() { asking?.cancel() }

  /// Puts another line in the place of the text.
  package func replace(with line: String) {
    guard line != editor.text else { return }
    editor.buffer.selectAll()
    editor.paste(line)
    completion = nil
    textDidChange()
  }

  private func textDidChange() {
    // A link is no search: the market that is shown need not know where it leads.
    if link != nil || ProductAddress.isBegun(by: editor.text) { return searching.cancel() }
    searching.ask(
      for: SearchRequest(reading: SearchText.finished(editor.text, caret: editor.buffer.caret)),
      after: Self.pause)
  }

  // MARK: What was asked before

  /// Goes to the search before the one that stands there.
  package func recallOlder() {
    if let line = history.older(than: editor.text) { replace(with: line) }
  }

  /// Goes to the one after it, and at last to what was being typed.
  package func recallNewer() {
    if let line = history.newer() { replace(with: line) }
  }

  // MARK: Completing

  /// Whether there is nothing to be completed yet.
  package var isEmpty: Bool { editor.text.trimmed.isEmpty }

  /// Completes the word at the caret, or goes on to the next of what it may become.
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

  /// Adds the sellers that the market knows, where nothing else was typed meanwhile.
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

  /// What is saved: the line in the words in which it is written anew.
  package var lineToSave: String { SearchRequest(reading: editor.text).line(in: language) }
}

extension SearchModel {
  /// Opens the search, or says that this market has none.
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
