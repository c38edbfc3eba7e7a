import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing
import TextCoding

struct DeletionTests {
  private static let products = ProductsDialect(variant: .y2023)
  private let owner = Author.seller(SellerIdentifier(secret: "the-owner"))

  @Test(arguments: ProductsDialect.Variant.allCases)
  func `what the first step answers deletes in the second`(
    _ year: ProductsDialect.Variant
  ) async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(name: "Lamp"), by: owner).id
    let target = try await target(for: id, at: market, year)

    let deleted = await market.send(
      .delete, target.text, headers: [HeaderName.identifier: "the-owner"])

    expect(deleted.status, .ok)
    #expect(deleted.text.contains("\"Lamp\""))
    await expect(market.send(.get, "/api/products/\(id.rawValue)").status, .notFound)
  }

  @Test func `the pictures that a deletion names are there for a minute`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(name: "Lamp"), by: owner).id
    let before = try await market.store.detail(of: id).pictures
    let target = try await target(for: id, at: market, .y2022)
    _ = await market.send(.delete, target.text, headers: [HeaderName.identifier: "the-owner"])
    let paths = before.flatMap { picture in
      [PictureRendition.thumbnail, .original].map {
        PictureAddress(locator: picture.locator(of: $0), rendition: $0).path
      }
    }

    for path in paths {
      await expect(market.send(.get, path).status, .ok)
      await expect(market.send(.head, path).status, .ok)
    }
    market.clock.advance(by: 61)
    for path in paths { await expect(market.send(.get, path).status, .notFound) }
    expect(paths.count, 2)
  }

  @Test func `a key is one segment without characters that need escaping`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id

    let token = try await key(for: id, at: market)

    #expect(!token.isEmpty)
    #expect(token.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
  }

  @Test func `a key is good once`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id
    let key = try await key(for: id, at: market)
    _ = try await market.send(.confirmDeletion(token: key, of: nil, owner), in: Self.products)

    let again = try await market.send(
      .confirmDeletion(token: key, of: nil, owner), in: Self.products)

    expect(again.status, .notFound)
  }

  @Test func `a key is good for ten minutes`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id
    let key = try await key(for: id, at: market)

    market.clock.advance(by: 601)
    let late = try await market.send(
      .confirmDeletion(token: key, of: nil, owner), in: Self.products)

    expect(late.status, .unauthorized)
    await expect(market.send(.get, "/api/products/\(id.rawValue)").status, .ok)
  }

  @Test func `a key is good for those alone whom it was given`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: .guest).id
    let key = try await key(for: id, at: market)
    let other = Author.seller(SellerIdentifier(secret: "another"))

    let foreign = try await market.send(
      .confirmDeletion(token: key, of: nil, other), in: Self.products)

    expect(foreign.status, .forbidden)
    await expect(market.send(.get, "/api/products/\(id.rawValue)").status, .ok)
  }

  @Test func `a key is good for its product alone`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id
    let other = try await market.store.register(.sample(), by: owner).id
    let token = try await key(for: id, at: market)

    let crossed = try await market.send(
      .confirmDeletion(token: token, of: other, owner), in: Self.products)

    expect(crossed.status, .unauthorized)
    await expect(market.send(.get, "/api/products/\(other.rawValue)").status, .ok)
  }

  @Test func `a key with any digit changed is none`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id
    let token = Array(try await key(for: id, at: market))

    for position in token.indices {
      var forged = token
      forged[position] = token[position] == "0" ? "1" : "0"
      let answer = try await market.send(
        .confirmDeletion(token: String(forged), of: id, owner), in: Self.products)
      expect(answer.status, .unauthorized)
    }
  }

  /// Sends a password where the key belongs.
  private func deletion(
    of id: Product.ID, by word: String, as identifier: String = "the-owner",
    at market: borrowing ServedStore
  ) async -> HTTPResponse {
    await market.send(
      .delete, "/api/products/\(id.rawValue)/\(PercentCoding.encode(word))",
      headers: [HeaderName.identifier: identifier])
  }

  @Test(arguments: ["secret", "p w/?#%", "비밀번호", "archived", "123456"])
  func `the password in the place of the key deletes`(password: String) async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(name: "Lamp", password: password), by: owner)
      .id

    let deleted = await deletion(of: id, by: password, at: market)

    expect(deleted.status, .ok)
    #expect(deleted.text.contains("\"Lamp\""))
    await expect(market.send(.get, "/api/products/\(id.rawValue)").status, .notFound)
  }

  @Test func `the password in the path is good for the product's own seller alone`() async throws {
    let market = try await ServedStore()
    let sold = try await market.store.register(.sample(), by: owner).id
    let guests = try await market.store.register(.sample(), by: .guest).id

    let stranger = await deletion(of: sold, by: "secret", as: "another", at: market)
    let ofGuest = await deletion(of: guests, by: "secret", at: market)
    let missing = await deletion(of: Product.ID(rawValue: 99), by: "secret", at: market)

    expect(stranger.status, .forbidden)
    expect(ofGuest.status, .unauthorized)
    expect(missing.status, .notFound)
    try await expect(market.store.page(PageRequest()).products.count, 2)
  }

  @Test func `a wrong password in the path is one counted try`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id

    for _ in 1...5 {
      await expect(deletion(of: id, by: "wrong", at: market).status, .unauthorized)
    }
    let sixth = await deletion(of: id, by: "secret", at: market)

    expect(sixth.status, .tooManyRequests)
    expect(sixth.headers[HeaderName.retryAfter], "30")
    #expect(!sixth.text.contains("secret"))
  }

  @Test func `a wrong secret gives no key`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right"), by: owner).id

    let refused = try await market.send(
      .requestDeletion(id, Password("wrong"), owner), in: Self.products)

    expect(refused.status, .unauthorized)
  }

  @Test func `servers of one market know each other's keys`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: owner).id
    let key = try await key(for: id, at: market)
    let other = try await market.anotherServer()

    let message = try Self.products.request(for: .confirmDeletion(token: key, of: nil, owner))
    let deleted = await other.response(
      to: ServerRequest(
        message.method, message.target.text, headers: message.headers,
        from: RemoteClient(address: "192.0.2.1")))

    expect(deleted.message.status, .ok)
  }

  private func key(
    for id: Product.ID, at market: borrowing ServedStore
  ) async throws -> String {
    try #require(try await target(for: id, at: market, .y2023).segments.last)
  }

  /// What the second step sends, by what the first one of a year answers.
  private func target(
    for id: Product.ID, at market: borrowing ServedStore, _ year: ProductsDialect.Variant
  ) async throws -> RequestTarget {
    let dialect = ProductsDialect(variant: year)
    let operation = MarketOperation.requestDeletion(id, Password("secret"), owner)
    let answer = try await market.send(operation, in: dialect)
    return try dialect.deletionTarget(from: answer, for: operation)
  }
}
