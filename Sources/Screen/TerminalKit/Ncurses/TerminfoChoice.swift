/// Terminfo entry that a terminal is driven by.
enum TerminfoChoice: Equatable {
  /// 24-bit colours, with an entry of our own.
  case direct
  /// 256 colours, with an entry of our own.
  case palette
  /// The entry of the system.
  case system(String)

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

  /// The entry of our own for a terminal that said it shows so many colours; nil where there is none.
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

/// Compiled terminfo entry that the program brings along.
///
/// Made from `Resources/terminfo/openmarket.ti`. ncurses reads it from `TERMINFO=b64:...`.
struct TerminfoEntry {
  let name: String
  /// The compiled entry in base 64.
  let encoded: String
}
