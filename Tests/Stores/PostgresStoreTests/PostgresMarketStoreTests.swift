import MarketModel
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

@Suite(.enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)))
struct PostgresMarketStoreTests {
  @Test(arguments: RepositoryContract.casesOfTables)
  func `keeps the contract of repositories`(_ contract: RepositoryContract) async throws {
    let store = try await TestCluster.emptyStore()

    try await contract.run(on: store)
  }

  @Test(arguments: OperatorContract.cases)
  func `keeps the contract of operators`(_ contract: OperatorContract) async throws {
    let store = try await TestCluster.emptyStore()

    try await contract.run(on: store)
  }
}
