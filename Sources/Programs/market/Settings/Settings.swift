import CommandKit
import MarketAPI
import MarketStrings
import MarketViews
import SafeTextKit
import TerminalKit

/// Content of the settings file: options by their names without dashes, colours, servers by name, and
/// key bindings.
struct Settings: Hashable {
  /// Options, as the command line would set them.
  private(set) var options = MarketOptions()
  /// Addresses by the names that `--server` accepts.
  private(set) var servers: [String: String] = [:]
  private(set) var colors = CustomColors()
  /// User's key bindings.
  private(set) var keys = CustomKeyBindings()
  /// User's program for alerts, with its arguments; read from this file only, so that nothing else can
  /// have a program started.
  private(set) var onAlert: [String] = []
  /// Mistakes, in the order of lines.
  private(set) var mistakes: [SettingsDiagnostic] = []

  /// Names of the file's tables.
  static let tables = ["colors", "servers", "keys", "on-alert"]

  /// Options that may be stored in the file, each once.
  static var keptOptions: [Option<MarketOptions>] {
    var names: Set<String> = []
    return knownOptions.filter { $0.isKept && names.insert($0.name).inserted }
  }

  private static var knownOptions: [Option<MarketOptions>] {
    MarketCommands(settings: Settings()).table.options
  }

  init(options: MarketOptions = MarketOptions(), mistakes: [SettingsDiagnostic] = []) {
    self.options = options
    self.mistakes = mistakes
  }

  /// Parses a file: JSON (RFC 8259) with comments and trailing commas.
  ///
  /// Invalid entries are reported in `mistakes`; the others apply.
  init(_ text: String) {
    var wrong: [JSONDiagnostic] = []
    let document = JSONDocument(handwritten: Array(text.utf8), mistakes: &wrong)
    mistakes = wrong.map {
      SettingsDiagnostic(line: document.line(at: $0.offset), kind: .syntax($0.expected))
    }
    if document.root.isObject {
      let members = document.root.members
      let known = members.isEmpty ? [] : Self.knownOptions
      for member in members { read(member, in: document, known) }
    } else if wrong.isEmpty {
      mistakes.append(SettingsDiagnostic(line: 1, kind: .notAnObject(nil)))
    }
    // The offset keeps the order within a line.
    mistakes = mistakes.enumerated().sorted {
      ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
    }
    .map(\.element)
  }

  private mutating func read(
    _ member: JSONMember, in document: JSONDocument, _ known: [Option<MarketOptions>]
  ) {
    let line = document.line(at: member.offset)
    switch member.key {
    case "servers":
      for server in members(of: member, at: line) {
        let line = document.line(at: server.offset)
        readServer(server, at: line)
      }
    case "colors":
      for color in members(of: member, at: line) {
        guard let kind = choose(color) else { continue }
        report(kind, at: document.line(at: color.offset))
      }
    case "keys":
      for key in members(of: member, at: line) {
        guard let kind = change(key) else { continue }
        report(kind, at: document.line(at: key.offset))
      }
      for name in ViewGraph.market.commandsWithoutKeys(keys) { report(.withoutKey(name), at: line) }
    case "on-alert": readOnAlert(member, at: line)
    default: readOption(member, at: line, known)
    }
  }

  private mutating func report(_ kind: SettingsDiagnostic.Kind, at line: Int) {
    mistakes.append(SettingsDiagnostic(line: line, kind: kind))
  }

  /// Valid members of an object.
  private mutating func members(of member: JSONMember, at line: Int) -> [JSONMember] {
    if !member.value.isObject, !member.value.isMissing {
      report(.notAnObject(member.key), at: line)
    }
    return member.value.members.filter { !$0.value.isMissing }
  }

  private mutating func readOnAlert(_ member: JSONMember, at line: Int) {
    guard !member.value.isMissing else { return }
    let words = member.value.elements.map(\.string)
    // An argument with a NUL would be cut there.
    guard member.value.isArray, words.count <= Self.maxWords, words.first != .some(""),
      words.allSatisfy({ $0?.utf8.contains(0) == false })
    else {
      let form = "[\"PROGRAM\", \"WORD\", ...]"
      let shape = ValueShape(placeholder: "WORDS", expected: form, suggestions: .none)
      return report(badValue(member, of: shape), at: line)
    }
    onAlert = words.compactMap(\.self)
  }

  /// Maximum number of words of a command.
  private static let maxWords = 100

