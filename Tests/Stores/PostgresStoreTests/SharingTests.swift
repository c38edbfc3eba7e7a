import MarketAPI
import MarketModel
import MarketStore
import PostgresStore
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

@testable import MarketServer

/// Several servers of one database, each with connections of its own.
@Suite(.enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)))
struct SharingTests {
  private func servers(_ count: Int) async throws -> [PostgresMarketStore] {
    let address = try #require(TestCluster.shared).emptySchema()
    return try await withThrowingTaskGroup(of: PostgresMarketStore.self) { group in
      for _ in 1...count {
        group.addTask {
          try await PostgresMarketStore.open(
            at: address, pictureProcessor: PassThroughPictureProcessor(), options: .forTests)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func `servers that start at once on an empty database all find its tables`() async throws {
    let servers = try await servers(6)

    _ = try await servers[0].register(.sample())

    for server in servers {
      #expect(try await server.page(PageRequest()).total == .exactly(1))
    }
  }

  @Test func `one intent that reaches all servers at once registers once`() async throws {
    let servers = try await servers(3)
    let key = IdempotencyKey(rawValue: "one intent")
    let newSeller = Author.seller(SellerIdentifier(secret: "new"))

    let ids = try await withThrowingTaskGroup(of: Product.ID.self) { group in
      for server in servers + servers {
        group.addTask {
          try await server.register(.sample(), by: newSeller, key: key).id
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }

    #expect(ids.count == 1)
    #expect(try await servers[0].page(PageRequest()).total == .exactly(1))
  }

  @Test func `what servers write at once is counted and kept as if they had taken turns`()
    async throws
  {
    let servers = try await servers(3)

    // Pictures that all share, added and deleted in all orders.
    try await withThrowingTaskGroup { group in
      for number in 0..<24 {
        group.addTask {
          let pictures = [0, 1, 2].map { PictureFile.jpeg(UInt8(number + $0) % 5) }
          let server = servers[number % 3]
          let detail = try await server.register(
            .sample(stock: Int64(number % 2), pictures: pictures))
          guard number % 4 == 0 else { return }
          _ = try await servers[(number + 1) % 3].delete(
            detail.id, password: Password("secret"), by: .guest)
        }
      }
      try await group.waitForAll()
    }

    let page = try await servers[0].page(PageRequest(size: 100))
    #expect(page.products.count == 18)
    #expect(page.total == .exactly(18))
    let inStock = ProductQuery(filters: [.inStock])
    #expect(try await servers[1].exactTotal(of: inStock) == 12)
    for product in page.products {
      for picture in try await servers[2].detail(of: product.id).pictures {
        _ = try await servers[2].bytes(of: picture, .original)
      }
    }
  }

  @Test func `of two edits of one version made at once, one is told of the other`() async throws {
    let servers = try await servers(2)
    let before = try await servers[0].register(.sample())

    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for server in servers {
        group.addTask {
          let edited = try? await server.update(
            before.id, with: ProductPatch(stock: 9), password: Password("secret"), by: .guest,
            expecting: before.version)
          return edited != nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(outcomes.filter { $0 }.count == 1)
  }

  @Test func `servers sign by one key and count wrong passwords together`() async throws {
    let servers = try await servers(3)
    let id = try await servers[0].register(.sample()).id
    let origin = AttemptOrigin(address: "192.0.2.1", author: .guest)

    var codes: Set<[UInt8]> = []
    try await withThrowingTaskGroup { group in
      for server in servers + servers + servers {
        group.addTask {
          try await server.changeAttempts(on: id, by: origin) { attempts in
            attempts.wrongCount += 1
            attempts.lastSeconds = 1_750_000_000
          }
        }
      }
      try await group.waitForAll()
    }
    for server in servers { codes.insert(try await server.authenticationCode(for: [1, 2])) }

    #expect(codes.count == 1)
    #expect(try await servers[1].changeAttempts(on: id, by: origin) { $0.wrongCount } == 9)
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

      #expect(product == id)
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

    #expect(try await market.changeAttempts(on: id, by: origin) { $0.wrongCount } == 0)
  }
}
