import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PersonalStore
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct FavoritesViewTests {
  private struct Scene {
    let stage: Stage
    let store = PersonalFile.inMemory()
    let market = FavoriteMarket(key: .local, name: nil, location: nil)

    init(_ products: [Product]) async throws {
      stage = Stage(repository: GatedProductRepository())
      try await stage.show([.sample(id: 1)])
      stage.navigator.program.personal = store
      _ = await store.save(SavedSearch(name: "lamps", text: "lamp <5000"))
      for product in products {
        _ = await store.add(product, description: "about", of: market)
      }
    }

    /// Lets something come that is waited for.
    func triggered(_ product: Product) async {
      _ = await store.add(
        Alert(
          market: .local, subject: .search("cup"), name: "cups", condition: .anythingNew,
          state: Alert.State(newest: Product.ID(rawValue: 1))))
      let alert = await store.alerts()[0]
      _ = await store.record([AlertObservation(alert.id, [product])])
    }

    /// Opens the list and waits for its rows.
    func open() async throws -> PersonalListModel {
      stage.press("i")
      let model = try #require(stage.top as? PersonalListModel)
      await until {
        model.list.isRead
          && model.sections.flatMap(\.items).allSatisfy(model.isRead)
      }
      return model
    }
  }

  private static let long = "Film camera with a 50 mm lens, tested"

  @Test func `a name has all the room up to its price`() async throws {
    let scene = try await Scene([.sample(id: 2, name: Self.long, price: 90_000)])

    _ = try await scene.open()

    let lines = scene.stage.lines(80, 24, .english)
    #expect(lines[1].contains(Self.long))
    #expect(!lines[1].contains("Local market"))
  }

  @Test func `markets are named where there is more than one`() async throws {
    let scene = try await Scene([.sample(id: 2, name: "Mug")])
    _ = await scene.store.add(
      .sample(id: 3), description: "",
      of: FavoriteMarket(key: MarketKey(rawValue: "home"), name: "home", location: "http://home"))

    _ = try await scene.open()

    let lines = scene.stage.lines(80, 24, .english)
    #expect(lines[1].hasSuffix("home") && lines[2].hasSuffix("Local market"))
    #expect(!scene.stage.lines(60, 20, .english)[2].contains("Local market"))
  }

  @Test func `a note stands behind the name where there is room`() async throws {
    let scene = try await Scene([.sample(id: 2, name: "Mug")])
    _ = await scene.store.write(
      "ask for the blue one", to: FavoriteKey(.product(Product.ID(rawValue: 2)), in: .local))

    _ = try await scene.open()

    #expect(scene.stage.lines(80, 24, .english)[1].contains("Mug  ask for the blue one"))
    #expect(!scene.stage.lines(24, 24, .english)[1].contains("ask"))
  }

  @Test func `keys that are typed before the rows are read wait for them`() async throws {
    let scene = try await Scene([.sample(id: 2), .sample(id: 3), .sample(id: 4)])

    scene.stage.press("i", "j", .enter)
    let detail = scene.stage.browser.detail
    await until { scene.stage.navigator.stack.contains(detail) }

    expect(detail.product?.id.rawValue, 3)
  }

  @Test func `Esc waits for nothing and forgets what was typed`() async throws {
    let scene = try await Scene([.sample(id: 2)])

    scene.stage.press("i", .enter, .escape)
    _ = try await scene.open()

    #expect(scene.stage.top is PersonalListModel)
  }

  @Test func `the top row names the tabs with their counts, and a click shows one`() async throws {
    let scene = try await Scene([.sample(id: 2, name: "Mug")])
    await scene.triggered(.sample(id: 7, name: "Tea\u{7}cup \u{1B}[2J"))
    scene.stage.navigator.program.alerts = AlertScheduler(
      Markets(scene.stage.navigator), store: scene.store, attention: UserPresence(),
      clock: ManualClock())

    let model = try await scene.open()
    await until { model.tabs.allSatisfy { model.count(of: $0) != nil } }

    let title = "Favorites 1 · Saved searches 1 · Alerts 2 · Recently viewed 0"
    let top = scene.stage.lines(80, 24, .english)[0]
    #expect(top.contains(title))
    await expect(scene.store.unseenAlerts(), 1)
    scene.stage.click(top.columns(before: "Saved"), 0)
    #expect(scene.stage.lines(80, 24, .english)[1].contains("lamps  lamp <5000"))
    scene.stage.press(.tab)
    #expect(model.tab == .alerts)
    let lines = scene.stage.lines(80, 24, .english)
    expect(lines[1], " Received")
    #expect(lines[2].contains("◆ Tea") && lines[2].contains("₩10,000"))
    await poll { await scene.store.unseenAlerts() == 0 }
    #expect(scene.stage.lines(30, 24, .english)[0].contains("Alerts 2"))
    let plain = Theme(.dark, scheme: .plain, strikesThrough: false)
    #expect(scene.stage.lines(80, 24, .english, theme: plain)[0].contains("[Alerts 2]"))
  }

  @Test func `a search is removed from its tab, and comes back as long as the list is open`()
    async throws
  {
    let scene = try await Scene([])
    let model = try await scene.open()
    scene.stage.press("s")
    await until { model.list.count == 1 }

    scene.stage.press("D")
    await poll { await scene.store.savedSearches().isEmpty }
    #expect(scene.stage.lines(80, 24, .english)[1].contains("lamps  Deleted"))
    scene.stage.press("*")

    await poll { await scene.store.savedSearches().map(\.name) == ["lamps"] }
    #expect(!model.isSelectedRemoved)
  }

  @Test func `that something is sold out is told once beside its row`() async throws {
    let scene = try await Scene([.sample(id: 3, name: "Cup", stock: 0)])

    _ = try await scene.open()

    let lines = scene.stage.lines(120, 24, .english)
    #expect(lines[1].contains(" Sold "))
    expect(lines.filter { $0.contains("Sold") }.count, 2)
    #expect(!lines.contains { $0.contains("Sold · added") })
  }

  @Test func `what is shown beside the rows follows a moment after the last move`() async throws {
    let scene = try await Scene([.sample(id: 2, name: "Mug"), .sample(id: 3, name: "Cup")])
    let model = try await scene.open()
    func beside() -> String { scene.stage.lines(120, 24, .english).map { $0.suffix(46) }.joined() }
    #expect(beside().contains("Cup") && !beside().contains("Mug"))

    scene.stage.press("j", "k", "j")
    expect(model.selectedRow?.favorite.product.name, "Mug")
    #expect(beside().contains("Cup") && !beside().contains("Mug"))
    // The first two have been called off.
    for _ in 1...3 {
      try await scene.stage.clock.sleeps(of: DetailModel.followDelay).next().answer(())
    }

    await until { model.followed.flatMap(model.row)?.favorite.product.name == "Mug" }
    #expect(beside().contains("Mug") && !beside().contains("Cup"))
  }

  @Test func `what has come is taken away, and opened`() async throws {
    let scene = try await Scene([.sample(id: 2, name: "Mug")])
    await scene.triggered(.sample(id: 7, name: "Cup"))
    scene.stage.navigator.program.alerts = AlertScheduler(
      Markets(scene.stage.navigator), store: scene.store, attention: UserPresence(),
      clock: ManualClock())
    let model = try await scene.open()
    scene.stage.press("T")
    await until { model.list.count == 2 }

    scene.stage.press(.enter)
    try await scene.stage.repository.details.next().answer(.sample(of: .sample(id: 7, name: "Cup")))
    await until { scene.stage.browser.detail.product?.id.rawValue == 7 }
    scene.stage.press(.escape)
    scene.stage.press(.delete)

    await poll { await scene.store.triggeredAlerts(atMost: 1).isEmpty }
    expect(model.count(of: .alerts), 1)
  }

  @Test func `a wait says since when its market has not answered`() async throws {
    let scene = try await Scene([])
    _ = await scene.store.add(
      Alert(market: .local, subject: .search("cup"), name: "cups", condition: .backInStock))
    await scene.store.didLook(in: .local, hasAnswered: false)
    scene.stage.navigator.program.alerts = AlertScheduler(
      Markets(scene.stage.navigator), store: scene.store, attention: UserPresence(),
      clock: ManualClock())

    scene.stage.press("T")
    let model = try #require(scene.stage.top as? PersonalListModel)
    await until { model.list.count == 1 }

    #expect(
      scene.stage.lines(80, 24, .english)
        .contains { $0.contains("no response since yesterday") })
  }
}
