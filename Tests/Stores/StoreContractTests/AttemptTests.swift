import Expectations
import MarketModel
import TestSupport
import Testing

/// Attempts of passwords, as stores count them.
struct AttemptTests {
  private static let owner = Author.seller(SellerIdentifier(secret: "the owner"))
  private static let other = Author.seller(SellerIdentifier(secret: "another"))

  private static func origin(_ number: Int, _ author: Author = .guest) -> AttemptOrigin {
    AttemptOrigin(address: "192.0.2.\(number)", author: author)
  }

  @Test(arguments: Database.allCases)
  func `attempts are kept as they are, each network's on each product`(_ database: Database)
    async throws
  {
    let market = try await ContractMarket(database)
    let ids = [
      try await market.store.register(.sample()).id, try await market.store.register(.sample()).id,
    ]

    try await market.store.changeAttempts(on: ids[0], by: Self.origin(1)) { attempts in
      attempts.wrongCount = 3
      attempts.lastSeconds = 1_750_000_000
      attempts.isTrusted = true
    }

    let kept = try await market.store.changeAttempts(on: ids[0], by: Self.origin(1)) { $0 }
    expect(
      kept,
      PasswordAttempts(
        wrongCount: 3, lastSeconds: 1_750_000_000, isTrusted: true, isOpenToStrangers: true))
    for (id, origin) in [(ids[0], Self.origin(2)), (ids[1], Self.origin(1))] {
      let others = try await market.store.changeAttempts(on: id, by: origin) { $0 }
      expect(others, PasswordAttempts(isOpenToStrangers: true))
    }
  }

  @Test(arguments: Database.allCases)
  func `on a seller's product its identifier has attempts of its own, which no stranger uses up`(
    _ database: Database
  ) async throws {
    let clock = SecondsClock()
    let market = try await ContractMarket(database, MarketOptions(now: { clock.seconds }))
    let owned = try await market.store.register(.sample(), by: Self.owner).id
    let guests = try await market.store.register(.sample()).id

    for id in [owned, guests] {
      try await market.store.changeAttempts(on: id, by: Self.origin(1, Self.other)) { attempts in
        (attempts.wrongCount, attempts.lastSeconds) = (4, 1_750_000_000)
      }
      // Which counts for strangers alone.
      try await market.store.changeAttempts(on: id, by: Self.origin(2)) { attempts in
        attempts.busyUntilSeconds = 1_750_000_500
      }
    }

    for (id, author, wrongCount, busyUntil) in [
      (owned, Self.other, 4, 1_750_000_500), (owned, Self.owner, 0, 1_750_000_500),
      (owned, .guest, 4, 1_750_000_500), (guests, Self.owner, 4, 1_750_000_500),
      (guests, .guest, 4, 1_750_000_500),
    ] as [(Product.ID, Author, Int64, Int64)] {
      let attempts = try await market.store.changeAttempts(on: id, by: Self.origin(1, author)) {
        $0
      }
      #expect(attempts.wrongCount == wrongCount && attempts.busyUntilSeconds == busyUntil)
      expect(attempts.isOpenToStrangers, id == guests || author != Self.owner)
    }
  }

  @Test(arguments: Database.allCases)
  func `an origin is forgotten after 30 days, and all of them with their product`(
    _ database: Database
  ) async throws {
    let clock = SecondsClock()
    let market = try await ContractMarket(database, MarketOptions(now: { clock.seconds }))
    let id = try await market.store.register(.sample()).id
    let other = try await market.store.register(.sample()).id
    func wrongCount(_ number: Int, on product: Product.ID? = nil) async throws -> Int64 {
      let now = clock.seconds
      return try await market.store.changeAttempts(
        on: product ?? id, by: Self.origin(number)
      ) { attempts in
        attempts.wrongCount += 1
        attempts.lastSeconds = now
        return attempts.wrongCount
      }
    }
    let first = [try await wrongCount(1), try await wrongCount(2)]

    clock.seconds += 29 * 86_400
    let soon = try await wrongCount(1)
    clock.seconds += 2 * 86_400
    _ = try await wrongCount(3, on: other)
    let late = [try await wrongCount(1), try await wrongCount(2)]
    _ = try await market.store.remove(id)

    #expect(first == [1, 1] && soon == 2 && late == [3, 1])
    await #expect(throws: RepositoryError.notFound) { try await wrongCount(1) }
  }
}
