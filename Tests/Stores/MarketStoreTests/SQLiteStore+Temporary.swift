import MarketModel
import MarketStore
import StoreCore
import TestSupport

extension SQLiteStore {
  /// An empty store of its own, with the cheapest passwords.
  static func temporary(
    in folder: borrowing TemporaryFolder, name: String = "market.sqlite"
  ) async throws -> SQLiteStore {
    try await open(folder.path(of: name))
  }

  /// Opens a file, with pictures that are taken as they are.
  static func open(
    _ path: String, _ options: Options = .forTests,
    filledWith sample: (@Sendable () -> SeedMarket)? = nil
  ) async throws(RepositoryError) -> SQLiteStore {
    try await open(
      at: path, pictureProcessor: PassThroughPictureProcessor(), options: options,
      filledWith: sample)
  }
}

extension SQLiteStore.Options {
  static let forTests = SQLiteStore.Options(
    createsFile: true, passwordCost: .least, busyMilliseconds: 50)
}
