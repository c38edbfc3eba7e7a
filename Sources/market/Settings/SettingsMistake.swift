import MarketStrings
import MarketViews
import SafeText

/// Something in the settings file that cannot be used, with its line from 1.
struct SettingsMistake: Error, Hashable {
  enum Kind: Hashable {
    /// The file is there, but it is no plain file of some kilobytes that may be read.
    case closed
    /// It is no JSON from here on.
    case unreadable
    case unknownKey(String)
    case badValue(key: String, value: String)
    /// No name of a key, or of one that cannot mean anything else.
    case notAKey(String)
    case keyTwice(String)
    case unknownCommand(String)
    /// A command whose keys all went to others.
    case withoutKey(String)
  }

  let line: Int
  let kind: Kind

  /// One sentence that names the line.
  @MainActor func text(_ strings: Strings) -> SafeText {
    switch kind {
    case .closed: strings[.settingsClosed]
    case .unreadable: strings(.settingsUnreadable, SafeText(line))
    case .unknownKey(let key): strings(.settingsUnknownKey, SafeText(line), SafeText(key))
    case .notAKey(let name): strings(.settingsNotAKey, SafeText(line), SafeText(name))
    case .keyTwice(let name): strings(.settingsKeyTwice, SafeText(line), SafeText(name))
    case .unknownCommand(let name):
      strings(.settingsUnknownCommand, SafeText(line), SafeText(name))
    case .withoutKey(let name): strings(.settingsWithoutKey, SafeText(line), SafeText(name))
    case .badValue(let key, let value):
      strings(.settingsBadValue, SafeText(line), SafeText(key), SafeText(value))
    }
  }
}
