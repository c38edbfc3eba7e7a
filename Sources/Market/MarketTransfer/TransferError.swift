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
  case noColumns(MissingColumns)
  /// The table lacks a heading that an option names; with those that it has.
  case noColumn(String, among: [String])
  /// The file is of another kind than a table.
  case otherKind(path: String, FileKind)
  /// Two columns of a table have the same meaning.
  case columnTwice(String)
  /// The encoding of a file is not supported.
  case encoding(String)
  /// The first line is not text in the file's encoding; with the one that it may have.
  case unknownEncoding(TextEncoding?)
  /// The text may be in one of several East Asian encodings that are not guessed; with the likely one.
  case foreignEncoding(TextEncoding?)

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
    case .noColumns(let columns): columns.text(strings)
    case .noColumn(let heading, let found):
      strings(
        .movingNoColumn, SafeText(heading), found.map { SafeText($0) }.joined(separator: ", "))
    case .otherKind(let path, let kind):
      strings(.movingOtherKind, SafeText(path), strings[kind.phrase])
    case .foreignEncoding(let likely):
      strings(.movingForeignEncoding, SafeText((likely ?? .gbk).rawValue))
    case .columnTwice(let name): strings(.movingColumnTwice, SafeText(name))
    case .encoding(let name): strings(.movingEncoding, SafeText(name))
    case .unknownEncoding(let likely?):
      strings(.movingLikelyEncoding, SafeText(likely.rawValue))
    case .unknownEncoding(nil): strings[.movingUnknownEncoding]
    }
  }
}

extension MissingColumns {
  fileprivate func text(_ strings: Strings) -> SafeText {
    let list = found.map { SafeText($0) }.joined(separator: ", ")
    if let headingLine { return strings(.movingHeadingsBelow, SafeText(headingLine), list) }
    let missing = guesses.map { SafeText($0.column) }.joined(separator: ", ")
    guard !found.isEmpty else { return strings[.movingNoColumns] }
    let options = guesses.map { guess in
      SafeText("--column \(guess.column)=\(guess.heading.map(Self.quoted) ?? "…")")
    }.joined(separator: " ")
    return strings(.movingMissingColumns, missing, list, options)
  }

  /// The word as a shell takes it.
  private static func quoted(_ word: String) -> String {
    word.allSatisfy { $0.isLetter || $0.isNumber }
      ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