  private mutating func readServer(_ server: JSONMember, at line: Int) {
    if let address = server.value.string {
      servers[server.key] = address
    } else {
      let address = ValueShape(placeholder: "URL", expected: "\"http://...\"", suggestions: .none)
      report(badValue(server, of: address), at: line)
    }
  }

  private mutating func readOption(
    _ member: JSONMember, at line: Int, _ known: [Option<MarketOptions>]
  ) {
    let name = "--" + member.key
    guard let option = known.first(where: { $0.isKept && $0.isCalled(name) }) else {
      let isOption = known.contains { $0.isCalled(name) }
      let kept = known.filter(\.isKept).map { String($0.name.dropFirst(2)) }
      let names = kept + Self.tables
      let meant = Spelling.nearest(to: member.key, among: names)
      return report(
        isOption ? .notStored(member.key) : .unknownKey(member.key, meant: meant), at: line)
    }
    guard !member.value.isMissing else { return }
    guard let value = member.value.spelling, option.apply(value, to: &options) else {
      return report(badValue(member, of: option.keptShape), at: line)
    }
  }

  private func badValue(_ member: JSONMember, of shape: ValueShape?) -> SettingsDiagnostic.Kind {
    let value = member.value.spelling ?? (member.value.isArray ? "[...]" : "{...}")
    return .badValue(
      key: member.key, value: value, expected: shape?.expected ?? "",
      meant: shape?.nearest(to: value))
  }

  /// Sets the colour of a part of the screen; nil on success.
  private mutating func choose(_ member: JSONMember) -> SettingsDiagnostic.Kind? {
    guard let part = ColorPart(rawValue: member.key) else {
      let names = ColorPart.allCases.map(\.rawValue)
      return .unknownPart(member.key, meant: Spelling.nearest(to: member.key, among: names))
    }
    let value = member.value.spelling ?? (member.value.isArray ? "[...]" : "{...}")
    guard !colors.give(value, to: part) else { return nil }
    return .badValue(key: member.key, value: value, expected: CustomColors.form)
  }

  /// Binds a key to a command; nil on success.
  private mutating func change(_ member: JSONMember) -> SettingsDiagnostic.Kind? {
    let (name, value) = (member.key, member.value.spelling ?? "{...}")
    guard let key = KeyPress(name: name), CustomKeyBindings.mayChange(key) else {
      return .notAKey(name)
    }
    let names = NamedKeyCommand.all.map(\.name)
    guard value.isEmpty || names.contains(value) else {
      return .unknownCommand(value, meant: Spelling.nearest(to: value, among: names))
    }
    return keys.give(key, to: value.isEmpty ? nil : value) ? nil : .keyTwice(name)
  }
}

extension Settings {
  /// Text of a settings file with one entry set to a value, or removed if it is nil; comments and order
  /// are preserved.
  ///
  /// - Throws: the first mistake of a file that is no valid JSON object, `.notAnObject` if the entry's
  ///   table is none.
  static func changing(
    _ path: [String], to value: String?, in text: String
  ) throws(SettingsDiagnostic) -> String {
    var bytes = Array((text.isEmpty ? "{\n}\n" : text).utf8)
    var document = try soundDocument(bytes)
    if let value {
      guard let new = document.setting(path, to: json(value, at: path)) else {
        let table = document.root.members.last { $0.key == path.first }
        throw SettingsDiagnostic(
          line: table.map { document.line(at: $0.offset) } ?? 1, kind: .notAnObject(path.first))
      }
      return String(decoding: new, as: UTF8.self)
    }
    // A name may occur more than once; an earlier one would apply then.
    while let new = document.removing(path) {
      bytes = new
      document = try soundDocument(bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func soundDocument(_ bytes: [UInt8]) throws(SettingsDiagnostic) -> JSONDocument {
    var mistakes: [JSONDiagnostic] = []
    let document = JSONDocument(handwritten: bytes, mistakes: &mistakes)
    if let first = mistakes.first {
      throw SettingsDiagnostic(
        line: document.line(at: first.offset), kind: .syntax(first.expected))
    }
    guard document.root.isObject else {
      throw SettingsDiagnostic(line: 1, kind: .notAnObject(nil))
    }
    return document
  }

  /// Value as written to the file: numbers and booleans bare, everything in tables quoted.
  private static func json(_ value: String, at path: [String]) -> [UInt8] {
    let isBare = path.count == 1 && (Int(value).map(String.init) == value || Bool(value) != nil)
    return isBare ? Array(value.utf8) : JSONDocument.string(value)
  }
}
