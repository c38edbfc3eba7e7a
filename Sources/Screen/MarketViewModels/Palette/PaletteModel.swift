package import EditorKit
package import MarketModel
import Observation

/// The palette: what is looked for among everything that the program can do, and which line is
/// selected.
@Observable
package final class PaletteModel: LineLayer {
  package private(set) var line = LineEditor(limit: maxLineLength)
  /// Counted among the lines that fit what is typed.
  package private(set) var selected = 0
  /// The searches that have a name, once they have been read.
  package private(set) var savedSearches: [SavedSearch] = []

  private static let maxLineLength = 60

  package init(personal: (any PersonalDataStore)? = nil) {
    guard let personal else { return }
    Task.immediate { [weak self] in
      let searches = await personal.savedSearches()
      if !searches.isEmpty { self?.savedSearches = searches }
    }
  }

  package func edit(_ change: (inout LineEditor) -> Void) {
    let before = line.text
    change(&line)
    if line.text != before { selected = 0 }
  }

  /// Moves the selection within `count` lines.
  package func move(by distance: Int, count: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, count - 1))
  }
}

extension PaletteModel {
  /// Opens the palette; where it is open, closes it.
  package static func toggle(on navigator: Navigator) {
    let stack = navigator.stack
    if let open = stack.first(PaletteModel.self) { return stack.close(open) }
    stack.push(PaletteModel(personal: navigator.program.personal))
  }
}

/// How often each entry of the palette was chosen in this run: what is used much comes first.
package final class PaletteUsage {
  private var counts: [String: Int] = [:]

  package init() {}

  package func count(of entry: String) -> Int { counts[entry] ?? 0 }

  package func didChoose(_ entry: String) { counts[entry, default: 0] += 1 }
}
