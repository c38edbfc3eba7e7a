package import SafeTextKit

/// Help page: the keys of the layer below, filtered by typed words.
package final class HelpModel: LineLayer, ListModel {
  /// Keys with their description.
  package nonisolated struct Line: Hashable, Identifiable, Sendable {
    /// Index among all lines of the page.
    package let id: Int
    package let keys: SafeText
    package let words: SafeText

    package init(id: Int, keys: SafeText, words: SafeText) {
      (self.id, self.keys, self.words) = (id, keys, words)
    }
  }

  /// The headings are texts.
  package let list = SectionedList<SafeText, Line>(hasGaps: true)

  package init() {}
}

extension HelpModel {
  package static func open(on navigator: Navigator) { navigator.stack.push(HelpModel()) }
}
