internal import MarketViewModels
internal import SafeTextKit
package import TerminalKit

/// Key bindings of the user, which override those of the views' tables.
///
/// They apply where letters are commands: in lists, the detail, menus and over pictures. A key changes
/// only in views that have its new command.
package struct CustomKeyBindings: Hashable, Sendable {
  /// Command name by key; a nil value is a key without effect.
  private var names: [KeyPress: String?] = [:]

  package init() {}

  var isEmpty: Bool { names.isEmpty }

  /// Whether a key may be rebound: not digits (counts), keys of the Hangul layout (aliases of Latin
  /// keys), nor the keys that always leave.
  package static func mayChange(_ key: KeyPress) -> Bool {
    let fixed: [KeyPress] = [.control("c"), .escape]
    return !fixed.contains(key) && ProgramCommand(key) == nil && key.text?.isNumber != true
      && key.shortcuts == [key]
  }

  /// Assigns a key to a command, or to none; returns false where the key is assigned already.
  package mutating func give(_ key: KeyPress, to name: String?) -> Bool {
    guard names[key] == nil else { return false }
    names[key] = .some(name)
    return true
  }

  /// Returns the rows of a view's table with these keys, without rows that have no key left.
  func applied<View>(to bindings: [Binding<View>]) -> [Binding<View>] {
    let changes = changes(among: bindings)
    guard !changes.isEmpty else { return bindings }
    return bindings.compactMap { binding in
      let keys = keys(of: binding, changes)
      return keys.isEmpty ? nil : binding.with(keys)
    }
  }

  /// Returns the names of rows without a key left, because other commands took theirs.
  func namesWithoutKeys<View>(in bindings: [Binding<View>]) -> [String] {
    let changes = changes(among: bindings)
    return bindings.filter { binding in
      binding.keys.contains { (changes[$0] ?? nil) != nil } && keys(of: binding, changes).isEmpty
    }
    .map(\.name)
  }

  /// Assignments that apply in a view: to commands that it has, and to none.
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
