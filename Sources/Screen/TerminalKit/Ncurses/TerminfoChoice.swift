/// Terminfo entry to use for a terminal.
enum TerminfoChoice: Equatable {
  /// The embedded entry with 24-bit colours.
  case direct
  /// The embedded entry with 256 colours.
  case palette
  /// The system's entry of that name.
  case system(String)

  /// Chooses the entry from `TERM` and `COLORTERM`.
  ///
  /// - Throws: `.unnamedTerminal` where `TERM` is not set; `.tooSimple` where it is `dumb`.
  init(_ environment: TerminalEnvironment) throws(TerminalError) {
    guard let name = environment.name else { throw .unnamedTerminal }
    guard name != "dumb" else { throw .tooSimple }
    if environment.statesDirectColor {
      self = .direct
    } else if environment.isXtermFamily {
      self = .palette
    } else {
      self = .system(name)
    }
  }

  /// Chooses the embedded entry for a reported depth; nil below 256 colours.
  init?(_ depth: ColorDepth) {
    switch depth {
    case .direct: self = .direct
    case .palette256: self = .palette
    case .none, .ansi8, .ansi16: return nil
    }
  }

  var embedded: TerminfoEntry? {
    switch self {
    case .direct: .direct
    case .palette: .palette
    case .system: nil
    }
  }
}

/// Compiled terminfo entry embedded in the program.
///
/// Made from `Resources/terminfo/openmarket.ti`; ncurses reads it from `TERMINFO=b64:...`.
struct TerminfoEntry {
  let name: String
  /// The compiled entry in base 64.
  let encoded: String
}
