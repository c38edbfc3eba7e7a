import MarketModel
import MarketStore
import PostgresStore
import StoreCore
import TestSupport

extension PostgresStore.Options {
  /// The cheapest passwords, and few connections.
  package static let forTests = PostgresStore.Options(
    makeFile: { path throws(RepositoryError) in
      try await SQLiteStore.open(
        at: path, pictureProcessor: PassThroughPictureProcessor(),
        options: SQLiteStore.Options(
          createsFile: true, busyMilliseconds: 30_000))
    },
    passwordCost: .least, connectionCount: 3, searchConnectionCount: 1,
    patienceMilliseconds: 30_000, searchPatienceMilliseconds: 30_000)
}

extension TestCluster {
  /// An empty store of its own on the server of this run.
  package static func emptyStore(
    _ options: PostgresStore.Options = .forTests
  ) async throws -> PostgresStore {
    guard let shared else { throw BrokenPromise(description: hint) }
    return try await PostgresStore.open(
      at: shared.emptySchema(), pictureProcessor: PassThroughPictureProcessor(), options: options)
  }
}
