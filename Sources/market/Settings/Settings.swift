import MarketViews
import TerminalKit

/// What the settings file says: options under their names without the dashes, servers by name, and
/// keys with their commands.
struct Settings: Hashable {
  /// Options as the command line would give them.
  private(set) var options = MarketOptions()
  /// Addresses by the names that `--server` takes.
  private(set) var servers: [String: String] = [:]
  /// Keys of the user's own.
  private(set) var keys = KeyChanges()
  private(set) var mistakes: [SettingsMistake] = []

  /// Options that make no sense to keep.
  private static let transient: Set<String> = [
    "--help", "--version", "--store", "--store-file", "--remember", "--search", "--order",
    "--filter", "--limit",
    "--name", "--price", "--currency", "--discount", "--stock", "--description", "--photo",
    "--seller",
  ]

  init(mistakes: [SettingsMistake] = []) {
    self.mistakes = mistakes
  }

  /// Reads a file; what it gets wrong is told in `mistakes`, the rest counts.
  init(_ text: String) {
    var scanner = SettingsScanner(text)
    do throws(SettingsMistake) {
      try readObject(&scanner) { settings, key, scanner throws(SettingsMistake) in
        try settings.readSetting(key, &scanner)
      }
    } catch {
      mistakes.append(error)
    }
  }

  private mutating func readSetting(
    _ key: String, _ scanner: inout SettingsScanner
  ) throws(SettingsMistake) {
    if key == "servers" {
      return try readObject(&scanner) { settings, name, scanner throws(SettingsMistake) in
        settings.servers[name] = try Self.value(&scanner)
      }
    }
    if key == "keys" { return try readKeys(&scanner) }
    let line = scanner.line
    let value = try Self.value(&scanner)
    let option = MarketOptions.parser.options.first { $0.name == "--" + key }
    guard let option, !Self.transient.contains(option.name),
      case .value(_, let change) = option.effect
    else { return mistakes.append(SettingsMistake(line: line, kind: .unknownKey(key))) }
    if !change(&options, value) {
      mistakes.append(SettingsMistake(line: line, kind: .badValue(key: key, value: value)))
    }
  }

  /// Reads `{ "j": "down", "x": "" }`; what is wrong with one key leaves the others as they are.
  private mutating func readKeys(_ scanner: inout SettingsScanner) throws(SettingsMistake) {
    try readObject(&scanner) { settings, name, scanner throws(SettingsMistake) in
      let line = scanner.line
      let value = try Self.value(&scanner)
      if let kind = settings.change(name, to: value) {
        settings.mistakes.append(SettingsMistake(line: line, kind: kind))
      }
    }
    if let command = keys.commandsWithoutKeys.first {
      mistakes.append(SettingsMistake(line: scanner.line, kind: .withoutKey(command.name)))
    }
  }

  /// - Returns: what is wrong.
  private mutating func change(_ name: String, to value: String) -> SettingsMistake.Kind? {
    guard let key = KeyPress(name: name), KeyChanges.mayChange(key) else { return .notAKey(name) }
    let command = Command(name: value)
    guard command != nil || value.isEmpty else { return .unknownCommand(value) }
    return keys.give(key, to: command) ? nil : .keyTwice(name)
  }

  /// Reads `{ "key": value, ... }`, handing each key over with the scanner before its value.
  private mutating func readObject(
    _ scanner: inout SettingsScanner,
    _ read: (inout Settings, String, inout SettingsScanner) throws(SettingsMistake) -> Void
  ) throws(SettingsMistake) {
    guard try scanner.next() == .mark("{") else { throw unreadable(scanner) }
    while let token = try scanner.next() {
      switch token {
      case .mark("}"): return
      case .mark(","): continue
      case .string(let key):
        guard try scanner.next() == .mark(":") else { throw unreadable(scanner) }
        try read(&self, key, &scanner)
      case .word, .mark: throw unreadable(scanner)
      }
    }
    throw unreadable(scanner)
  }

  private static func value(_ scanner: inout SettingsScanner) throws(SettingsMistake) -> String {
    switch try scanner.next() {
    case .string(let text), .word(let text): return text
    case .mark, nil: throw SettingsMistake(line: scanner.line, kind: .unreadable)
    }
  }

  private func unreadable(_ scanner: SettingsScanner) -> SettingsMistake {
    SettingsMistake(line: scanner.line, kind: .unreadable)
  }
}
