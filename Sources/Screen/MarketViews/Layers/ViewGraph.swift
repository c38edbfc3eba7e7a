import MarketStrings
package import TerminalKit

/// All views that can be opened from a first one: settings, man page, completion and tests loop over
/// it, so that no view has to be listed anywhere.
package struct ViewGraph {
  /// Each view once, the first one first.
  package let views: [any LayerView.Type]

  /// A command that may get other keys.
  package struct Command: Hashable {
    /// What a settings file calls it.
    package let name: String
    /// What it is called on the screen, where that differs by view or state all of it.
    package fileprivate(set) var words: [Phrase]
  }

  package init(from first: any LayerView.Type) {
    var views: [any LayerView.Type] = [first]
    var index = 0
    while index < views.count {
      for view in views[index].opens where !views.contains(where: { $0 == view }) {
        views.append(view)
      }
      index += 1
    }
    self.views = views
  }

  /// The tables of all views: what tests look through.
  package var rows: [[Row]] { views.map { $0.staticRows } }

  /// A row of a table, whatever its view.
  package struct Row: Hashable {
    package let name: String
    package let keys: [KeyPress]
    package let words: Phrase
  }

  /// The commands that may get other keys, each once.
  package var commands: [Command] {
    var commands: [Command] = []
    for row in views.filter({ $0.takesOwnKeys }).flatMap({ $0.staticRows }) {
      if let index = commands.firstIndex(where: { $0.name == row.name }) {
        if !commands[index].words.contains(row.words) { commands[index].words.append(row.words) }
      } else {
        commands.append(Command(name: row.name, words: [row.words]))
      }
    }
    return commands
  }

  /// Commands that have no key left somewhere because theirs went to others.
  package func commandsWithoutKeys(_ keys: OwnKeys) -> [String] {
    var names: [String] = []
    for view in views where view.takesOwnKeys {
      names += view.namesWithoutKeys(keys).filter { !names.contains($0) }
    }
    return names
  }
}

extension LayerView {
  fileprivate static var staticRows: [ViewGraph.Row] {
    bindings.rows.map { ViewGraph.Row(name: $0.name, keys: $0.keys, words: $0.words) }
  }

  fileprivate static func namesWithoutKeys(_ keys: OwnKeys) -> [String] {
    keys.namesWithoutKeys(in: bindings.rows)
  }
}
