import MarketModel
import TestSupport
import Testing

struct InMemoryProductRepositoryTests {
  @Test(arguments: RepositoryContract.cases)
  func `keeps the contract of repositories`(_ contract: RepositoryContract) async throws {
    try await contract.run(on: InMemoryProductRepository())
  }
}
