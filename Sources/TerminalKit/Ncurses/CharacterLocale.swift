import Glibc

/// The locale's part that ncurses depends on: how characters are written.
enum CharacterLocale {
  /// Takes the user's locale, else the plain UTF-8 one.
  ///
  /// - Returns: whether characters are written in UTF-8 now.
  static func activate() -> Bool {
    for name in ["", "C.UTF-8", "en_US.UTF-8"] {
      guard setlocale(LC_CTYPE, name) != nil, let codeset = nl_langinfo(nl_item(CODESET)) else {
        continue
      }
      if String(cString: codeset) == "UTF-8" { return true }
    }
    setlocale(LC_CTYPE, "C")
    return false
  }
}
