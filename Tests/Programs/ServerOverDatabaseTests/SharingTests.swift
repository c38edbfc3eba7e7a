import Expectations
import MarketAPI
import MarketModel
import PostgresStore
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

@testable import MarketServer

/// Several servers of one database, each with connections of its own.
@Suite(.cluster) struct SharingTests {
  private func servers(_ count: Int) async throws -> [PostgresMarketStore] {
    let address = try #require(TestCluster.shared).emptySchema()
    return try await withThrowingTaskGroup(of: PostgresMarketStore.self) { group in
      for _ in 1...count {
        group.addTask {
          try await PostgresMarketStore.open(at: address)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func `a key of deletion is as good at a server whose clock is three hours off`()
    async throws
  {
    let servers = try await servers(2)
    let id = try await servers[0].register(.sample()).id
    let clocks: [Int64] = [1_750_000_000, 1_750_010_800]
    let services = zip(servers, clocks).map { server, clock in
      MarketService(server, now: { clock })
    }

    for (giver, taker) in [(0, 1), (1, 0)] {
      let token = try await services[giver].tokens.token(for: id, author: .guest)
      let product = try await services[taker].tokens.product(
        of: token, naming: id, author: .guest)

      expect(product, id)
    }
  }

  @Test func `a try that is cancelled before the password is looked at does not count`()
    async throws
  {
    let market = try await servers(1)[0]
    let id = try await market.register(.sample()).id
    let origin = AttemptOrigin(address: "192.0.2.1", author: .guest)
    let passwords = PasswordGuard(market: market, now: { 1_750_000_000 })

    for _ in 1...5 {
      await Task {
        try? await passwords.trying(on: id, by: origin) { () throws(RepositoryError) in
          withUnsafeCurrentTask { $0?.cancel() }
          throw .cancelled
        }
      }.value
    }

    try await expect(market.changeAttempts(on: id, by: origin) { $0.wrongCount }, 0)
  }
}
