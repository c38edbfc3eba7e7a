import MarketStrings
import MarketViews
import Posix
import SafeTextKit

/// Reason why a guest is refused.
nonisolated enum GuestError: Error, Hashable {
  /// The variables of sshd are missing or invalid.
  case notFromDaemon
  /// A required option is missing.
  case notSetUp(missing: String)
  /// The folder of the guests' data cannot be used.
  case badState(folder: String, SystemError)
  /// Other accounts have access to the folder of the guests' data.
  case openState(folder: String)
  /// The sandbox cannot be set up.
  case notSealed(SystemError)
  /// The maximum number of guests is connected.
  case full
  /// The guest has the maximum number of connections.
  case tooOften
  /// The command is not available to this guest; `others` are.
  case refused(others: [String])
  /// The command needs a key; `sshArguments` lead to the destination with one.
  case needsKey(sshArguments: String)
  /// The command line contains shell syntax other than words.
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
    case .refused(let others):
      strings(.guestRefused, others.map { SafeText($0) }.joined(separator: ", "))
    case .needsKey(let arguments): strings(.guestNeedsKey, SafeText(arguments))
    case .notWords: strings[.guestNotWords]
    }
  }
}
