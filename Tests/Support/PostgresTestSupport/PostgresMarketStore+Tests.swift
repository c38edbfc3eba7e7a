import MarketModel
import MarketStore
import PostgresStore
import StoreCore
import TestSupport

extension PostgresMarketStore.Options {
  /// The cheapest passwords, and few connections.
  package static let forTests = PostgresMarketStore.Options(
    makeFile: { path throws(RepositoryError) in
      try await SQLiteStore.open(
        at: path, pictureProcessor: PassThroughPictureProcessor(),
        options: SQLiteStore.Options(
          createsFile: true, busyMilliseconds: 30_000))
    },
    passwordCost: .least, connectionCount: 3, searchConnectionCount: 1,
    timeoutMilliseconds: 30_000, searchTimeoutMilliseconds: 30_000)
}

extension PostgresMarketStore {
  /// Opens what is at an address, with pictures that are taken as they are.
  package static func open(
    at address: String, _ options: Options = .forTests
  ) async throws(RepositoryError) -> PostgresMarketStore {
    try await open(
      at: address, pictureProcessor: PassThroughPictureProcessor(), options: options)
  }
}

extension TestCluster {
  /// An empty store of its own on the server of this run.
  package static func emptyStore(
    _ options: PostgresMarketStore.Options = .forTests
  ) async throws -> PostgresMarketStore {
    try await emptyMarket(options).store
  }

  /// An empty store of its own on the server of this run, and its address.
  package static func emptyMarket(
    _ options: PostgresMarketStore.Options = .forTests
  ) async throws -> (store: PostgresMarketStore, address: String) {
    guard let shared else { throw UnexpectedError(description: hint) }
    let address = try shared.emptySchema()
    return (try await PostgresMarketStore.open(at: address, options), address)
  }
}
