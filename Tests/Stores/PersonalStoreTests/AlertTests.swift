import Expectations
import Glibc
import MarketModel
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// What a person waits for, over real files.
struct AlertTests {
  private let folder = FolderOfTest()
  private var clock: WallClock { folder.clock }
  private let home = MarketKey(rawValue: "http://home/")

  private func open() -> PersonalFile { folder.open() }

  private func alert(
    _ condition: Alert.Condition = .below(.won(10_000)),
    _ subject: Alert.Subject = .product(Product.ID(rawValue: 3)), name: String = "Cup"
  ) -> Alert {
    Alert(
      market: home, location: "http://home/", subject: subject, name: name, condition: condition)
  }

  private func observation(
    _ file: PersonalFile, _ products: Product...
  ) async throws -> AlertObservation {
    AlertObservation(try #require(await file.alerts().first).id, products)
  }

  @Test(arguments: [
    (Alert.Condition.below(.won(10_000)), Alert.Subject.product(Product.ID(rawValue: 3))),
    (.backInStock, .product(Product.ID(rawValue: 3))),
    (.anythingNew, .seller(Seller.ID(rawValue: 7))),
    (.anythingNew, .search("자전거 <200000")),
  ])
  func `a wait comes back as it was, in another program as well`(
    condition: Alert.Condition, subject: Alert.Subject
  ) async {
    #expect(await open().add(alert(condition, subject)))

    var favorite = await open().alerts()
    expect(favorite.count, 1)
    favorite[0].id = Alert.ID(rawValue: 0)
    expect(favorite, [alert(condition, subject)])
  }

  @Test func `a wait takes the place of one for the same`() async throws {
    let file = open()

    _ = await file.add(alert(.below(.won(10_000))))
    _ = await file.add(alert(.below(.won(9_000))))
    _ = await file.add(alert(.backInStock))
    let favorite = await file.alerts()
    await file.end(favorite[0].id)

    expect(favorite.map(\.condition), [.backInStock, .below(.won(9_000))])
    await expect(file.alerts().map(\.condition), [.below(.won(9_000))])
  }

  @Test func `that a product was reserved is told with its alert, and kept with it`() async throws {
    let file = open()
    _ = await file.add(alert())
    var cheap = Product.sample(id: 3, price: 9_000, stock: 1)
    cheap.isReserved = true

    let told = await file.record([try await observation(file, cheap)])

    expect(told.map(\.isReserved), [true])
    await expect(open().triggeredAlerts(atMost: 1).map(\.isReserved), [true])
  }

  @Test func `that its product was deleted is told once, and ends the alert`() async throws {
    let file = open()
    _ = await file.add(alert())
    var deletion = try await observation(file)
    deletion.isDeleted = true

    let told = await file.record([deletion])
    let again = await file.record([deletion])

    expect(told.map(\.event), [.deleted])
    expect(told.map(\.name), ["Cup"])
    expect(again, [])
    await expect(open().alerts(), [])
    await expect(open().triggeredAlerts(atMost: 9).map(\.event), [.deleted])
  }

  @Test func `a product that another market does not have is not told as deleted`() async throws {
    let file = open()
    _ = await file.add(alert())
    var first = try await observation(file, .sample(id: 3, price: 20_000))
    first.marketID = MarketID(String(repeating: "a", count: 32))
    _ = await file.record([first])
    var other = try await observation(file)
    (other.isDeleted, other.marketID) = (true, MarketID(String(repeating: "b", count: 32)))

    await expect(file.record([other]), [])
    await expect(file.alerts().count, 1)
  }

  @Test func `many programs that hear of one change tell it once`() async throws {
    let files = (0..<8).map { _ in open() }
    _ = await files[0].add(alert())
    let cheap = try await observation(files[0], .sample(id: 3, price: 9_000))

    let told = await withTaskGroup(of: Int.self) { group in
      for file in files { group.addTask { await file.record([cheap]).count } }
      return await group.reduce(0, +)
    }

    expect(told, 1)
  }

  @Test func `what a search had is known to the next program, and goes with the wait`() async throws
  {
    let first = open()
    _ = await first.add(alert(.below(.won(10_000)), .search("cup")))
    _ = await first.record([try await observation(first, .sample(id: 1, price: 20_000))])
    _ = await first.record([try await observation(first, .sample(id: 1, price: 9_000))])

    let second = open()
    let again = await second.record([try await observation(second, .sample(id: 1, price: 9_000))])
    let risen = await second.record([try await observation(second, .sample(id: 1, price: 20_000))])
    let fallen = await second.record([try await observation(second, .sample(id: 1, price: 8_000))])

    #expect(again == [] && risen == [])
    expect(fallen.map(\.price), [.won(8_000)])
    await second.end(try #require(await second.alerts().first).id)
    _ = await second.add(alert(.below(.won(10_000)), .search("cup")))
    await expect(second.record([try await observation(second, .sample(id: 1, price: 9_000))]), [])
  }

  @Test func `whichever way the clock jumps, everything is told once`() async throws {
    let first = open()
    _ = await first.add(alert(.anythingNew, .search("cup")))
    _ = await first.record([try await observation(first, .sample(id: 1))])
    let years = Int64(40 * 365 * 86_400)

    let jumps: [(Int64, Int64)] = [(2, years), (3, -2 * years), (4, 0), (5, years)]

    for (number, jump) in jumps {
      clock.advance(jump)
      let file = open()
      let product = Product.sample(id: number, created: clock.now.seconds)
      let look = [try await observation(file, product, .sample(id: 1))]

      await expect(file.record(look).map(\.product), [product.id])
      await expect(file.record(look), [])
      await expect(open().record(look), [])
    }

    await expect(open().triggeredAlerts(atMost: 9).map(\.product.rawValue), [5, 4, 3, 2])
  }

  @Test func `a market stays silent, and answers again, whichever way the clock jumps`() async {
    let answered = clock.now
    await open().didLook(in: home, hasAnswered: true)

    for jump: Int64 in [1_000_000_000, -2_000_000_000] {
      clock.advance(jump)
      await open().didLook(in: home, hasAnswered: false)
      await expect(open().unresponsiveMarkets(), [home: answered])
    }
    await open().didLook(in: home, hasAnswered: true)

    await expect(open().unresponsiveMarkets(), [:])
  }

  @Test func `a market that does not answer is silent since it answered last`() async {
    let file = open()
    let answered = clock.now
    await file.didLook(in: home, hasAnswered: true)
    await expect(file.unresponsiveMarkets(), [:])

    for _ in 1...2 {
      clock.advance(100)
      await file.didLook(in: home, hasAnswered: false)
    }
    await file.didLook(in: .local, hasAnswered: false)

    await expect(open().unresponsiveMarkets(), [home: answered, .local: clock.now])
    await file.didLook(in: home, hasAnswered: true)
    await expect(file.unresponsiveMarkets().keys.map(\.self), [.local])
  }

  @Test func `triggered alerts are counted until somebody looks at them`() async throws {
    let file = open()
    _ = await file.add(alert(.anythingNew, .search("cup")))
    _ = await file.record([try await observation(file, .sample(id: 5))])
    _ = await file.record([try await observation(file, .sample(id: 6), .sample(id: 7))])

    _ = await file.record([try await observation(file, .sample(id: 8))])

    await expect(file.unseenAlerts(), 2)
    await expect(file.triggeredAlerts(atMost: 10).map(\.product.rawValue), [8, 7])
    await expect(file.triggeredAlerts(atMost: 10).map(\.count), [1, 2])
    await file.didSeeAlerts()
    await expect(file.unseenAlerts(), 0)
    await file.forget(try #require(await file.triggeredAlerts(atMost: 1).first).id)
    await expect(file.triggeredAlerts(atMost: 10).map(\.product.rawValue), [7])
  }

  @Test func `all that comes with one check is one triggered alert, page by page`() async throws {
    let file = open()
    _ = await file.add(alert(.anythingNew, .search("cup")))
    _ = await file.record([try await observation(file, .sample(id: 1))])

    var triggeredAlerts: [TriggeredAlert] = []
    for start: Int64 in [800, 500, 200] {
      let products = (start..<start + 300).map { Product.sample(id: $0) }
      var page = AlertObservation(try #require(await file.alerts().first).id, products)
      page.triggered = triggeredAlerts.first?.id
      for triggered in await file.record([page]) { triggeredAlerts.add(triggered) }
    }

    expect(triggeredAlerts.map(\.count), [900])
    expect(Set(triggeredAlerts[0].products.map(\.rawValue)), Set(200..<1_100))
    await expect(open().triggeredAlerts(atMost: 10).map(\.count), [900])
    await expect(open().triggeredAlerts(atMost: 10).map(\.product.rawValue), [1_099])
  }

  @Test func `where a round goes on is known to the next program`() async throws {
    let file = open()
    _ = await file.add(alert(.anythingNew, .search("cup")))
    for next in [PagePosition.number(7), .after(PageCursor(rawValue: "> 가#"))] {
      var page = try await observation(file, .sample(id: 9))
      page.before = try #require(await file.alerts().first).state.position
      (page.isLast, page.marketID) = (false, MarketID.random())
      page.after = Alert.Position(top: Product.ID(rawValue: 9), next: next)
      if page.before != nil {
        page.marketID = try #require(await file.alerts().first).state.marketID
      }
      _ = await file.record([page])

      let state = try #require(await open().alerts().first).state
      #expect(state.position == page.after && state.marketID == page.marketID)
      #expect(!state.knowsAll && state.newest == Product.ID(rawValue: 9))
    }
  }

  @Test(arguments: [Alert.Condition.anythingNew, .below(.won(10_000_000)), .backInStock])
  func `of a market in the place of one with the same numbers nothing is told, but what comes then`(
    condition: Alert.Condition
  ) async throws {
    let file = open()
    _ = await file.add(alert(condition, .search("cup")))
    let stock: Int64 = condition == .backInStock ? 0 : 1
    func look(at market: MarketID, _ products: [Product]) async throws -> [Int] {
      var page = AlertObservation(try #require(await file.alerts().first).id, products)
      page.marketID = market
      return await file.record([page]).map(\.count)
    }
    let products = (1...3).map { Product.sample(id: $0, stock: stock) }

    for market in [MarketID.random(), .random()] {
      for _ in 0..<3 { try await expect(look(at: market, products), []) }
    }

    let last = try #require(await file.alerts().first?.state.marketID)
    let news = Product.sample(id: condition == .backInStock ? 2 : 4, stock: 1)
    try await expect(look(at: last, [news] + products.filter { $0.id != news.id }), [1])
  }

  @Test func `of more products than there is room for the oldest are not followed`() async throws {
    var limits = PersonalFile.Limits()
    limits.alertProducts = 10
    let file = folder.open(limits: limits)
    _ = await file.add(alert(.anythingNew, .search("cup")))
    let id = try #require(await file.alerts().first).id

    var told: [Int] = []
    for _ in 0..<2 {
      for ids in [1...8, 5...15, 1...4] as [ClosedRange<Int64>] {
        let look = AlertObservation(id, ids.map { .sample(id: $0) })
        told.append(await file.record([look]).map(\.count).reduce(0, +))
      }
    }

    expect(told, [0, 7, 0, 0, 0, 0])
    let connection = try folder.connection()
    try expect(connection.integer("SELECT count(*) FROM alert_product"), 10)
  }

  @Test func `there are a thousand waits at most, with names of a bounded length`() async {
    let file = open()
    let long = String(repeating: "가", count: 100_000)
    for number in 1...1_000 {
      let subject = Alert.Subject.product(Product.ID(rawValue: Int64(number)))
      #expect(await file.add(alert(.backInStock, subject, name: long)))
    }

    #expect(await !file.add(alert(.backInStock, .product(Product.ID(rawValue: 5_000)))))
    #expect(await !file.add(alert(.anythingNew, .search(long))))
    #expect(await file.alerts().allSatisfy { $0.name.utf8.count <= 400 })
  }

  @Test func `of many triggered alerts the latest ten thousand are kept`() async throws {
    let file = open()
    _ = await file.add(alert(.anythingNew, .search("")))
    _ = await file.record([try await observation(file, .sample(id: 1))])

    let alert = try #require(await file.alerts().first)
    let looks = (2...11_001).map { AlertObservation(alert.id, [.sample(id: $0)]) }
    _ = await file.record(looks)

    await expect(file.unseenAlerts(), 10_000)
    await expect(file.triggeredAlerts(atMost: 1).map(\.product.rawValue), [11_001])
  }
}
