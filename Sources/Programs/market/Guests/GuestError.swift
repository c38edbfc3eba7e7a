import MarketStrings
import MarketViews
import Posix
import SafeTextKit

/// Reason why a guest is not served.
nonisolated enum GuestError: Error, Hashable {
  /// The variables of sshd are missing or no such.
  case notFromDaemon
  /// Neither a server nor a file was named, or no folder for what guests keep.
  case notSetUp(missing: String)
  /// The folder of what guests keep cannot be used.
  case badState(folder: String, SystemError)
  /// Somebody else could change the folder of what guests keep.
  case openState(folder: String)
  /// The system has no way to keep guests from starting programs.
  case notSealed(SystemError)
  /// As many guests are here as may be.
  case full
  /// The same guest is here as often as may be.
  case tooOften
  /// The command is none of those for guests.
  case refused
  /// The command needs a key; with how one comes here with one.
  case needsKey(way: String)
  /// The line of the command is more than words.
  case notWords

  @MainActor func text(_ strings: Strings) -> SafeText {
    switch self {
    case .notFromDaemon: strings[.guestNotFromDaemon]
    case .notSetUp(let option): strings(.usageMissingValue, SafeText(option))
    case .badState(let folder, let error):
      strings(.guestBadState, SafeText(folder), error.text(strings))
    case .openState(let folder): strings(.guestOpenState, SafeText(folder))
    case .notSealed(let error): strings(.guestNotSealed, error.text(strings))
    case .full: strings[.guestsFull]
    case .tooOften: strings[.guestTooOften]
    case .refused: strings[.guestRefused]
    case .needsKey(let way): strings(.guestNeedsKey, SafeText(way))
    case .notWords: strings[.guestNotWords]
    }
  }
}
