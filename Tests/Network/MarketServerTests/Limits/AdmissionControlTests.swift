import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

struct AdmissionControlTests {
  private let products = ProductsDialect(variant: .y2023)
  private let items = ItemsDialect()
  private let seller = Author.seller(SellerIdentifier(secret: "a-seller"))

  @Test func `an address registers as many products a minute as it may, and others go on`()
    async throws
  {
    let market = try await ServedStore(registrationsPerMinute: 3)

    for _ in 1...3 { #expect(try await register(at: market).status.isSuccess) }
    let refused = try await register(at: market)
    let other = try await register(at: market, from: "192.0.2.2")

    expect(refused.status, .tooManyRequests)
    expect(refused.headers[HeaderName.retryAfter], "20")
    #expect(other.status.isSuccess)
    market.clock.advance(by: 20)
    #expect(try await register(at: market).status.isSuccess)
    try await expect(register(at: market).status, .tooManyRequests)
  }

  @Test func `an address asks and answers ten times an hour`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right"), by: seller).id
    func ask(_ number: Int) async throws -> HTTPStatus {
      let asker = SellerIdentifier(secret: "asker-\(number)")
      let question = NewQuestion(text: "Question \(number)")
      return try await market.send(
        .question(.ask(question, about: id, by: asker, nil)), in: products
      ).status
    }

    for number in 1...9 { #expect(try await ask(number).isSuccess) }
    let answer = try await market.send(
      .question(.answer(Question.ID(rawValue: 1), NewAnswer(text: "Yes."), seller, nil)),
      in: products)

    #expect(answer.status.isSuccess)
    try await expect(ask(10), .tooManyRequests)
    market.clock.advance(by: 360)
    #expect(try await ask(10).isSuccess)
  }

  @Test func `clients of v1 are told by a status that they know`() async throws {
    let market = try await ServedStore(registrationsPerMinute: 1)
    _ = try await register(at: market)

    let refused = try await register(at: market, in: items, by: .guest)

    expect(refused.status, .badRequest)
    expect(refused.headers[HeaderName.retryAfter], "60")
    try expect(refused.json["error"]?.bool, true)
  }

  @Test func `only registrations count`() async throws {
    let market = try await ServedStore(registrationsPerMinute: 1)
    let id = try await market.store.register(.sample(password: "right"), by: seller).id

    for stock in 1...5 {
      let answer = try await edit(id, ProductPatch(stock: Int64(stock)), at: market)
      #expect(answer.status.isSuccess)
    }
  }

  @Test func `a full market takes nothing in, and everything else goes on`() async throws {
    let market = try await ServedStore(storeBytes: 1)
    let id = try await market.store.register(.sample(password: "right"), by: seller).id

    let registered = try await register(at: market)
    let onItems = try await register(at: market, in: items, by: .guest)
    let longer = try await edit(id, ProductPatch(description: "Longer than it was."), at: market)
    let pictures = ProductPatch.Pictures.list([.new(PictureFile.jpeg(3))])
    let more = try await edit(id, ProductPatch(pictures: pictures), at: market)

    expect(registered.status, .insufficientStorage)
    try expect(registered.json["message"]?.string?.hasPrefix("The market is full"), true)
    expect(onItems.status, .badRequest)
    expect(longer.status, .insufficientStorage)
    expect(more.status, .insufficientStorage)
    #expect(try await edit(id, ProductPatch(stock: 0), at: market).status.isSuccess)
    try await expect(market.send(.detail(id), in: products).status, .ok)
    let deletion = MarketOperation.delete(id, Password("right"), .guest)
    try await expect(market.send(deletion, in: items).status, .ok)
  }

  @Test func `a market that is deleted from takes in again`() async throws {
    let sample = ProductRegistration.sample(
      pictures: [PictureFile.jpeg(7, byteCount: 300_000)], password: "right")
    let measured = try await ServedStore()
    let empty = try await measured.store.storedBytes()
    _ = try await measured.store.register(sample)
    let one = try await measured.store.storedBytes()
    let market = try await ServedStore(storeBytes: one + (one - empty) / 2)

    let first = try await register(sample, at: market)
    let second = try await register(sample.with(picture: 8), at: market)
    let id = try #require(try first.json["id"]?.text.flatMap { Int64($0) })
    let deletion = MarketOperation.delete(
      Product.ID(rawValue: id), Password("right"), .guest)
    _ = try await market.send(deletion, in: items)
    let third = try await register(sample.with(picture: 9), at: market)

    #expect(first.status.isSuccess)
    expect(second.status, .insufficientStorage)
    #expect(third.status.isSuccess)
  }

  @Test func `a market holds as many products as it may, whatever is edited`() async throws {
    let market = try await ServedStore(limiting: { $0.storeProducts = 2 })
    let id = try await market.store.register(.sample(password: "right"), by: seller).id

    let second = try await register(at: market)
    let third = try await register(at: market)
    let edited = try await edit(id, ProductPatch(description: "Longer than it was."), at: market)

    #expect(second.status.isSuccess && edited.status.isSuccess)
    expect(third.status, .insufficientStorage)
    let deletion = MarketOperation.delete(id, Password("right"), .guest)
    _ = try await market.send(deletion, in: items)
    #expect(try await register(at: market).status.isSuccess)
  }

  @Test func `an address sends as many bytes a day as it may, and one piece in any case`()
    async throws
  {
    let large = ProductRegistration.sample(pictures: [PictureFile.jpeg(7, byteCount: 300_000)])
    let market = try await ServedStore(limiting: { $0.bytesPerDay = 500_000 })

    let first = try await register(large, at: market)
    let second = try await register(large, at: market)
    let other = try await register(large, at: market, from: "192.0.2.2")

    #expect(first.status.isSuccess && other.status.isSuccess)
    expect(second.status, .tooManyRequests)
    let seconds = try #require(second.headers[HeaderName.retryAfter].flatMap { Int64($0) })
    #expect((1...86_400).contains(seconds))
    market.clock.advance(by: seconds)
    #expect(try await register(large, at: market).status.isSuccess)
    let tiny = try await ServedStore(limiting: { $0.bytesPerDay = 1_000 })
    #expect(try await register(large, at: tiny).status.isSuccess)
  }

  @Test func `an address searches as often as it may, and what is remembered is free`()
    async throws
  {
    let registry = MetricsRegistry()
    let market = try await ServedStore(
      limiting: { $0.searchesPerMinute = 2 }, registry: registry)
    let search = "/api/products?search_value="

    for word in ["a", "b", "a", "b"] {
      await expect(market.send(.get, search + word).status, .ok)
    }
    let refused = await market.send(.get, search + "c")
    let other = await market.send(.get, search + "c", from: "192.0.2.2")
    let list = await market.send(.get, "/api/products?page_no=2")

    expect(refused.status, .tooManyRequests)
    expect(refused.headers[HeaderName.retryAfter], "30")
    try expect(refused.problem, "too_many_requests")
    #expect(other.status == .ok && list.status == .ok)
    expect(registry.counter(.limited, "searches").count, 1)
  }

  @Test func `a search whose turn does not come is refused, and lists of everything go on`()
    async throws
  {
    let registry = MetricsRegistry()
    // No search is admitted.
    let market = try await ServedStore(limiting: { $0.searchesAtOnce = 0 }, registry: registry)

    let (search, narrowed) = await RequestDeadline.limited(to: .milliseconds(510)) {
      await (
        market.send(.get, "/api/products?search_value=a"),
        market.send(.get, "/api/products?min_price=5")
      )
    }

    #expect(search.status == .tooManyRequests && narrowed.status == .tooManyRequests)
    expect(search.headers[HeaderName.retryAfter], "1")
    await expect(market.send(.get, "/api/products?sort=cheapest").status, .ok)
    expect(registry.counter(.limited, "searches_at_once").count, 2)
  }

  private func register(
    _ registration: ProductRegistration = .sample(), at market: borrowing ServedStore,
    in dialect: (any MarketDialect)? = nil, by author: Author? = nil,
    from address: String = "192.0.2.1"
  ) async throws -> HTTPResponse {
    try await market.send(
      .register(registration, author ?? seller, nil), in: dialect ?? products, from: address)
  }

  private func edit(
    _ id: Product.ID, _ patch: ProductPatch, at market: borrowing ServedStore
  ) async throws -> HTTPResponse {
    let update = ProductUpdate(id: id, patch: patch, password: Password("right"), author: seller)
    return try await market.send(.update(update), in: products)
  }
}

extension ProductRegistration {
  /// The same with another picture of the same size.
  fileprivate func with(picture number: UInt8) -> ProductRegistration {
    var registration = self
    registration.pictures = [PictureFile.jpeg(number, byteCount: 300_000)]
    return registration
  }
}
