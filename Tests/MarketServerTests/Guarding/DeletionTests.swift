import MarketAPI
import MarketModel
import MarketServer
import TestSupport
import Testing

@Suite struct DeletionTests {
  private static let products = ProductsDialect(variant: .y2023)
  private let owner = Author.seller(SellerIdentifier(secret: "the-owner"))

  @Test(arguments: [DeletionRoute.secret, .archived])
  func `what the first step answers deletes in the second`(_ route: DeletionRoute) async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(name: "Lamp"), by: owner).id
    let key = try await key(for: id, at: market, route)

    let deleted = try await market.send(.confirmDeletion(key, owner), in: Self.products)

    #expect(deleted.status == .ok)
    #expect(deleted.text.contains("\"Lamp\""))
    #expect(await market.send(.get, "/api/products/\(id.rawValue)").status == .notFound)
  }

  @Test func `a key is one segment without characters that need escaping`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id

    let token = try await key(for: id, at: market, .archived).token

    #expect(!token.isEmpty)
    #expect(token.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
  }

  @Test func `a key is good once`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id
    let key = try await key(for: id, at: market, .archived)
    _ = try await market.send(.confirmDeletion(key, owner), in: Self.products)

    let again = try await market.send(.confirmDeletion(key, owner), in: Self.products)

    #expect(again.status == .notFound)
  }

  @Test func `a key is good for ten minutes`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id
    let key = try await key(for: id, at: market, .archived)

    market.clock.advance(by: 601)
    let late = try await market.send(.confirmDeletion(key, owner), in: Self.products)

    #expect(late.status == .unauthorized)
    #expect(await market.send(.get, "/api/products/\(id.rawValue)").status == .ok)
  }

  @Test func `a key is good for those alone whom it was given`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: .guest).id
    let key = try await key(for: id, at: market, .archived)
    let other = Author.seller(SellerIdentifier(secret: "another"))

    let foreign = try await market.send(.confirmDeletion(key, other), in: Self.products)

    #expect(foreign.status == .forbidden)
    #expect(await market.send(.get, "/api/products/\(id.rawValue)").status == .ok)
  }

  @Test func `a key is good for its product alone`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id
    let other = try await market.store.register(.sample(), by: owner).id
    let token = try await key(for: id, at: market, .secret).token

    let crossed = try await market.send(
      .confirmDeletion(.key(token, other), owner), in: Self.products)

    #expect(crossed.status == .unauthorized)
    #expect(await market.send(.get, "/api/products/\(other.rawValue)").status == .ok)
  }

  @Test func `a key with any digit changed is none`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id
    let token = Array(try await key(for: id, at: market, .secret).token)

    for place in token.indices {
      var forged = token
      forged[place] = token[place] == "0" ? "1" : "0"
      let answer = try await market.send(
        .confirmDeletion(.key(String(forged), id), owner), in: Self.products)
      #expect(answer.status == .unauthorized)
    }
  }

  @Test func `a wrong secret gives no key`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right"), by: owner).id

    let refused = try await market.send(
      .requestDeletion(id, Password("wrong"), owner, .archived), in: Self.products)

    #expect(refused.status == .unauthorized)
  }

  @Test func `servers of one market know each other's keys`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id
    let key = try await key(for: id, at: market, .archived)
    let other = try await market.anotherServer()

    let message = try Self.products.request(for: .confirmDeletion(key, owner))
    let deleted = await other.response(
      to: ServerRequest(
        message.method, message.target.text, headers: message.headers,
        from: Visitor(address: "192.0.2.1")))

    #expect(deleted.message.status == .ok)
  }

  private func key(
    for id: Product.ID, at market: borrowing ServedStore, _ route: DeletionRoute
  ) async throws -> DeletionKey {
    let operation = MarketOperation.requestDeletion(id, Password("secret"), owner, route)
    let answer = try await market.send(operation, in: Self.products)
    return try Self.products.deletionKey(from: answer, for: operation)
  }
}
