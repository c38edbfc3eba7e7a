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
  }

  let line: Int
  let kind: Kind

  /// One sentence that names the line.
  @MainActor func text(_ strings: Strings) -> SafeText {
    switch kind {
    case .closed: strings[.settingsClosed]
    case .unreadable: strings(.settingsUnreadable, SafeText(line))
    case .unknownKey(let key): strings(.settingsUnknownKey, SafeText(line), SafeText(key))
    case .badValue(let key, let value):
      strings(.settingsBadValue, SafeText(line), SafeText(key), SafeText(value))
    }
  }
}
