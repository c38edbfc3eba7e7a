import MarketModel
import MarketStore
import StoreCore
import TestSupport
import Testing

@Suite struct SQLiteStoreTests {
  @Test(arguments: RepositoryContract.casesOfTables)
  func `keeps the contract of repositories`(_ contract: RepositoryContract) async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)

    try await contract.run(on: store)
  }

  @Test(arguments: OperatorContract.cases)
  func `keeps the contract of operators`(_ contract: OperatorContract) async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)

    try await contract.run(on: store)
  }
}

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
