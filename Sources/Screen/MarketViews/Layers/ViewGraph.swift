import MarketStrings
package import TerminalKit

/// All views reachable from a first one; settings, man page, completion and tests loop over it, so that
/// views need no list.
package struct ViewGraph {
  /// Views without duplicates, the first one first.
  package let views: [any LayerView.Type]

  /// Command whose keys can be customized.
  package struct Command: Hashable {
    /// Name in the settings file.
    package let name: String
    /// Most frequent labels in the views; several where they are equally frequent, as for a switch.
    package let words: [Phrase]
    /// Keys in all views that have the command, without duplicates.
    package let keys: [KeyPress]
    /// Names of the views that have it, the first one first; empty where none of them has a name.
    package let screens: [Phrase]
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

  /// Tables of all views, for tests.
  package var rows: [[Row]] { views.map { $0.staticRows } }

  /// Row of a table, independent of its view.
  package struct Row: Hashable {
    package let name: String
    package let keys: [KeyPress]
    package let words: Phrase
    package let group: BindingGroup
    package let isDestructive: Bool
    package let takesDigit: Bool
  }

  /// Commands whose keys can be customized, without duplicates.
  package var commands: [Command] {
    var names: [String] = []
    var words: [String: [Phrase]] = [:]
    var keys: [String: [KeyPress]] = [:]
    var screens: [String: [Phrase]] = [:]
    for view in views where view.takesOwnKeys {
      for row in view.staticRows where !row.takesDigit {
        if words[row.name] == nil { names.append(row.name) }
        words[row.name, default: []].append(row.words)
        for key in row.keys where keys[row.name]?.contains(key) != true {
          keys[row.name, default: []].append(key)
        }
        if let screen = view.screenName, screens[row.name]?.contains(screen) != true {
          screens[row.name, default: []].append(screen)
        }
      }
    }
    return names.map {
      Command(
        name: $0, words: Self.mostFrequent(words[$0] ?? []), keys: keys[$0] ?? [],
        screens: screens[$0] ?? [])
    }
  }

  /// Returns the commands that lose a key to another one: those that a view has beside it.
  package func commandsLosing(_ key: KeyPress, to command: String) -> [String] {
    let rows = views.filter { $0.takesOwnKeys }.map { $0.staticRows }
      .filter { rows in rows.contains { $0.name == command } }
    return rows.flatMap(\.self).reduce(into: []) { names, row in
      if row.keys.contains(key), row.name != command, !names.contains(row.name) {
        names.append(row.name)
      }
    }
  }

  private static func mostFrequent(_ words: [Phrase]) -> [Phrase] {
    let uses = words.reduce(into: [Phrase: Int]()) { $0[$1, default: 0] += 1 }
    let most = uses.values.max()
    return words.reduce(into: []) { frequent, phrase in
      if uses[phrase] == most, !frequent.contains(phrase) { frequent.append(phrase) }
    }
  }

  /// Returns the commands that have no key left in some view, because others took theirs.
  package func commandsWithoutKeys(_ keys: CustomKeyBindings) -> [String] {
    var names: [String] = []
    for view in views where view.takesOwnKeys {
      names += view.namesWithoutKeys(keys).filter { !names.contains($0) }
    }
    return names
  }
}

extension LayerView {
  static var staticRows: [ViewGraph.Row] {
    bindings.rows.map {
      ViewGraph.Row(
        name: $0.name, keys: $0.keys, words: $0.words, group: $0.group ?? .here,
        isDestructive: $0.isDestructive, takesDigit: $0.takesDigit)
    }
  }

  fileprivate static func namesWithoutKeys(_ keys: CustomKeyBindings) -> [String] {
    keys.namesWithoutKeys(in: bindings.rows)
  }
}
