package import EditorKit
package import MarketModel
import Observation

/// The search field: results follow as one types, and leaving it with Esc brings back what was shown
/// before.
@Observable
package final class SearchModel: LineLayer {
  package private(set) var editor: LineEditor

  private let browser: BrowserModel
  private let clock: any Clock<Duration>
  private let placeBefore: BrowserModel.Place
  @ObservationIgnored private var debounce: Task<Void, Never>?

  private static let longestQuery = 200
  private static let debounceDelay = Duration.milliseconds(150)

  /// Begins with what is searched for now.
  package init(browser: BrowserModel, clock: any Clock<Duration>) {
    self.browser = browser
    self.clock = clock
    placeBefore = browser.place
    editor = LineEditor(browser.feed.query.text, limit: Self.longestQuery)
  }

  /// Why there are no results; what is shown then is what was shown before.
  package var failure: RepositoryError? {
    browser.feed.isStale ? browser.feed.phase.failure : nil
  }

  /// Changes the text; the results follow when nothing more is typed for a moment.
  package func edit(_ change: (inout LineEditor) -> Void) {
    let before = editor.text
    change(&editor)
    guard editor.text != before else { return }
    debounce?.cancel()
    debounce = Task.immediate {
      try? await clock.sleep(for: Self.debounceDelay)
      guard !Task.isCancelled else { return }
      showResults()
    }
  }

  /// Shows the results of what stands in the field, at once.
  package func confirm() {
    debounce?.cancel()
    showResults()
  }

  /// Goes back to what was shown before the search began.
  package func cancel() {
    debounce?.cancel()
    browser.restore(placeBefore)
  }

  private func showResults() {
    var query = browser.feed.query
    query.text = editor.text.trimmed
    // A search is the market's, which cannot search what was registered from here alone.
    if browser.capabilities?.queriesBySeller == false { query.sellers = [] }
    browser.show(query)
  }
}

extension SearchModel {
  /// Opens the search, or says that this market has none.
  package static func open(on navigator: Navigator) {
    let browser = navigator.browser
    guard browser.capabilities?.offers(.words) != false else {
      return navigator.announce(.hint(.noSearch))
    }
    navigator.stack.push(SearchModel(browser: browser, clock: navigator.clock))
  }
}
