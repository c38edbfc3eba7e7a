import Glibc

/// The locale's part that ncurses depends on: how characters are written.
enum CharacterLocale {
  /// Takes the user's locale, else the plain UTF-8 one.
  static func activate() -> TerminalCapabilities.Encoding {
    for name in ["", "C.UTF-8", "en_US.UTF-8"] {
      guard setlocale(LC_CTYPE, name) != nil, let codeset = nl_langinfo(nl_item(CODESET)) else {
        continue
      }
      if String(cString: codeset) == "UTF-8" { return name.isEmpty ? .utf8 : .assumedUTF8 }
    }
    setlocale(LC_CTYPE, "C")
    return .ascii
  }
}
