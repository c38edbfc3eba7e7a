import MarketAPI
import MarketStrings
import MarketViews
import SafeTextKit

/// Mistake in the settings file, with its line, from 1.
struct SettingsDiagnostic: Error, Hashable {
  /// Kind of a mistake, with what its sentence needs.
  enum Kind: Hashable {
    /// The file exists but is not a readable regular file of at most 1 MiB.
    case closed
    /// The JSON is invalid here.
    case syntax(JSONDiagnostic.Expected)
    /// The value is no object; that of a key, or the whole file if it is nil.
    case notAnObject(String?)
    case unknownKey(String, meant: String?)
    /// No such part of the screen has a colour.
    case unknownPart(String, meant: String?)
    /// The option cannot be stored.
    case notStored(String)
    case badValue(key: String, value: String, expected: String, meant: String? = nil)
    /// The name is no key, or one that cannot be bound.
    case notAKey(String)
    case keyTwice(String)
    case unknownCommand(String, meant: String?)
    /// Command whose keys were all bound to others.
    case withoutKey(String)
  }

  let line: Int
  let kind: Kind

  /// Sentence with file, line, mistake and advice.
  func text(in file: String, _ strings: Strings) -> SafeText {
    if kind == .closed { return strings(.settingsClosed, SafeText(file)) }
    return SafeText(file) + ":" + SafeText(line) + ": " + sentence(strings)
  }

  func sentence(_ strings: Strings) -> SafeText {
    switch kind {
    case .closed: ""
    case .syntax(let expected): strings[expected.phrase]
    case .notAnObject(nil): strings[.settingsNotAnObject]
    case .notAnObject(.some(let key)): strings(.settingsTakesNames, SafeText(key))
    case .unknownKey(let key, let meant):
      strings(.settingsUnknownKey, SafeText(key), advice(meant, strings))
    case .unknownPart(let name, let meant):
      strings(.settingsUnknownPart, SafeText(name), advice(meant, strings))
    case .notStored(let key): strings(.settingsNotStored, SafeText(key))
    case .badValue(let key, let value, let expected, .some(let meant)):
      strings(
        .usageBadWord, SafeText(key), SafeText(value), SafeText(expected), advice(meant, strings))
    case .badValue(let key, let value, let expected, nil):
      strings(.usageBadValue, SafeText(key), SafeText(value), SafeText(expected))
    case .notAKey(let name): strings(.settingsNotAKey, SafeText(name))
    case .keyTwice(let name): strings(.settingsKeyTwice, SafeText(name))
    case .unknownCommand(let name, let meant):
      strings(.settingsUnknownCommand, SafeText(name), advice(meant, strings))
    case .withoutKey(let name): strings(.settingsWithoutKey, SafeText(name))
    }
  }

  /// Suggestion of a name, else where the names are listed.
  private func advice(_ meant: String?, _ strings: Strings) -> SafeText {
    meant.map { strings(.usageMeant, SafeText($0)) } ?? strings[.settingsSeeManual]
  }
}

nonisolated extension JSONDiagnostic.Expected {
  /// Sentence about the missing element.
  var phrase: Phrase {
    switch self {
    case .value: .settingsExpectedValue
    case .key: .settingsExpectedName
    case .colon: .settingsExpectedColon
    case .comma: .settingsExpectedComma
    case .quote: .settingsExpectedQuote
    case .escape: .settingsExpectedEscape
    case .closing: .settingsExpectedBracket
    case .commentEnd: .settingsExpectedCommentEnd
    case .end: .settingsExpectedEnd
    case .less: .settingsTooDeep
    }
  }
}
