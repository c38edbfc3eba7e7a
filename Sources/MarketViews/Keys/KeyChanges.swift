internal import SafeText
package import TerminalKit

/// Keys of somebody's own, over those of the `KeyMap`.
///
/// They count where letters are commands: in lists, the detail, menus and over pictures. A key means
/// something else where its new command does; elsewhere it stays what it was.
package struct KeyChanges: Hashable, Sendable {
  /// What each changed key gives; nil is nothing.
  private var commands: [KeyPress: Command?] = [:]

  private static let foci: [Focus] = [.grid, .list, .shelf, .detail, .menu, .picture]

  /// The commands that can get other keys, each once.
  package static let commands: [Command] = foci.flatMap { KeyMap.bindings(for: $0) }
    .map(\.command).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }

  package init() {}

  /// Whether a key may mean something else: digits count, keys of the Hangul layout stand for those of
  /// the Latin one, and a few always let one out.
  package static func mayChange(_ key: KeyPress) -> Bool {
    let fixed: [KeyPress] = [.control("c"), .control("z"), .control("l"), .escape]
    return !fixed.contains(key) && key.text?.isNumber != true && key.shortcuts == [key]
  }

  /// Gives a key to a command, or to none.
  ///
  /// - Returns: false where the key was given before.
  package mutating func give(_ key: KeyPress, to command: Command?) -> Bool {
    guard commands[key] == nil else { return false }
    commands[key] = .some(command)
    return true
  }

  /// Commands that have no key left somewhere because theirs went to others.
  package var commandsWithoutKeys: [Command] {
    let taken = commands.compactMapValues(\.self)
    return Self.commands.filter { command in
      Self.foci.contains { focus in
        let before = KeyMap.bindings(for: focus).first { $0.command == command }
        let after = applied(to: KeyMap.bindings(for: focus), in: focus)
        return before?.keys.contains { taken[$0] != nil } == true
          && !after.contains { $0.command == command && !$0.keys.isEmpty }
      }
    }
  }

  /// The bindings of a focus with the changes; what has lost its last key is left out.
  func applied(to bindings: [KeyMap.Binding], in focus: Focus) -> [KeyMap.Binding] {
    guard !commands.isEmpty, Self.foci.contains(focus) else { return bindings }
    let offered = Set(bindings.map(\.command))
    let changes = commands.filter { _, command in command.map(offered.contains) ?? true }
    return bindings.compactMap { binding in
      let own = changes.filter { $0.value == binding.command }.map(\.key)
        .sorted { KeyName.text($0).string < KeyName.text($1).string }
      let kept = binding.keys.filter { changes[$0] == nil }
      let keys = own + kept
      return keys.isEmpty ? nil : KeyMap.Binding(binding.command, keys)
    }
  }
}
