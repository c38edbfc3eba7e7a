import Glibc

/// Why a session with a program could not go on.
package enum TerminalSessionError: Error, CustomStringConvertible {
  case cannotStart(errno: Int32)
  /// The deadline passed; carries what was waited for and the rows that were shown instead.
  case timedOut(waitingFor: String, screen: [String])
  /// The program ended first; carries what was waited for and the last rows.
  case ended(waitingFor: String, ProcessExit, screen: [String])

  package var description: String {
    switch self {
    case .cannotStart(let errno): "cannot start: " + String(cString: strerror(errno))
    case .timedOut(let what, let screen):
      (["waited in vain for \(what); the screen:"] + screen).joined(separator: "\n")
    case .ended(let what, let exit, let screen):
      (["\(exit) while waiting for \(what); the screen:"] + screen).joined(separator: "\n")
    }
  }
}
