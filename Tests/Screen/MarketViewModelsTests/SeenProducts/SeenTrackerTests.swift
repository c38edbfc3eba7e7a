import Expectations
import MarketModel
import PersonalStore
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// What is new, what was seen, and how one goes from one new product to the next.
struct SeenTrackerTests {
  /// A market whose last visit saw products up to 5.
  private struct Stage {
    let repository = GatedProductRepository(answersCancelledCalls: false)
    let clock = ManualClock()
    let store: PersonalFile
    /// The clock of the store.
    let time = WallClock(ended)
    let navigator: Navigator
    /// When the last visit ended; for the list it is now.
    static let ended: Int64 = 1_000_000

    /// A market in which products were seen at some times, and visited where there was a newest.
    init(newest: Int64? = 5, seen: [Sighting] = [], rows: Int = 2) async {
      store = .inMemory(at: time)
      let program = ProgramState()
      program.personal = store
      navigator = Navigator(
        browser: BrowserModel(
          repository: repository, arrangement: .list, pageSize: 4, clock: clock),
        gallery: PictureGallery(loader: NoPictures()), marketName: nil, clock: clock,
        program: program, now: { Timestamp(seconds: Self.ended) })
      browser.list.didLayOut(columns: 1, visibleRows: rows)
      for sighting in seen { await see(sighting) }
      if let newest { await visit(newest, at: Self.ended) }
      // What is noted from now on is told apart from what was.
      time.set(to: Self.ended + 60)
    }

    func see(_ sighting: Sighting) async {
      time.set(to: sighting.time)
      await store.didSee(
        [SeenProduct(id: Product.ID(rawValue: sighting.id), price: sighting.price)], in: .local)
    }

    /// Lets a visit end.
    func visit(_ newest: Int64, at seconds: Int64) async {
      time.set(to: seconds)
      await store.visit(.local, newest: Product.ID(rawValue: newest))
    }

    /// What was noted as seen since the stage was made, with its prices.
    var noted: [Int64: Money?] {
      get async {
        let records = await store.seenProducts(
          of: (1...99).map(Product.ID.init(rawValue:)), in: .local, before: nil)
        let new = records.filter { $0.value.at.seconds == Self.ended + 60 }
        return Dictionary(
          uniqueKeysWithValues: new.map { ($0.key.rawValue, $0.value.latest) })
      }
    }

    /// Up to which product all count as seen.
    var newest: Int64? {
      get async { await store.lastVisit(to: .local)?.newest?.rawValue }
    }

    var browser: BrowserModel { navigator.browser }
    var seenTracker: SeenTracker { browser.seenTracker }
    var fresh: Set<Int64> {
      Set((1...99).filter { seenTracker.isNew(Product.ID(rawValue: $0)) })
    }

    /// Reads the first page and shows it, until what is known of it is there.
    func show(_ page: ProductPage) async throws {
      browser.start()
      try await repository.pages.next().answer(page)
      await until { !browser.feed.isStale }
      frame()
      await store.settle()
    }

    /// Draws.
    func frame() { seenTracker.didLayOut(showsList: true) }

    /// What is shown has been there for a second.
    func look() async throws {
      try await clock.sleeps(of: .seconds(1)).next().answer(())
      await store.settle()
    }
  }

  /// A product on the screen at a time.
  private struct Sighting {
    let id: Int64
    let price: Money?
    let time: Int64
  }

  private func id(_ number: Int64) -> Product.ID { Product.ID(rawValue: number) }

  private func money(_ amount: Int64) -> Money {
    Money(hundredths: amount * 100, currency: .krw)
  }

  private func seen(_ id: Int64, _ amount: Int64?, at time: Int64 = Stage.ended) -> Sighting {
    Sighting(id: id, price: amount.map(money), time: time)
  }

  // MARK: What is new

  @Test func `what came since the last visit and was on no screen is new`() async throws {
    let stage = await Stage(seen: [seen(8, 10_000)])

    try await stage.show(.sample([9, 8, 7, 5]))

    expect(stage.fresh, [9, 7])
    expect(stage.seenTracker.newCount, NewCount(count: 2, isMore: false))
  }

  @Test func `on the first visit nothing is new`() async throws {
    let stage = await Stage(newest: nil)

    try await stage.show(.sample([9, 8, 7, 5]))

    expect(stage.seenTracker.newCount, nil)
  }

  @Test func `pages that do not reach the last visit give a number and more`() async throws {
    let stage = await Stage()

    try await stage.show(.sample([9, 8, 7, 6], next: .after(PageCursor(rawValue: "6"))))

    expect(stage.seenTracker.newCount, NewCount(count: 4, isMore: true))
  }

