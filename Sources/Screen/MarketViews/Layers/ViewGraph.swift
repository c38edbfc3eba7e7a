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
    /// What most views call it; more than one where as many views use each, as for a switch.
    package let words: [Phrase]
    /// Its keys in the views that have it, each once.
    package let keys: [KeyPress]
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
    package let group: BindingGroup
    package let isDestructive: Bool
    package let takesDigit: Bool
  }

  /// The commands that may get other keys, each once.
  package var commands: [Command] {
    var names: [String] = []
    var words: [String: [Phrase]] = [:]
    var keys: [String: [KeyPress]] = [:]
    for row in views.filter({ $0.takesOwnKeys }).flatMap({ $0.staticRows }) where !row.takesDigit {
      if words[row.name] == nil { names.append(row.name) }
      words[row.name, default: []].append(row.words)
      for key in row.keys where keys[row.name]?.contains(key) != true {
        keys[row.name, default: []].append(key)
      }
    }
    return names.map {
      Command(name: $0, words: Self.mostFrequent(words[$0] ?? []), keys: keys[$0] ?? [])
    }
  }

  private static func mostFrequent(_ words: [Phrase]) -> [Phrase] {
    let uses = words.reduce(into: [Phrase: Int]()) { $0[$1, default: 0] += 1 }
    let most = uses.values.max()
    return words.reduce(into: []) { frequent, phrase in
      if uses[phrase] == most, !frequent.contains(phrase) { frequent.append(phrase) }
    }
  }

  /// Commands that have no key left somewhere because theirs went to others.
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
