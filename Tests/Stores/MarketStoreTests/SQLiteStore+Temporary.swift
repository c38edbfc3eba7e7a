import MarketModel
import MarketStore
import StoreCore
import TestSupport

extension SQLiteStore {
  /// An empty store of its own, with the cheapest passwords.
  static func temporary(
    in folder: borrowing TemporaryFolder, name: String = "market.sqlite"
  ) async throws -> SQLiteStore {
    try await open(
      at: folder.path(of: name), pictureProcessor: PassThroughPictureProcessor(),
      options: .forTests)
  }
}

extension SQLiteStore.Options {
  static let forTests = SQLiteStore.Options(
    createsFile: true, passwordCost: .least, busyMilliseconds: 50)
}