  @Test func `rows in an order of their own say nothing of all`() async throws {
    let stage = await Stage()

    try await stage.show(.sample([6, 5, 9, 8], next: .after(PageCursor(rawValue: "8"))))

    expect(stage.seenTracker.newCount, NewCount(count: 3, isMore: true))
  }

  // MARK: Seeing

  @Test func `what was on the screen for a second stays new, and is noted`() async throws {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))

    try await stage.look()

    expect(stage.fresh, [9, 8, 7])
    expect(stage.seenTracker.newCount, NewCount(count: 3, isMore: false))
    await expect(stage.noted, [9: money(10_000), 8: money(10_000)])
  }

  @Test func `the second begins again where other rows come to the screen`() async throws {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))
    let first = try await stage.clock.sleeps(of: .seconds(1)).next()

    stage.browser.list.select(2)
    stage.frame()
    first.answer(())
    await stage.store.settle()
    let before = await stage.noted
    try await stage.look()

    expect(before, [:])
    await expect(Set(stage.noted.keys), [8, 7])
  }

  @Test func `what this visit saw first is new in every program of it`() async throws {
    let stage = await Stage(seen: [
      seen(9, 10_000, at: Stage.ended + 1), seen(8, 10_000), seen(7, nil, at: 5),
      seen(7, nil, at: Stage.ended + 9),
    ])

    try await stage.show(.sample([9, 8, 7, 5]))

    expect(stage.fresh, [9])
  }

  @Test func `a visit that begins while the program runs has marks of its own`() async throws {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))
    let before = stage.fresh

    await stage.see(seen(8, 10_000, at: 1_999_999))
    await stage.visit(7, at: 2_000_000)
    stage.seenTracker.didNoteVisit()
    await stage.store.settle()

    expect(before, [9, 8, 7])
    expect(stage.fresh, [9])
  }

  @Test func `a visit that goes on keeps its marks, whatever the book has noted meanwhile`()
    async throws
  {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))

    await stage.see(seen(9, 10_000, at: Stage.ended + 5))
    stage.seenTracker.didNoteVisit()
    await stage.store.settle()

    expect(stage.fresh, [9, 8, 7])
  }

  @Test func `what another program has marked as seen is new no more`() async throws {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))

    await stage.store.didSeeAll(through: id(8), in: .local)
    stage.seenTracker.didNoteVisit()
    await stage.store.settle()

    expect(stage.fresh, [9])
  }

  @Test func `what one has registered is not new`() async throws {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))

    stage.browser.didRegister(.sample(of: .sample(id: 10)), isOnTop: true)
    stage.seenTracker.didRead(isTop: false)
    await stage.store.settle()

    expect(stage.fresh, [9, 8, 7])
  }

  @Test func `nothing wakes where all on the screen is noted`() async throws {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))
    try await stage.look()

    stage.frame()
    stage.frame()

    expect(stage.clock.sleeps(of: .seconds(1)).callCount, 1)
  }

  @Test func `what was seen some hours ago is noted again, but not what was seen now`() async throws
  {
    let stage = await Stage(seen: [seen(9, 10_000), seen(8, 10_000, at: 900_000)])
    try await stage.show(.sample([9, 8, 7, 5]))

    try await stage.look()

    await expect(Set(stage.noted.keys), [8])
  }

  @Test func `what was seen at a time to come, before the clock was set back, is noted again`()
    async throws
  {
    let stage = await Stage(seen: [seen(9, 10_000), seen(8, 10_000, at: 5_000_000)])
    try await stage.show(.sample([9, 8, 7, 5]))

    try await stage.look()

    await expect(Set(stage.noted.keys), [8])
  }

  @Test func `under an open product the list is not seen, but the product`() async throws {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))

    stage.navigator.openDetail()
    stage.seenTracker.didLayOut(showsList: false)
    // The first wait was for the list.
    try await stage.look()
    try await stage.look()

    await expect(Set(stage.noted.keys), [9])
  }

  @Test func `another market on the screen ends the second`() async throws {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))

    stage.browser.pause()
    try await stage.look()

    await expect(stage.noted, [:])
  }

  // MARK: Prices

  @Test func `a price that moved has its previous one, also when the new one has been noted`()
    async throws
  {
    let stage = await Stage(seen: [seen(5, 12_000)], rows: 4)
    try await stage.show(.sample([9, 8, 7, 5]))

    let before = stage.browser.rowMarking.marks(of: id(5)).previousPrice
    try await stage.look()

    expect(before, money(12_000))
    expect(stage.browser.rowMarking.marks(of: id(5)).previousPrice, money(12_000))
    await expect(stage.noted[5], money(10_000))
  }

  @Test func `a price that changes on the screen is noted as well`() async throws {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))
    try await stage.look()

    stage.browser.list.replaceRows(with: [.sample(id: 9, price: 4_000)])
    stage.frame()
    try await stage.look()

    await expect(stage.noted[9], money(4_000))
    expect(stage.browser.rowMarking.marks(of: id(9)).previousPrice, money(10_000))
  }

  @Test func `a price that cannot be read is none`() async throws {
    var unreadable = Product.sample(id: 9)
    unreadable.pricing = .unreadable
    let stage = await Stage(rows: 1)

    try await stage.show(ProductPage(products: [unreadable], total: .exactly(1), next: nil))
    try await stage.look()

    await expect(stage.noted, [9: nil])
  }

  @Test func `the open product has its prices`() async throws {
    let stage = await Stage(seen: [seen(9, 3, at: 6), seen(9, 2, at: 7)])
    try await stage.show(.sample([9, 8, 7, 5]))

    stage.navigator.openDetail()
    stage.seenTracker.didLayOut(showsList: false)
    await until { stage.seenTracker.history != nil }

    expect(stage.seenTracker.history?.change?.amount, money(-1))
  }

  // MARK: Going there

  @Test func `one goes to the next and the previous new one, and is told where there is none`()
    async throws
  {
    let stage = await Stage(seen: [seen(8, 1), seen(6, 1)])
    try await stage.show(.sample([10, 9, 8, 7, 6, 5]))

    // The one beside it, and the one behind what was seen.
    var reached: [Int64?] = []
    for _ in 0..<2 {
      stage.seenTracker.goToNext()
      reached.append(stage.browser.selected?.id.rawValue)
    }
    stage.seenTracker.goToNext()
    let none = stage.navigator.notice
    stage.seenTracker.goToPrevious()

    expect(reached, [9, 7])
    expect(none, .hint(.nothingNew))
    expect(stage.browser.selected?.id, id(9))
  }

  @Test func `pages are read on until there is a new one`() async throws {
    let stage = await Stage(seen: (6...9).map { seen($0, 1) })
    try await stage.show(.sample([9, 8, 7, 6], next: .after(PageCursor(rawValue: "6"))))
    _ = try await stage.repository.pages.next()
    stage.browser.show(ProductQuery(order: .cheapest))
    try await stage.repository.pages.next().answer(
      .sample([9, 8, 7, 6], total: .unknown, next: .after(PageCursor(rawValue: "a"))))
    await until { !stage.browser.feed.isStale }

    stage.seenTracker.goToNext()
    try await stage.repository.pages.next().answer(
      .sample([1, 2, 11, 3], total: .unknown, next: .after(PageCursor(rawValue: "b"))))

    await until { stage.browser.selected?.id.rawValue == 11 }
  }

  @Test func `where reading on finds none, one is where one was`() async throws {
    let stage = await Stage(seen: (6...9).map { seen($0, 1) })
    try await stage.show(
      .sample([9, 8, 7, 6], total: .unknown, next: .after(PageCursor(rawValue: "6"))))
    stage.browser.list.select(1)

    stage.seenTracker.goToNext()
    try await stage.repository.pages.next().answer(.sample([5, 4], total: .unknown))
    await until { stage.navigator.notice != nil }

    expect(stage.navigator.notice, .hint(.nothingNew))
    expect(stage.browser.selected?.id.rawValue, 8)
  }

  // MARK: All at once

  @Test func `all count as seen up to the newest there is now`() async throws {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))

    stage.seenTracker.markAllSeen()
    await poll { await stage.newest != 5 }

    expect(stage.navigator.notice, .markedSeen(NewCount(count: 3, isMore: false)))
    expect(stage.fresh, [])
    await expect(stage.newest, 9)
  }

  @Test func `what came after the newest that was marked as seen stays new`() {
    var state = SeenState()
    state.startVisit(after: Visit(ended: Timestamp(seconds: 0), newest: id(5)))
    state.add([:], of: state.ask(for: Product.samples([9, 8, 7]).map { ListedProduct($0) }))

    state.markAllSeen(through: id(8))

    expect(state.fresh, [id(9)])
  }

  @Test func `in another order the market is asked for its newest`() async throws {
    let stage = await Stage()
    try await stage.show(.sample([9, 8, 7, 5]))
    stage.browser.show(ProductQuery(order: .cheapest))
    try await stage.repository.pages.next().answer(.sample([7, 8]))
    await until { !stage.browser.feed.isStale }

    stage.seenTracker.markAllSeen()
    try await stage.repository.pages.next().answer(.sample([30, 29]))
    await poll { await stage.newest != 5 }

    await expect(stage.newest, 30)
  }
}
