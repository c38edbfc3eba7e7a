import CommandKit
import MarketAPI
import MarketViews

/// Entries of a settings file as spelled, valid or not; of repeated ones the last applies.
nonisolated struct SettingsEntries {
  /// Entries outside of tables.
  private(set) var options: [String: String] = [:]
  private(set) var colors: [String: String] = [:]
  /// Commands by names of keys, in the order of the file.
  private(set) var keys: [(key: String, command: String)] = []
  private(set) var servers: [(name: String, address: String)] = []

  init(_ text: String) {
    var mistakes: [JSONDiagnostic] = []
    let document = JSONDocument(handwritten: Array(text.utf8), mistakes: &mistakes)
    for member in document.root.members {
      switch member.key {
      case "colors":
        for (name, value) in Self.entries(of: member) { colors[name] = value }
      case "keys":
        for entry in Self.entries(of: member) {
          keys.removeAll { $0.key == entry.0 }
          keys.append((key: entry.0, command: entry.1))
        }
      case "servers":
        for entry in Self.entries(of: member) {
          servers.removeAll { $0.name == entry.0 }
          servers.append((name: entry.0, address: entry.1))
        }
      default:
        options[member.key] = member.value.spelling
      }
    }
  }

  /// Value of a path; nil if the file has none.
  subscript(path: [String]) -> String? {
    switch (path.first, path.count) {
    case ("colors", 2): colors[path[1]]
    case ("keys", 2): keys.first { $0.key == path[1] }?.command
    case ("servers", 2): servers.first { $0.name == path[1] }?.address
    case (.some(let name), 1): options[name]
    case _: nil
    }
  }

  private static func entries(of table: JSONMember) -> [(String, String)] {
    table.value.members.compactMap { member in
      member.value.isMissing ? nil : member.value.spelling.map { (member.key, $0) }
    }
  }
}
