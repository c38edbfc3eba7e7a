package import EditorKit
import Observation

/// The help page: what is looked for in it, and which of its rows is selected.
@Observable
package final class HelpModel: LineLayer {
  package private(set) var filter = LineEditor(limit: maxFilterLength)
  /// Counted among the rows that the filter leaves.
  package private(set) var selected = 0

  private static let maxFilterLength = 40

  package init() {}

  package func edit(_ change: (inout LineEditor) -> Void) {
    change(&filter)
    selected = 0
  }

  /// Moves the selection within `count` rows.
  package func move(by distance: Int, count: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, count - 1))
  }
}

extension HelpModel {
  package static func open(on navigator: Navigator) { navigator.stack.push(HelpModel()) }
}
