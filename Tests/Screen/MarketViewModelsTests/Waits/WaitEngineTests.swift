import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct WaitEngineTests {
  /// A local market that is shown, with the servers `a` and `b` beside it.
  private final class Stage {
    let clock = ManualClock()
    let repository = GatedProductRepository()
    let book = FakePersonalBook()
    let attention = Attention()
    let local: Navigator
    let markets: Markets
    let fake: FakeMarkets
    let engine: WaitEngine
    private(set) var told: [[Int64]] = []

    init(_ waits: [Wait] = []) async {
      let program = ProgramState()
      program.personal = book
      local = Navigator(
        browser: BrowserModel(
          repository: repository, arrangement: .list, pageSize: 4, clock: clock, random: { 0 }),
        gallery: PictureGallery(loader: NoPictures()), marketName: nil, clock: clock,
        program: program, now: { Timestamp(seconds: 0) })
      markets = Markets(local)
      fake = FakeMarkets(["a", "b"], behind: markets, clock: clock)
      engine = WaitEngine(
        markets, book: book, attention: attention, clock: clock, random: { 0 })
      program.waits = engine
      for wait in waits { _ = await book.begin(wait) }
      engine.tell = { [unowned self] in told.append($0.map(\.product.rawValue)) }
    }

    /// Starts it and lets the pause before the first look pass.
    func start() async {
      engine.start()
      await clock.sleeps(of: .seconds(1)).next().answer(())
    }

    /// Answers a look at a market with these products, for all waits that it was asked for.
    func answer(_ market: String, _ products: [Product]) async {
      let call = await fake.looks(of: market).next()
      call.answer(call.request.map { WaitObservation($0.id, products) })
    }
  }

  private static func wait(_ market: String, below units: Int64 = 10_000) -> Wait {
    Wait(
      market: MarketKey(rawValue: market), subject: .product(Product.ID(rawValue: 3)), name: "Cup",
      condition: .below(Money(hundredths: units * 100, currency: .krw)))
  }

  @Test func `all markets with waits are looked at, and what has come is told and counted`() async {
    let stage = await Stage([Self.wait("server-a"), Self.wait("server-b", below: 5_000)])

    await stage.start()
    await stage.answer("server-a", [.sample(id: 3, price: 9_000)])
    await stage.answer("server-b", [.sample(id: 3, price: 9_000)])
    await until { stage.engine.unseen == 1 }

    #expect(stage.told == [[3]])
    #expect(stage.fake.looks(of: "local").callCount == 0)
  }

  @Test func `a market that does not answer holds nobody up, and is asked again`() async {
    let stage = await Stage([Self.wait("server-a"), Self.wait("server-b")])
    await stage.start()
    let silent = await stage.fake.looks(of: "server-a").next()

    await stage.answer("server-b", [.sample(id: 3, price: 9_000)])
    await until { stage.engine.unseen == 1 }
    // One limit is that of the market that has answered.
    for _ in 0..<2 { await stage.clock.sleeps(of: .seconds(10)).next().answer(()) }
    await stage.clock.sleeps(of: .seconds(300)).next().answer(())
    await stage.answer("server-a", [.sample(id: 3, price: 8_000)])
    await until { stage.engine.unseen == 2 }

    #expect(silent.isCancelled)
    #expect(stage.told == [[3], [3]])
  }

  @Test func `a market that does not answer is known to be silent until it does`() async {
    let stage = await Stage([Self.wait("server-a")])
    let market = MarketKey(rawValue: "server-a")
    await stage.start()
    _ = await stage.fake.looks(of: "server-a").next()

    await stage.clock.sleeps(of: .seconds(10)).next().answer(())
    await until { stage.engine.silent[market] != nil }
    await stage.clock.sleeps(of: .seconds(300)).next().answer(())
    await stage.answer("server-a", [])
    await until { stage.engine.silent.isEmpty }

    #expect(await stage.book.silentMarkets() == [:])
  }

  @Test func `while nobody is there nothing is asked`() async {
    let stage = await Stage([Self.wait("server-a")])
    await stage.start()
    await stage.answer("server-a", [])
    stage.attention.didChangeFocus(to: false)

    await stage.clock.sleeps(of: .seconds(300)).next().answer(())
    #expect(stage.fake.looks(of: "server-a").callCount == 1)
    stage.attention.didChangeFocus(to: true)

    await stage.answer("server-a", [])
    #expect(stage.fake.looks(of: "server-a").callCount == 2)
  }

  @Test func `news of an open market are looked at soon, once for a burst`() async {
    let stage = await Stage([Self.wait("local")])
    await stage.start()
    await stage.answer("local", [.sample(id: 3, price: 12_000)])
    await until { !stage.engine.waits.isEmpty }
    let seller = Seller.guest.id

    stage.local.marketDidChange([
      ProductChange(id: Product.ID(rawValue: 9), kind: .listed, version: nil, seller: seller)
    ])
    for _ in 0..<3 {
      stage.local.marketDidChange([
        ProductChange(id: Product.ID(rawValue: 3), kind: .changed, version: nil, seller: seller)
      ])
    }
    await stage.clock.sleeps(of: .milliseconds(500)).next().answer(())
    await stage.answer("local", [.sample(id: 3, price: 9_000)])
    await until { stage.engine.unseen == 1 }

    #expect(stage.told == [[3]])
    #expect(stage.fake.looks(of: "local").callCount == 2)
  }

  @Test(
    arguments: [
      (.product(Product.ID(rawValue: 3)), .backInStock, .changed, true),
      (.product(Product.ID(rawValue: 3)), .backInStock, .deleted, false),
      (.seller(Seller.ID(rawValue: 7)), .anythingNew, .listed, true),
      (.seller(Seller.ID(rawValue: 7)), .anythingNew, .changed, false),
      (.seller(Seller.ID(rawValue: 8)), .anythingNew, .listed, false),
      (.search("cup"), .backInStock, .changed, true),
      (.search("cup"), .backInStock, .deleted, false),
    ] as [(Wait.Subject, Wait.Condition, ProductChange.Kind, Bool)])
  func `only news that may be what is waited for are looked at`(
    subject: Wait.Subject, condition: Wait.Condition, kind: ProductChange.Kind, isAsked: Bool
  ) async {
    let stage = await Stage([
      Wait(market: .local, subject: subject, name: "", condition: condition)
    ])
    await stage.start()
    await stage.answer("local", [])
    await until { !stage.engine.waits.isEmpty }

    stage.local.marketDidChange([
      ProductChange(
        id: Product.ID(rawValue: 3), kind: kind, version: nil, seller: Seller.ID(rawValue: 7))
    ])
    for _ in 0..<20 { await Task.yield() }

    #expect(stage.clock.sleeps(of: .milliseconds(500)).callCount == (isAsked ? 1 : 0))
  }

  @Test func `what another program told is not told again`() async throws {
    let stage = await Stage([Self.wait("server-a")])
    let wait = try #require(await stage.book.waits().first)
    _ = await stage.book.note([WaitObservation(wait.id, [.sample(id: 3, price: 9_000)])])

    await stage.start()
    await stage.answer("server-a", [.sample(id: 3, price: 9_000)])
    await until { stage.engine.unseen == 1 }

    #expect(stage.told == [])
  }
}

