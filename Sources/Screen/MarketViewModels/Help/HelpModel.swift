package import SafeTextKit

/// The help page: what works in the layer below, narrowed by what is typed.
package final class HelpModel: LineLayer, ListModel {
  /// Keys and what they do.
  package nonisolated struct Line: Hashable, Identifiable, Sendable {
    /// Counted among all that the page has.
    package let id: Int
    package let keys: SafeText
    package let words: SafeText

    package init(id: Int, keys: SafeText, words: SafeText) {
      (self.id, self.keys, self.words) = (id, keys, words)
    }
  }

  /// The headings are words.
  package let list = SectionedList<SafeText, Line>(hasGaps: true)

  package init() {}
}

extension HelpModel {
  package static func open(on navigator: Navigator) { navigator.stack.push(HelpModel()) }
}
