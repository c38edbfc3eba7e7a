import MarketModel
import TestSupport
import Testing

/// The contracts of all repositories: memory, SQL and HTTP.
struct RepositoryTests {
  @Test(arguments: RepositoryContract.cases, Database.allCases)
  func `keeps the contract of repositories`(
    _ contract: RepositoryContract, _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)

    try await contract.run(on: market.store)
  }

  @Test(arguments: OperatorContract.cases, Database.allCases)
  func `keeps the contract of operators`(
    _ contract: OperatorContract, _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)

    try await contract.run(on: market.store)
  }

  @Test(arguments: ChangeLogContract.cases, Database.allCases)
  func `keeps the contract of logs`(
    _ contract: ChangeLogContract, _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)

    try await contract.run(on: market.store)
  }

  @Test(arguments: Database.allCases)
  func `a cancelled call stops as cancelled`(_ database: Database) async throws {
    let market = try await ContractMarket(database)
    let store = market.store

    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.page(PageRequest())
    }

    await #expect(throws: RepositoryError.cancelled) { try await task.value }
  }
}
