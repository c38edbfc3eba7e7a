import MarketStrings
internal import MarketViewModels
internal import TerminalKit

/// Keys that mark several of the seller's own products and change them.
///
/// They come first in the table: with marks, the keys that change one product change all marked ones.
enum BulkEditKeys {
  static let rows: [Binding<BrowserView>] = (steps + marking).grouped(.sell)

  private static let steps: [Binding<BrowserView>] = SharedBindings.saleSteps(
    footer: 6, next: { SaleStep.next(for: $0.navigator.marked.products) }, when: \.hasMarks,
    make: { $0.navigator.makeWithMarked($1) })

  private static let marking: [Binding<BrowserView>] = [
    Binding("clear-marks", [.escape], .keyClearMarks, footer: 12, when: \.hasMarks) {
      $0.navigator.marked.clear()
    },
    Binding(SharedBindings.actionsName, ["x", "e"], .keyChangeMarked, footer: 5, when: \.hasMarks) {
      $0.navigator.openMarkedMenu()
    },
    Binding(
      "delete", ["D", .delete], .keyDeleteMarked, footer: 8, isDestructive: true, when: \.hasMarks
    ) { $0.navigator.changeMarked(.deletion) },
    Binding("mark", [" "], .keyMark, footer: 35, when: \.mayMark) { $0.navigator.toggleMark() },
    Binding("mark-all", ["V", .control("a")], .keyMarkAll, when: \.mayMark) {
      $0.navigator.markAll()
    },
  ]
}

extension BrowserView {
  fileprivate var hasMarks: Bool { isAmongProducts && navigator.hasMarks }
  fileprivate var mayMark: Bool { hasChosen && navigator.showsMine }
}
