import MarketStrings

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

  /// The commands that may get other keys, each once.
  package var commands: [Command] {
    var commands: [Command] = []
    for row in views.filter({ $0.takesOwnKeys }).flatMap({ $0.namesAndWords }) {
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
  fileprivate static var namesAndWords: [(name: String, words: Phrase)] {
    bindings.map { ($0.name, $0.words) }
  }

  fileprivate static func namesWithoutKeys(_ keys: OwnKeys) -> [String] {
    keys.namesWithoutKeys(in: bindings)
  }
}