@Suite(.timeLimit(.minutes(1))) struct WaitCheckTests {
  private static func wait(_ id: Int64, _ subject: Wait.Subject) -> Wait {
    Wait(
      id: Wait.ID(rawValue: id), market: .local, subject: subject, name: "", condition: .backInStock
    )
  }

  private static func products(_ count: Int64) -> [Wait] {
    (1...count).map { wait($0, .product(Product.ID(rawValue: $0))) }
  }

  @Test func `a hundred products are asked with one request`() async throws {
    let repository = InMemoryProductRepository(count: 150)

    let seen = try await WaitCheck(repository, now: Timestamp(seconds: 0))
      .look(for: Self.products(200), atMost: 2).observations

    #expect(seen.count == 200)
    #expect(seen.filter { !$0.products.isEmpty }.count == 150)
    #expect(seen.allSatisfy { $0.products.allSatisfy { $0.id.rawValue >= 1 } })
  }

  @Test func `a price is waited for among the cheapest in its currency`() async throws {
    let repository = GatedProductRepository()
    let limit = Money(hundredths: 1_000, currency: .usd)
    let wait = Wait(
      id: Wait.ID(rawValue: 1), market: .local, subject: .search("cup sort:newest"), name: "",
      condition: .below(limit))
    let check = WaitCheck(repository, now: Timestamp(seconds: 0))

    let looking = Task { try await check.look(for: [wait, wait]).observations }
    let call = await repository.pages.next()
    call.answer(.sample([3]))

    #expect(call.request.query == ProductQuery(text: "cup", currency: .usd, order: .cheapest))
    #expect(try await looking.value.map(\.products.count) == [1, 1])
    #expect(repository.pages.callCount == 1)
  }

  @Test func `sold out products count where one waits for them to come back`() async throws {
    let repository = GatedProductRepository()
    let check = WaitCheck(repository, now: Timestamp(seconds: 0))

    let looking = Task { try await check.look(for: [Self.wait(1, .search("cup stock"))]) }
    let call = await repository.pages.next()
    call.answer(.sample([3]))

    #expect(call.request.query.filters == [])
    _ = try await looking.value
  }

  @Test func `a search and a seller are asked for their newest`() async throws {
    let repository = InMemoryProductRepository(count: 5)
    let search = Self.wait(1, .search("product sort:cheapest"))
    let waits = [search, Self.wait(2, .seller(Seller.guest.id))]

    let seen = try await WaitCheck(repository, now: Timestamp(seconds: 0))
      .look(for: waits).observations

    #expect(Set(seen.map(\.wait.rawValue)) == [1, 2])
    #expect(seen.allSatisfy { $0.products.map(\.id.rawValue) == [5, 4, 3, 2, 1] })
  }

  @Test func `a further round goes on where the one before it ended`() async throws {
    let check = WaitCheck(InMemoryProductRepository(count: 150), now: Timestamp(seconds: 0))

    var rounds: [Set<Int64>] = []
    for round in 0..<3 {
      let seen = try await check.look(for: Self.products(200), atMost: 1, round: round)
      rounds.append(Set(seen.observations.map(\.wait.rawValue)))
    }

    #expect(rounds == [Set(1...100), Set(101...200), Set(1...100)])
  }

  @Test func `what a server sends of other sellers is passed over`() async throws {
    let repository = GatedProductRepository()
    let check = WaitCheck(repository, now: Timestamp(seconds: 0))
    let hana = Seller(id: Seller.ID(rawValue: 7), name: "Hana")

    let looking = Task { try await check.look(for: [Self.wait(1, .seller(hana.id))]).observations }
    await repository.pages.next().answer(
      ProductPage(
        products: [.sample(id: 4), .sample(id: 3, seller: hana)], total: .exactly(2), next: nil))

    #expect(try await looking.value.map { $0.products.map(\.id.rawValue) } == [[3]])
  }

  /// A market that is asked for each product by itself.
  private static func oneByOne() -> GatedProductRepository {
    var capabilities = RepositoryCapabilities.full
    capabilities.parts.remove(.ids)
    return GatedProductRepository(capabilities: capabilities)
  }

  @Test func `a market that fails at one product tells the others, and that it failed`()
    async throws
  {
    let repository = Self.oneByOne()
    let check = WaitCheck(repository, now: Timestamp(seconds: 0))

    async let looking = check.look(for: Self.products(3))
    await repository.details.next().fail(.badAnswer(.status(500)))
    await repository.details.next().fail(.notFound)
    await repository.details.next().answer(.sample(of: .sample(id: 3)))

    let look = try await looking
    #expect(look.observations.map(\.wait.rawValue) == [3])
    #expect(look.failure == .badAnswer(.status(500)))
  }

  @Test func `what was heard counts when the market goes, and nobody asks on`() async throws {
    let repository = Self.oneByOne()
    let check = WaitCheck(repository, now: Timestamp(seconds: 0))

    async let looking = check.look(for: Self.products(3))
    await repository.details.next().answer(.sample(of: .sample(id: 1)))
    await repository.details.next().fail(.unreachable(.refused))

    let look = try await looking
    #expect(look.observations.map(\.wait.rawValue) == [1])
    #expect(look.failure == .unreachable(.refused))
    #expect(repository.details.callCount == 2)
  }

  @Test func `a market of which nothing is heard says why`() async throws {
    let repository = Self.oneByOne()
    let check = WaitCheck(repository, now: Timestamp(seconds: 0))

    async let looking = check.look(for: Self.products(1))
    await repository.details.next().fail(.badAnswer(.status(500)))

    var failure: RepositoryError?
    do { _ = try await looking } catch { failure = error as? RepositoryError }
    #expect(failure == .badAnswer(.status(500)))
  }
}
