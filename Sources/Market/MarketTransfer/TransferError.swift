import MarketModel
import MarketStrings
import Posix
import SafeTextKit

/// Failure of an import, an export or a backup.
package enum TransferError: Error, Hashable, Sendable {
  /// The store would not.
  case market(RepositoryError)
  /// A file or folder cannot be used; the reason as the system words it.
  case file(path: String, reason: String)
  /// A file cannot be written for want of room.
  case diskFull(path: String)
  /// A file of this name is there already.
  case exists(path: String)
  /// The file is the market that would be copied, or one that SQLite keeps beside it.
  case isMarket(path: String)
  /// Something of this name is there that is no regular file: a device, a pipe, a folder.
  case notAFile(path: String)
  /// The first line of a table does not name the columns that a product needs.
  case noColumns
  /// Two columns of a table are the same.
  case columnTwice(String)
  /// A file is in an encoding that is not read; nil where nobody knows in which.
  case encoding(String?)

  /// The failure of a call of the system, the last one unless another is given.
  static func system(_ path: String, _ error: SystemError = .last) -> TransferError {
    error.isDiskFull ? .diskFull(path: path) : .file(path: path, reason: error.description)
  }
}

extension TransferError {
  /// The one sentence that a person reads.
  package func text(_ strings: Strings) -> SafeText {
    switch self {
    case .market(let error): ErrorText.text(error, strings)
    case .file(let path, let reason): strings(.movingFile, SafeText(path), SafeText(reason))
    case .diskFull(let path):
      strings(.movingFile, SafeText(path), strings[.errorStoreDiskFull])
    case .exists(let path): strings(.movingExists, SafeText(path))
    case .isMarket(let path): strings(.movingIsMarket, SafeText(path))
    case .notAFile(let path): strings(.movingNotAFile, SafeText(path))
    case .noColumns: strings[.movingNoColumns]
    case .columnTwice(let name): strings(.movingColumnTwice, SafeText(name))
    case .encoding(let name?): strings(.movingEncoding, SafeText(name))
    case .encoding(nil): strings[.movingUnknownEncoding]
    }
  }
}
