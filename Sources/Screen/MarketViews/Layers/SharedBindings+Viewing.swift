import MarketStrings
internal import MarketViewModels
internal import TerminalKit

extension SharedBindings {
  /// Keys for the products that were added since the last visit.
  static func seeing<V: LayerView>(
    when applies: ((V) -> Bool)? = nil
  ) -> [Binding<V>] {
    let areThere = { (view: V) in view.navigator.browser.seenTracker.newCount != nil }
    return [
      Binding(
        nextNewName, ["}"], .keyNextNew, footer: 55, when: applies, offered: areThere
      ) { $0.navigator.browser.seenTracker.goToNext() }.grouped(.move).needing(.paletteNothingNew),
      Binding("previous-new", ["{"], .keyPreviousNew, when: applies, offered: areThere) {
        $0.navigator.browser.seenTracker.goToPrevious()
      }.grouped(.move).needing(.paletteNothingNew),
      Binding(
        "mark-all-seen", ["A", .control("g")], .keyMarkAllSeen, when: applies, offered: areThere
      ) {
        $0.navigator.browser.seenTracker.markAllSeen()
      }.grouped(.view).needing(.paletteNothingNew),
    ]
  }

  /// Name of the command that goes to the next new product; a click on their count runs it.
  static let nextNewName = "next-new"
}
