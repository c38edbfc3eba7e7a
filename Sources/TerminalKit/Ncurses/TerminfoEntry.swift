/// A compiled terminfo entry that the program brings along.
///
/// Made from `Resources/terminfo/openmarket.ti`. ncurses reads it from `TERMINFO=b64:...`.
struct TerminfoEntry {
  let name: String
  /// The compiled entry in base 64.
  let encoded: String
}
