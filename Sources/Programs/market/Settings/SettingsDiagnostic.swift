import MarketAPI
import MarketStrings
import MarketViews
import SafeTextKit

/// Mistake in the settings file, with its line from 1.
struct SettingsDiagnostic: Error, Hashable {
  enum Kind: Hashable {
    /// The file is there, but it is no plain file of at most a megabyte that may be read.
    case closed
    /// It is no JSON here.
    case syntax(JSONDiagnostic.Expected)
    /// Something else than an object: the whole file where it has no name.
    case notAnObject(String?)
    case unknownKey(String, meant: String?)
    /// No part of the screen that has a colour.
    case unknownPart(String, meant: String?)
    /// An option that makes no sense to keep.
    case notStored(String)
    case badValue(key: String, value: String, expected: String, meant: String? = nil)
    /// No name of a key, or of one that cannot mean anything else.
    case notAKey(String)
    case keyTwice(String)
    case unknownCommand(String, meant: String?)
    /// A command whose keys all went to others.
    case withoutKey(String)
  }

  let line: Int
  let kind: Kind

  /// One sentence: the file and the line, what is wrong there, and what to do.
  func text(in file: String, _ strings: Strings) -> SafeText {
    if kind == .closed { return strings(.settingsClosed, SafeText(file)) }
    return SafeText(file) + ":" + SafeText(line) + ": " + sentence(strings)
  }

  /// The sentence without the line.
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

  /// What was meant, perhaps, or where the names are listed.
  private func advice(_ meant: String?, _ strings: Strings) -> SafeText {
    meant.map { strings(.usageMeant, SafeText($0)) } ?? strings[.settingsSeeManual]
  }
}

nonisolated extension JSONDiagnostic.Expected {
  /// What is said of the place where it is missing.
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
