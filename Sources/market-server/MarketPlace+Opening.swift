import MarketModel
import MarketStore
import MarketStrings
import PictureKit
import PostgresStore
import SafeText

extension MarketPlace {
  /// Opens the market; a new one where there is none.
  func open() async throws(RepositoryError) -> any ServedMarket & MarketArchive & OperatedMarket {
    switch self {
    case .file(let path):
      try await SQLiteStore.open(
        at: path, pictureProcessor: UploadPreparer(),
        options: SQLiteStore.Options(createsFile: true, fold: { $0.folded }))
    case .database(let address):
      try await PostgresStore.open(
        at: address, pictureProcessor: UploadPreparer(),
        options: PostgresStore.Options(fold: { $0.folded }))
    }
  }

  /// Why it cannot be used, in one sentence; of an address nothing is repeated.
  func sentence(on error: RepositoryError, _ strings: Strings) -> SafeText {
    switch self {
    case .file(let path): strings(.movingFile, SafeText(path), ErrorText.text(error, strings))
    case .database: Self.databaseSentence(on: error, strings)
    }
  }

  private static func databaseSentence(on error: RepositoryError, _ strings: Strings) -> SafeText {
    switch error {
    case .unreachable: strings[.databaseSilent]
    case .store(.cannotOpen(let reason)): strings(.databaseCannotOpen, SafeText(reason))
    case .store(.locked): strings[.databaseBusy]
    case .store(.readOnly): strings[.databaseReadOnly]
    case .store(.diskFull): strings[.databaseFull]
    case .store(.newerVersion): strings[.databaseNewer]
    case .store(.failed(let code)):
      strings(.databaseFailed, SafeText(PostgresStore.state(of: code)))
    default: ErrorText.text(error, strings)
    }
  }
}
