import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PersonalStore
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct AlertMenuViewTests {
  private struct Scene {
    let stage: Stage
    let store = PersonalFile.inMemory()
    let engine: AlertScheduler

    init() async throws {
      stage = Stage(repository: GatedProductRepository())
      try await stage.show([.sample(id: 2, name: "Cup; \u{1B}[2J한글 자전거"), .sample(id: 1)])
      let program = stage.navigator.program
      program.personal = store
      engine = AlertScheduler(
        Markets(stage.navigator), store: store, attention: UserPresence(), clock: ManualClock())
      program.alerts = engine
    }
  }

  private func type(_ text: String, on stage: Stage) {
    for character in text { stage.press(KeyPress(character)) }
  }

  @Test func `a price that is typed begins a wait, and choosing it again ends it`() async throws {
    let scene = try await Scene()

    scene.stage.press("t", .enter)
    await scene.stage.settle()
    type("20만", on: scene.stage)
    scene.stage.press(.enter)
    await until { scene.stage.navigator.notice == .hint(.alertSet) }

    await expect(
      scene.store.alerts().map(\.condition), [.below(Money(hundredths: 20_000_000, currency: .krw))]
    )
    scene.stage.press("t")
    #expect(scene.stage.lines(80, 24, .english).contains { $0.contains("below ₩200,000") })
    scene.stage.press(.enter)
    await until { scene.stage.navigator.notice == .hint(.alertRemoved) }
    await expect(scene.store.alerts(), [])
  }

  @Test func `today's price stands in the menu and begins the line, in whose place one types`()
    async throws
  {
    let scene = try await Scene()

    scene.stage.press("t")
    let menu = scene.stage.lines(80, 24, .english)
    scene.stage.press(.enter)
    await scene.stage.settle()
    let prompt = scene.stage.lines(80, 24, .english)
    type("9000", on: scene.stage)
    let typed = scene.stage.lines(80, 24, .english)

    #expect(menu[2].hasPrefix("  ╭"))
    #expect(menu.contains { $0.contains("1 □ Price below…   today ₩10,000 │") })
    #expect(prompt.contains { $0.contains("today ₩10,000") })
    #expect(prompt.contains { $0.contains("KRW   10,000 ") })
    #expect(typed.contains { $0.contains("KRW   9000 ") })
  }

  @Test func `of a search one waits for anything new, a price or stock`() async throws {
    let scene = try await Scene()
    scene.stage.navigator.beginAlert(for: SavedSearch(name: "lamps", text: "lamp usd"))

    let lines = scene.stage.lines(80, 24, .english)
    for (number, text) in [
      "New products", "Any product below a price", "Any product available again",
    ]
    .enumerated() { #expect(lines.contains { $0.contains("\(number + 1) □ \(text)") }) }
    scene.stage.press("2")
    await scene.stage.settle()
    type("5", on: scene.stage)
    scene.stage.press(.enter)
    await until { scene.stage.navigator.notice == .hint(.alertSet) }

    let alert = try #require(await scene.store.alerts().first)
    expect(alert.condition, .below(Money(hundredths: 500, currency: .usd)))
    expect(alert.subject, .search("lamp usd"))
  }

  @Test func `what is no amount is refused until it is changed`() async throws {
    let scene = try await Scene()
    scene.stage.press("t", .enter)
    await scene.stage.settle()
    type("cheap", on: scene.stage)
    scene.stage.press(.enter)
    await until { !scene.stage.navigator.stack.isTurning }

    #expect(scene.stage.lines(80, 24, .english).contains { $0.contains("Type an amount") })
    await expect(scene.store.alerts(), [])
  }

  @Test func `of a narrowed list only what is in sight is removed, however fast keys come`()
    async throws
  {
    let scene = try await Scene()
    for name in ["cup a", "cup b", "lamp"] {
      _ = await scene.store.add(
        Alert(market: .local, subject: .search(name), name: name, condition: .backInStock))
    }
    scene.stage.press("T")
    let model = try #require(scene.stage.navigator.stack.top as? PersonalListModel)
    await until { model.list.count == 3 }
    scene.stage.press("/", "c", "u", "p", .enter)

    // No frame comes between the two.
    let window = scene.stage.screen(80, 24)
    _ = window.handleInput(.key(.delete))
    _ = window.handleInput(.key(.delete))

    await poll { await scene.store.alerts().map(\.name) == ["lamp"] }
  }

  @Test func `the list has what has come above what is waited for`() async throws {
    let scene = try await Scene()
    _ = await scene.store.add(
      Alert(
        market: .local, subject: .search("cup"), name: "cups", condition: .anythingNew,
        state: Alert.State(newest: Product.ID(rawValue: 1))))
    let alert = try #require(await scene.store.alerts().first)
    _ = await scene.store.record([AlertObservation(alert.id, [.sample(id: 7, name: "Tea\u{7}cup")])]
    )

    scene.stage.press("T")
    let model = try #require(scene.stage.navigator.stack.top as? PersonalListModel)
    await until { model.list.count == 2 }

    let lines = scene.stage.lines(80, 24, .english)
    let triggered = try #require(lines.firstIndex { $0.contains("◆ Tea") })
    #expect(lines[triggered - 1].contains("Received"))
    #expect(lines[triggered].contains("₩10,000"))
    #expect(lines[triggered + 1].contains("Waiting for"))
    #expect(lines[triggered + 2].contains("cups"))
    scene.stage.press(.down, .delete)
    expect(model.count(of: .alerts), 1)
    await poll { await scene.store.alerts().isEmpty }
  }
}
