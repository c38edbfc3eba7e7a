import Expectations
import MarketModel
import PersonalStore
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct AlertSchedulerTests {
  /// A local market that is shown, with the servers `a` and `b` beside it.
  private final class Stage {
    let clock = ManualClock()
    let repository = GatedProductRepository()
    let store = PersonalFile.inMemory()
    let attention = UserPresence()
    let local: Navigator
    let markets: Markets
    let fake: FakeMarkets
    let engine: AlertScheduler
    private(set) var told: [[Int64]] = []

    init(_ alerts: [Alert] = []) async {
      let program = ProgramState()
      program.personal = store
      local = Navigator(
        browser: BrowserModel(
          repository: repository, arrangement: .list, pageSize: 4, clock: clock, jitter: .fixed(0)),
        gallery: PictureGallery(loader: NoPictures()), marketName: nil, clock: clock,
        program: program, now: { Timestamp(seconds: 0) })
      markets = Markets(local)
      fake = FakeMarkets(["a", "b"], behind: markets, clock: clock)
      engine = AlertScheduler(
        markets, store: store, attention: attention, clock: clock, jitter: .fixed(0))
      program.alerts = engine
      for alert in alerts { _ = await store.add(alert) }
      engine.announce = { [unowned self] in told.append($0.map(\.product.rawValue)) }
    }

    /// Starts it and lets the pause before the first look pass.
    func start() async throws {
      engine.start()
      try await clock.sleeps(of: .seconds(1)).next().answer(())
    }

    /// Others changed products of the local market.
    func hear(_ changes: [ProductChange]) {
      local.browser.list.observers.report(.changed(changes.map(MarketChange.product)))
    }

    /// Answers a look at a market with these products, for all waits that it was asked for.
    func answer(_ market: String, _ products: [Product]) async throws {
      let call = try await fake.checks(of: market).next()
      call.answer(call.request.map { AlertObservation($0.id, products) })
    }
  }

  private static func wait(_ market: String, below units: Int64 = 10_000) -> Alert {
    Alert(
      market: MarketKey(rawValue: market), subject: .product(Product.ID(rawValue: 3)), name: "Cup",
      condition: .below(Money(hundredths: units * 100, currency: .krw)))
  }

  @Test func `all markets with waits are looked at, and what has come is told and counted`()
    async throws
  {
    let stage = await Stage([Self.wait("server-a"), Self.wait("server-b", below: 5_000)])

    try await stage.start()
    try await stage.answer("server-a", [.sample(id: 3, price: 9_000)])
    try await stage.answer("server-b", [.sample(id: 3, price: 9_000)])
    await until { stage.engine.unseen == 1 }

    expect(stage.told, [[3]])
    expect(stage.fake.checks(of: "local").callCount, 0)
  }

  @Test func `a market that does not answer holds nobody up, and is asked again`() async throws {
    let stage = await Stage([Self.wait("server-a"), Self.wait("server-b")])
    try await stage.start()
    let silent = try await stage.fake.checks(of: "server-a").next()

    try await stage.answer("server-b", [.sample(id: 3, price: 9_000)])
    await until { stage.engine.unseen == 1 }
    // One limit is that of the market that has answered.
    for _ in 0..<2 { try await stage.clock.sleeps(of: .seconds(10)).next().answer(()) }
    try await stage.clock.sleeps(of: .seconds(300)).next().answer(())
    try await stage.answer("server-a", [.sample(id: 3, price: 8_000)])
    await until { stage.engine.unseen == 2 }

    #expect(silent.isCancelled)
    expect(stage.told, [[3], [3]])
  }

  @Test func `a market that does not answer is known to be silent until it does`() async throws {
    let stage = await Stage([Self.wait("server-a")])
    let market = MarketKey(rawValue: "server-a")
    try await stage.start()
    _ = try await stage.fake.checks(of: "server-a").next()

    try await stage.clock.sleeps(of: .seconds(10)).next().answer(())
    await until { stage.engine.silent[market] != nil }
    try await stage.clock.sleeps(of: .seconds(300)).next().answer(())
    try await stage.answer("server-a", [])
    await until { stage.engine.silent.isEmpty }

    await expect(stage.store.unresponsiveMarkets(), [:])
  }

  @Test func `while nobody is there nothing is asked`() async throws {
    let stage = await Stage([Self.wait("server-a")])
    try await stage.start()
    try await stage.answer("server-a", [])
    stage.attention.didChangeFocus(to: false)

    try await stage.clock.sleeps(of: .seconds(300)).next().answer(())
    expect(stage.fake.checks(of: "server-a").callCount, 1)
    stage.attention.didChangeFocus(to: true)

    try await stage.answer("server-a", [])
    expect(stage.fake.checks(of: "server-a").callCount, 2)
  }

  @Test func `news of an open market are looked at soon, once for a burst`() async throws {
    let stage = await Stage([Self.wait("local")])
    try await stage.start()
    try await stage.answer("local", [.sample(id: 3, price: 12_000)])
    await until { !stage.engine.alerts.isEmpty }
    let seller = Seller.guest.id

    stage.hear([
      ProductChange(id: Product.ID(rawValue: 9), kind: .listed, version: nil, seller: seller)
    ])
    for _ in 0..<3 {
      stage.hear([
        ProductChange(id: Product.ID(rawValue: 3), kind: .changed, version: nil, seller: seller)
      ])
    }
    try await stage.clock.sleeps(of: .milliseconds(500)).next().answer(())
    try await stage.answer("local", [.sample(id: 3, price: 9_000)])
    await until { stage.engine.unseen == 1 }

    expect(stage.told, [[3]])
    expect(stage.fake.checks(of: "local").callCount, 2)
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
    ] as [(Alert.Subject, Alert.Condition, ProductChange.Kind, Bool)])
  func `only news that may be what is waited for are looked at`(
    subject: Alert.Subject, condition: Alert.Condition, kind: ProductChange.Kind, isAsked: Bool
  ) async throws {
    let stage = await Stage([
      Alert(market: .local, subject: subject, name: "", condition: condition)
    ])
    try await stage.start()
    try await stage.answer("local", [])
    await until { !stage.engine.alerts.isEmpty }

    stage.hear([
      ProductChange(
        id: Product.ID(rawValue: 3), kind: kind, version: nil, seller: Seller.ID(rawValue: 7))
    ])
    for _ in 0..<20 { await Task.yield() }

    expect(stage.clock.sleeps(of: .milliseconds(500)).callCount, isAsked ? 1 : 0)
  }

  @Test func `what another program told is not told again`() async throws {
    let stage = await Stage([Self.wait("server-a")])
    let alert = try #require(await stage.store.alerts().first)
    _ = await stage.store.record([AlertObservation(alert.id, [.sample(id: 3, price: 9_000)])])

    try await stage.start()
    try await stage.answer("server-a", [.sample(id: 3, price: 9_000)])
    await until { stage.engine.unseen == 1 }

    expect(stage.told, [])
  }
}
