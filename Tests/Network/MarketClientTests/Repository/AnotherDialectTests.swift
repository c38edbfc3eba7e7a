import Expectations
import MarketAPI
import MarketClient
import MarketModel
import TestSupport
import Testing

/// A dialect needs only its line in the list to be spoken by client and server.
struct AnotherDialectTests {
  private let dialects = DialectList([
    ProductsDialect(variant: .y2023), ProductsDialect(variant: .y2022), ItemsDialect(),
    NotesDialect(),
  ])
  private let market = InMemoryProductRepository()
  private let password = Password("secret")

  private func transport(speaking spoken: [any MarketDialect]) -> FakeTransport {
    let server = WireMarket(spoken, announcing: [], market)
    return FakeTransport { await server.response(to: $0) }
  }

  private func repository(
    over transport: FakeTransport, speaking name: String? = nil, cache: ResponseCache? = nil
  ) throws -> HTTPProductRepository {
    try HTTPProductRepository(
      over: .test(transport), knowing: dialects, speaking: name.flatMap { dialects[$0] },
      cache: cache)
  }

  @Test func `a server is asked for it after the others`() async throws {
    let transport = transport(speaking: [NotesDialect()])

    let capabilities = try await repository(over: transport).capabilities()

    expect(capabilities, NotesDialect().capabilities(announced: []))
    expect(
      transport.hops.map(\.address.target),
      [
        "/api/products?page_no=1&items_per_page=20", "/items/1", "/notes?page=1",
      ])
  }

  @Test func `who names it has nothing else asked`() async throws {
    let transport = transport(speaking: [NotesDialect()])

    _ = try await repository(over: transport, speaking: "2031").capabilities()

    expect(transport.hops.map(\.address.target), ["/notes/hello"])
  }

  @Test func `a product is registered, read, changed and deleted in it`() async throws {
    let repository = try repository(over: transport(speaking: [NotesDialect()]))

    let made = try await repository.register(
      .sample(name: "Mug & cup"), by: .guest, key: IdempotencyKey(rawValue: "k"))
    try await repository.verify(password, for: made.id, by: .guest)
    let changed = try await repository.update(
      made.id, with: ProductPatch(name: "Cup"), password: password, by: .guest,
      expecting: made.version)
    let listed = try await market.page(PageRequest()).products.map(\.name)
    let deleted = try await repository.delete(made.id, password: password, by: .guest)

    expect(made.product.name, "Mug & cup")
    expect(changed.product.name, "Cup")
    expect(listed, ["Cup"])
    expect(deleted.id, made.id)
    #expect(try await market.page(PageRequest()).products.isEmpty)
  }

  @Test func `its own way of finding conflicts is the client's`() async throws {
    let repository = try repository(over: transport(speaking: [NotesDialect()]))
    let made = try await repository.register(
      .sample(name: "Mug"), by: .guest, key: IdempotencyKey(rawValue: "k"))
    _ = try await market.update(
      made.id, with: ProductPatch(name: "Jug"), password: password, by: .guest, expecting: nil)

    let error = await #expect(throws: RepositoryError.self) {
      try await repository.update(
        made.id, with: ProductPatch(name: "Cup"), password: password, by: .guest,
        expecting: made.version)
    }

    guard case .conflict(let current) = error else {
      Issue.record("\(String(describing: error)) is no conflict")
      return
    }
    expect(current.product.name, "Jug")
  }

  @Test func `what it cannot do is unsupported`() async throws {
    let repository = try repository(over: transport(speaking: [NotesDialect()]))

    await #expect(throws: RepositoryError.unsupported) {
      try await repository.rename(SellerIdentifier(secret: "abc"), to: "Hana")
    }
  }

  @Test func `what was seen in it is shown again when the server is gone`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "cache.sqlite")
    let seen = try repository(
      over: transport(speaking: [NotesDialect()]), cache: ResponseCache(at: path))
    let made = try await seen.register(
      .sample(name: "Mug"), by: .guest, key: IdempotencyKey(rawValue: "k"))
    let detail = try await seen.detail(of: made.id)

    let later = try repository(
      over: FakeTransport { _, _ throws(TransportError) in throw .refused },
      cache: ResponseCache(at: path))

    await expect(later.cachedDetail(of: made.id)?.value, detail)
    await expect(later.cachedPage(PageRequest()), nil)
  }

  @Test func `one server speaks all dialects of the list, each by its paths`() async throws {
    let server = WireMarket(
      dialects.served(), announcing: Set(ServerCapability.allCases), market)
    _ = try await market.register(
      .sample(name: "Mug"), by: .guest, key: IdempotencyKey(rawValue: "k"))

    let items = await server.response(to: HTTPRequest(.get, "/items/1"))
    let products = await server.response(to: HTTPRequest(.get, "/api/products"))
    let notes = await server.response(to: HTTPRequest(.get, "/notes"))
    let refusal = await server.response(to: HTTPRequest(.delete, "/notes"))

    #expect(String(decoding: items.body, as: UTF8.self).hasPrefix(#"{"page":1,"items":[{"id":"#))
    #expect(String(decoding: products.body, as: UTF8.self).hasPrefix(#"{"pageNo":1,"#))
    #expect(String(decoding: notes.body, as: UTF8.self).contains("name=Mug"))
    expect(refusal.status, .badRequest)
    #expect(String(decoding: refusal.body, as: UTF8.self).hasPrefix("a note says"))
  }
}
