import EditorKit
import Expectations
import MarketModel
import PersonalStore
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct MarketsTests {
  /// A local market that is shown, with the servers `a` to `h` beside it.
  private struct Stage {
    let clock = ManualClock()
    let repository = GatedProductRepository()
    let local: Navigator
    let markets: Markets
    let fake: FakeMarkets

    init(
      _ names: [String] = ["a", "b"], personal: PersonalFile? = nil,
      changes: ScriptedChanges? = nil
    ) async throws {
      let program = ProgramState()
      program.personal = personal
      local = Navigator(
        browser: BrowserModel(
          repository: repository, changes: changes, arrangement: .list, pageSize: 4, clock: clock,
          jitter: .fixed(0)),
        gallery: PictureGallery(loader: NoPictures()), marketName: nil,
        selling: .sample(repository, clock: clock), clock: clock, program: program,
        now: { Timestamp(seconds: 0) })
      markets = Markets(local)
      fake = FakeMarkets(names, behind: markets, clock: clock)
      local.start()
      try await repository.pages.next().answer(.sample([9, 8, 7]))
      await until { [local] in local.browser.feed.phase == .ended }
    }

    func market(_ name: String) throws -> KnownMarket {
      try #require(markets.all.first { $0.name?.string == name })
    }

    /// Shows a server and answers its first page.
    func show(_ name: String, _ ids: [Int64] = [3, 2, 1]) async throws {
      let market = try market(name)
      let isNew = fake.repositories[market.key] == nil || fake.closed.contains(market.key)
      await markets.show(market)
      guard isNew else { return }
      let repository = try #require(fake.repositories[market.key])
      try await repository.pages.next().answer(.sample(ids))
      let browser = markets.current.browser
      await until { browser.feed.phase == .ended }
    }

    /// The line in which a market gets its name, once it is asked for.
    func namePrompt() async throws -> PromptModel {
      let prompt = { [local] in
        (local.stack.top as? PromptModel).flatMap { prompt -> PromptModel? in
          if case .marketName = prompt.subject { prompt } else { nil }
        }
      }
      await until { prompt() != nil }
      return try #require(prompt())
    }

    /// Opens the menu with every question still open.
    func menu() throws -> MarketsModel {
      MarketsModel.open(on: markets.current)
      return try #require(markets.current.stack.top as? MarketsModel)
    }
  }

  // MARK: Switching

  @Test func `a market that is shown again has its place, search and view`() async throws {
    let stage = try await Stage()
    stage.local.browser.list.move(.down)
    stage.local.browser.arrange(as: .grid)
    stage.local.openDetail()

    try await stage.show("a")
    expect(stage.markets.current.marketName, "a")
    stage.markets.showPrevious()

    #expect(stage.markets.current === stage.local)
    expect(stage.local.browser.viewport.selected, 1)
    expect(stage.local.browser.arrangement, .grid)
    #expect(stage.local.stack.top === stage.local.browser.detail)
    expect(stage.repository.pages.callCount, 1)
  }

  @Test func `a switch to an open market is done when the call returns`() async throws {
    let stage = try await Stage()
    try await stage.show("a")
    stage.markets.showPrevious()
    let start = ContinuousClock.now

    await stage.markets.show(try stage.market("a"))

    expect(stage.markets.current.marketName, "a")
    #expect(start.duration(to: .now) < .milliseconds(50))
  }

  @Test func `without another market the way back says so`() async throws {
    let stage = try await Stage()

    stage.markets.showPrevious()

    #expect(stage.markets.current === stage.local)
    expect(stage.local.notice, .hint(.noOtherMarket))
  }

  @Test func `the oldest of many closes, and comes back to its query and row`() async throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    let stage = try await Stage(names)
    try await stage.show("a")
    let first = try #require(stage.markets.open.last)
    first.browser.list.move(.down)
    stage.markets.showPrevious()

    for name in names.dropFirst() { try await stage.show(name) }
    let key = try stage.market("a").key
    expect(stage.fake.closed, [key])
    try await stage.show("a")

    await until { stage.markets.current.browser.viewport.selected == 1 }
    #expect(stage.markets.current !== first)
  }

  @Test func `a market in which something is being sold does not close`() async throws {
    let names = ["a", "b", "c", "d", "e", "f", "g"]
    let stage = try await Stage(names)
    stage.local.beginDeletion()
    expect(stage.local.selling?.isBusy, true)

    for name in names { try await stage.show(name) }

    expect(stage.fake.closed.map(\.rawValue), ["server-a", "server-b"])
    #expect(stage.markets.open.contains { $0 === stage.local })
  }

  @Test func `what a seller hears from another market names it`() async throws {
    let stage = try await Stage()
    try await stage.show("a")

    stage.local.announce(.sold(.registration))
    stage.local.announce(.refreshed(newProducts: 2))

    expect(stage.markets.current.notice, .elsewhere(.sold(.registration), market: nil))
    expect(stage.local.notice, .refreshed(newProducts: 2))
  }

  @Test func `a hidden market that does not answer is asked when it is shown again`() async throws {
    let stage = try await Stage()
    stage.local.refresh()
    try await stage.repository.pages.next().fail(.unreachable(.refused))
    let sleep = try await stage.clock.sleeps(of: .seconds(1)).next()
    await until { stage.local.browser.reconnection.isNeeded }

    try await stage.show("a")
    sleep.answer(())
    expect(stage.local.browser.reconnection.phase, .waiting(seconds: 1))
    stage.markets.showPrevious()

    try await stage.repository.pages.next().answer(.sample([9, 8, 7]))
    await until { !stage.local.browser.reconnection.isNeeded }
  }

  // MARK: Passwords

  private let me = SellerIdentifier(secret: "me")

  @Test func `a password that is kept on one market is on no other, and all are wiped at once`()
    async throws
  {
    let stage = try await Stage()
    let product = Product.ID(rawValue: 9)
    let here = try #require(stage.local.selling)
    here.passwordCache.keep(Password("secret"), for: product, by: me)

    try await stage.show("a")
    let there = try #require(stage.markets.current.selling)
    #expect(here.passwordCache.hasPassword && !there.passwordCache.hasPassword)
    #expect(there.passwordCache.use(for: product, by: me) == nil)
    #expect(there.passwordCache.password(by: me) == nil)
    there.sell()
    await until { there.form != nil }
    expect(there.form?.form.password.isEmpty, true)

    there.passwordCache.keep(Password("other"), for: product, by: me)
    stage.markets.forgetPasswords()

    #expect(!here.passwordCache.hasPassword && !there.passwordCache.hasPassword)
  }

  @Test func `a market that closes wipes its password`() async throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    let stage = try await Stage(names)
    try await stage.show("a")
    let first = try #require(stage.markets.current.selling)
    first.passwordCache.keep(Password("secret"), for: Product.ID(rawValue: 3), by: me)
    stage.markets.showPrevious()

    for name in names.dropFirst() { try await stage.show(name) }

    expect(stage.fake.closed, [try stage.market("a").key])
    #expect(!first.passwordCache.hasPassword)
  }

  // MARK: Menu

  @Test func `all markets are asked at once, and each row fills in with its answer`() async throws {
    let personal = PersonalFile.inMemory()
    await personal.visit(.local, newest: Product.ID(rawValue: 6))
    let stage = try await Stage(personal: personal)
    let menu = try stage.menu()

    try await stage.fake.glances(of: "local").next().answer(.sample(9, latest: 5...9))
    try await stage.fake.glances(of: "server-a").next().fail(.unreachable(.refused))

    await until { menu.rows[0].state != .asking && menu.rows[1].state != .asking }
    guard case .answered(_, let new) = menu.rows[0].state else {
      Issue.record("no answer")
      return
    }
    expect(new?.count, 3)
    expect(menu.rows[1].state, .failed(.unreachable(.refused)))
    expect(menu.rows[2].state, .asking)
  }

  @Test func `a market that hangs says why after ten seconds`() async throws {
    let stage = try await Stage(["a"])
    let menu = try stage.menu()

    try await stage.clock.sleeps(of: .seconds(10)).next().answer(())
    try await stage.clock.sleeps(of: .seconds(10)).next().answer(())

    await until { menu.rows.allSatisfy { $0.state == .failed(.unreachable(.timedOut)) } }
  }

  @Test func `a choice goes to the market and leaves the menu`() async throws {
    let stage = try await Stage()
    let menu = try stage.menu()

    menu.move(.down)
    menu.choose(.market(menu.rows[1]))

    expect(stage.markets.current.marketName, "a")
    #expect(!stage.local.stack.isCovered)
  }

  @Test func `a file that opens slowly keeps the menu, and one key leaves it off`() async throws {
    let stage = try await Stage([])
    let file = try #require(stage.fake.market(at: "/slow"))
    _ = stage.fake.remember(file, as: "slow")
    let menu = try stage.menu()
    menu.move(.down)

    menu.choose(.market(menu.rows[1]))
    let opening = try await stage.fake.openings.next()
    expect(menu.rows[1].state, .opening)
    stage.local.stack.close(menu)
    opening.answer(())

    #expect(stage.markets.current === stage.local)
  }

  @Test func `a file that cannot be opened says why in its row`() async throws {
    let stage = try await Stage([])
    let file = try #require(stage.fake.market(at: "/broken"))
    _ = stage.fake.remember(file, as: "broken")
    let menu = try stage.menu()
    menu.move(.down)

    menu.choose(.market(menu.rows[1]))
    try await stage.fake.openings.next().fail(.store(.notAStore))

    await until { menu.rows[1].state == .failed(.store(.notAStore)) }
    #expect(stage.markets.current === stage.local)
  }

  @Test func `markets are forgotten, and opened at start, by their names`() async throws {
    let stage = try await Stage()
    let menu = try stage.menu()
    menu.move(.down)

    menu.openAtStart()
    #expect(menu.rows[1].market.opensAtStart)
    menu.forget()

    expect(menu.rows.map { $0.market.name?.string }, [nil, "b"])
    expect(stage.local.notice, .words("forgotten"))
  }

  @Test func `the local market is neither forgotten nor renamed`() async throws {
    let stage = try await Stage()
    let menu = try stage.menu()

    menu.forget()
    menu.rename()

    expect(menu.rows.count, 3)
    #expect(stage.local.stack.top === menu)
  }

  // MARK: Adding

  private func add(_ text: String, on stage: Stage) throws -> PromptModel {
    try stage.menu().add()
    let line = try #require(stage.local.stack.top as? PromptModel)
    line.edit { $0.paste(text) }
    line.confirm()
    return line
  }

  @Test func `an address that answers gets a name and is shown`() async throws {
    let stage = try await Stage([])
    _ = try add("c", on: stage)
    let call = try await stage.fake.glances(of: "server-c").next()

    call.answer(.sample(5, milliseconds: 4, api: "2023"))
    let name = try await stage.namePrompt()
    expect(name.editor.text, "new")
    name.confirm()
    await until { !stage.local.stack.isCovered }

    expect(stage.markets.current.marketName, "new")
    expect(stage.markets.current.notice, .words("remembered"))
    #expect(!stage.local.stack.isCovered)
  }

  @Test func `a product's address adds its market, and is opened when that has a name`()
    async throws
  {
    let stage = try await Stage([])
    _ = try add("http://c/products/12?T", on: stage)
    try await stage.fake.glances(of: "server-http://c/").next()
      .answer(.sample(5, milliseconds: 4, api: "2023"))
    let name = try await stage.namePrompt()

    name.confirm()
    await until { !stage.local.stack.isCovered }

    let shown = stage.markets.current
    let repository = try #require(stage.fake.repositories[shown.market])
    let call = try await repository.details.next()
    expect(call.request.rawValue, 12)
    call.answer(.sample(of: .sample(id: 12)))
    await until { shown.stack.top === shown.browser.detail }
    #expect(shown.marketName == "new" && repository.sellers.callCount == 0)
  }

  @Test func `a product's address of a market that is known opens at once`() async throws {
    let stage = try await Stage()

    _ = try add("http://a/products/3", on: stage)

    await until { !stage.local.stack.isCovered }
    expect(stage.markets.current.marketName, "a")
  }

  @Test func `what is no market is told, and the line stays`() async throws {
    let stage = try await Stage([])
    let line = try add("c", on: stage)

    try await stage.fake.glances(of: "server-c").next().fail(.badAnswer(.notAMarket))

    await until { line.outcome == .failed(.badAnswer(.notAMarket)) }
    #expect(stage.local.stack.top === line)
    expect(line.editor.text, "c")
  }

  @Test func `a text that is neither address nor file is told at once`() async throws {
    let stage = try await Stage([])

    let line = try add("not an address", on: stage)

    await until { line.outcome == .noMarket }
    #expect(stage.local.stack.top === line)
  }

  @Test func `a file that is not there is made by the second time`() async throws {
    let stage = try await Stage([])
    let file = try #require(stage.fake.market(at: "/new"))
    stage.fake.missingFiles = [file.key]
    let line = try add("/new", on: stage)
    await until { line.outcome == .missing(file) }
    #expect(stage.fake.made.isEmpty)

    line.confirm()
    try await stage.fake.glances(of: file.key.rawValue).next().answer(.sample(0, latest: 1...1))
    _ = try await stage.namePrompt()

    expect(stage.fake.made, [file.key])
  }

  @Test func `what is typed while a market is asked leaves the question, and asks another one`()
    async throws
  {
    let stage = try await Stage([])
    let line = try add("c", on: stage)
    _ = try await stage.fake.glances(of: "server-c").next()

    line.edit { $0.type("d") }
    await stage.local.stack.settle()
    #expect(stage.local.stack.top === line && line.outcome == nil)
    line.confirm()
    try await stage.fake.glances(of: "server-cd").next().answer(.sample(5))

    let name = try await stage.namePrompt()
    guard case .marketName(let market, _) = name.subject else { return }
    expect(market.key.rawValue, "server-cd")
  }

  @Test func `Esc leaves a market that is asked, and the menu stays`() async throws {
    let stage = try await Stage([])
    let line = try add("c", on: stage)
    let call = try await stage.fake.glances(of: "server-c").next()

    line.cancel()
    await stage.local.stack.settle()
    call.answer(.sample(5))

    #expect(stage.local.stack.top is MarketsModel)
  }

  @Test func `screens that close leave no line behind, whatever it waits for`() async throws {
    for isAsking in [false, true] {
      let stage = try await Stage([])
      let line = try add(isAsking ? "c" : "", on: stage)
      if isAsking { _ = try await stage.fake.glances(of: "server-c").next() }

      stage.local.close()
      await stage.local.stack.settle()
      line.confirm()

      #expect(!stage.local.stack.isCovered && !stage.local.stack.isTurning)
    }
  }

  // MARK: Serving

  @Test func `serving takes the menu's place, tells what listens there and copies on demand`()
    async throws
  {
    let stage = try await Stage()
    let program = FakeProgram()
    stage.local.program.delegate = program
    try stage.menu().serve()
    let serve = try #require(stage.local.stack.top as? MarketServeModel)

    try await stage.fake.glances(of: "server-serve").next().fail(.unreachable(.refused))
    await until { serve.phase == .free }
    #expect(stage.local.stack.first(MarketsModel.self) == nil && program.copiedTexts.isEmpty)
    serve.copy()

    expect(program.copiedTexts, ["market serve --store /m.sqlite"])
  }

  @Test func `only the market that is shown is followed`() async throws {
    let changes = ScriptedChanges()
    let stage = try await Stage(changes: changes)
    await poll { changes.isWatched }

    try await stage.show("a")
    await poll { !changes.isWatched }
    stage.markets.showPrevious()
    await poll { changes.isWatched }

    expect(changes.cursors.count, 2)
  }

  // MARK: What a person keeps

  @Test func `visits are noted by keys, once a minute, and end with the run`() async throws {
    let time = WallClock(1_000)
    let personal = PersonalFile.inMemory(at: time)
    let stage = try await Stage(personal: personal)

    for _ in 0..<2 {
      time.advance(100)
      stage.markets.didReceiveInput()
      await personal.settle()
    }
    // A visit is over half an hour after the last note.
    time.advance(1_800)
    let silent = await personal.lastVisit(to: .local)
    stage.markets.didReceiveInput()
    await stage.markets.end()

    expect(silent, Visit(ended: Timestamp(seconds: 2_900), newest: Product.ID(rawValue: 9)))
    await expect(personal.lastVisit(to: .local)?.ended, time.now)
  }
}
