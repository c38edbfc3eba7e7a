import StoreCore

/// What is wrong with a command line.
enum CommandLineError: Error, Hashable {
  /// With the option or the command that may have been meant.
  case unknownOption(String, meant: String? = nil)
  case unknownCommand(String, meant: String? = nil)
  case missingValue(String)
  case badValue(option: String, value: String, expected: String)
  case unexpectedArgument(String)
  case missingArgument(String)
  /// An option that means nothing to this command; nil is browsing.
  case optionOfOthers(String, command: String?)
  /// Two that do not go together.
  case contradiction(String, String)
  /// The address of a database that cannot be taken as it is written.
  case address(MarketPlace.Mistake)
  /// A database where only a file or a server can be used.
  case database
}
