internal import MarketViewModels
internal import SafeTextKit
package import TerminalKit

/// Keys of the user's own, over those of the views' tables.
///
/// They count where letters are commands: in lists, the detail, menus and over pictures. A key means
/// something else where its new command does; elsewhere it stays what it was.
package struct CustomKeyBindings: Hashable, Sendable {
  /// The command's name that each changed key gives; nil is nothing.
  private var names: [KeyPress: String?] = [:]

  package init() {}

  var isEmpty: Bool { names.isEmpty }

  /// Names that commands had in earlier versions, with those of today: settings files may have either.
  nonisolated package static let formerNames = [
    "end-wait": "remove-alert", "go-on": "continue-scan", "keep": "toggle-favorite",
    "keep-template": "save-template", "kept": "favorites",
    "mine": "my-products", "register": "sell", "rename": "edit-seller",
    "see-all": "mark-all-seen", "stop-sifting": "stop-scan", "take-filter-away": "remove-filter",
    "take-new": "show-new", "toggle-arrangement": "toggle-view",
    "toggle-merged": "toggle-grouping", "waits": "alerts", "watch": "add-alert",
    "whole-picture": "fit-picture",
  ]

  /// The name of today of a command that a settings file names.
  nonisolated package static func commandName(_ name: String) -> String {
    formerNames[name] ?? name
  }

  /// Whether a key may mean something else: digits count, keys of the Hangul layout stand for those of
  /// the Latin one, and a few always let one out.
  package static func mayChange(_ key: KeyPress) -> Bool {
    let fixed: [KeyPress] = [.control("c"), .escape]
    return !fixed.contains(key) && ProgramCommand(key) == nil && key.text?.isNumber != true
      && key.shortcuts == [key]
  }

  /// Gives a key to the command of a name, or to none; false where the key was given before.
  package mutating func give(_ key: KeyPress, to name: String?) -> Bool {
    guard names[key] == nil else { return false }
    names[key] = .some(name)
    return true
  }

  /// The rows of a view's table with these keys; what has lost its last key is left out.
  func applied<View>(to bindings: [Binding<View>]) -> [Binding<View>] {
    let changes = changes(among: bindings)
    guard !changes.isEmpty else { return bindings }
    return bindings.compactMap { binding in
      let keys = keys(of: binding, changes)
      return keys.isEmpty ? nil : binding.with(keys)
    }
  }

  /// Names of a view's rows that have no key left because theirs went to others.
  func namesWithoutKeys<View>(in bindings: [Binding<View>]) -> [String] {
    let changes = changes(among: bindings)
    return bindings.filter { binding in
      binding.keys.contains { (changes[$0] ?? nil) != nil } && keys(of: binding, changes).isEmpty
    }
    .map(\.name)
  }

  /// What counts in a view: keys of commands that it has, and keys of none.
  private func changes<View>(among bindings: [Binding<View>]) -> [KeyPress: String?] {
    let offered = Set(bindings.map(\.name))
    return names.filter { _, name in name.map(offered.contains) ?? true }
  }

  private func keys<View>(
    of binding: Binding<View>, _ changes: [KeyPress: String?]
  ) -> [KeyPress] {
    let own = changes.filter { $0.value == binding.name }.map(\.key)
      .sorted { KeyName.text($0).string < KeyName.text($1).string }
    return own + binding.keys.filter { changes[$0] == nil }
  }
}
