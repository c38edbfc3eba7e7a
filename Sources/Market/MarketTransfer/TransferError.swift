import MarketModel
import MarketStrings
import Posix
import SafeTextKit

/// Failure of an import, an export or a backup.
package enum TransferError: Error, Hashable, Sendable {
  /// The market fails.
  case market(RepositoryError)
  /// A file or folder cannot be used, with the system's reason.
  case file(path: String, reason: String)
  /// A file cannot be written because the disk is full.
  case diskFull(path: String)
  /// A file of this name exists.
  case exists(path: String)
  /// The file belongs to the market to be copied: its store, or a file that SQLite keeps beside it.
  case isMarket(path: String)
  /// The file to be imported is a market, not products that were exported.
  case holdsMarket(path: String)
  /// The path is a device, pipe or folder.
  case notAFile(path: String)
  /// The first line of a table lacks the columns that a product needs.
  case noColumns
  /// Two columns of a table have the same meaning.
  case columnTwice(String)
  /// The encoding of a file is not supported; nil where it is unknown.
  case encoding(String?)

  /// The failure of a system call; `error` defaults to errno.
  static func system(_ path: String, _ error: SystemError = .last) -> TransferError {
    error.isDiskFull ? .diskFull(path: path) : .file(path: path, reason: error.description)
  }
}

extension TransferError {
  /// The message for the user.
  package func text(_ strings: Strings) -> SafeText {
    switch self {
    case .market(let error): ErrorText.text(error, strings)
    case .file(let path, let reason): strings(.movingFile, SafeText(path), SafeText(reason))
    case .diskFull(let path):
      strings(.movingFile, SafeText(path), strings[.errorStoreDiskFull])
    case .exists(let path): strings(.movingExists, SafeText(path))
    case .isMarket(let path): strings(.movingIsMarket, SafeText(path))
    case .holdsMarket(let path): strings(.movingHoldsMarket, SafeText(path))
    case .notAFile(let path): strings(.movingNotAFile, SafeText(path))
    case .noColumns: strings[.movingNoColumns]
    case .columnTwice(let name): strings(.movingColumnTwice, SafeText(name))
    case .encoding(let name?): strings(.movingEncoding, SafeText(name))
    case .encoding(nil): strings[.movingUnknownEncoding]
    }
  }
}
