package import EditorKit
internal import MarketModel
import Observation

/// The search field: results follow as one types, and leaving it with Esc brings back what was shown
/// before.
@Observable
package final class SearchModel {
  package private(set) var editor = LineEditor(limit: longestQuery)

  private let browser: BrowserModel
  private let clock: any Clock<Duration>
  @ObservationIgnored private var queryBefore = ProductQuery()
  @ObservationIgnored private var debounce: Task<Void, Never>?

  private static let longestQuery = 200
  private static let debounceDelay = Duration.milliseconds(150)

  package init(browser: BrowserModel, clock: any Clock<Duration>) {
    self.browser = browser
    self.clock = clock
  }

  /// Begins with what is searched for now.
  package func begin() {
    queryBefore = browser.feed.query
    editor = LineEditor(queryBefore.text, limit: Self.longestQuery)
  }

  /// Changes the text; the results follow when nothing more is typed for a moment.
  package func edit(_ change: (inout LineEditor) -> Void) {
    let before = editor.text
    change(&editor)
    guard editor.text != before else { return }
    debounce?.cancel()
    debounce = Task.immediate {
      guard (try? await clock.sleep(for: Self.debounceDelay)) != nil else { return }
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
    browser.show(queryBefore)
  }

  private func showResults() {
    var query = browser.feed.query
    query.text = editor.text.trimmingSpaces()
    browser.show(query)
  }
}

extension String {
  /// The text without spaces at its ends.
  fileprivate func trimmingSpaces() -> String {
    let isSpace = { (character: Character) in character.isWhitespace }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(self[first...last])
  }
}
