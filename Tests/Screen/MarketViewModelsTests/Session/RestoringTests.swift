import Expectations
import MarketModel
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct RestoringTests {
  private let repository = GatedProductRepository(answersCancelledCalls: false)
  private let clock = ManualClock()

  /// Takes note of the places that are to be kept.
  private actor Store: SessionStateStore {
    private(set) var places: [SessionState] = []

    func keep(_ state: SessionState) { places.append(state) }
  }

  private func makeNavigator() -> Navigator {
    let browser = BrowserModel(
      repository: repository, arrangement: .list, pageSize: 4, clock: clock, jitter: .fixed(0))
    browser.list.didLayOut(columns: 1, visibleRows: 2)
    return Navigator(
      browser: browser, gallery: PictureGallery(loader: NoPictures()), marketName: nil,
      clock: clock, now: { Timestamp(seconds: 0) })
  }

  private func state(row: Int, _ id: Int64, opened: Int64? = nil) -> NavigationState {
    var state = NavigationState()
    state.row = row
    state.product = Product.ID(rawValue: id)
    state.opened = opened.map(Product.ID.init(rawValue:))
    return state
  }

  /// A navigator that comes back to a place, whose first page has these products.
  private func navigator(
    at state: NavigationState, _ ids: [Int64] = [9, 8, 7, 6]
  ) async throws -> Navigator {
    let navigator = makeNavigator()
    navigator.start(at: state)
    try await repository.pages.next().answer(.sample(ids))
    await until { !navigator.browser.feed.isStale }
    return navigator
  }

  @Test func `the product that was selected is found where it is by now`() async throws {
    let navigator = try await navigator(at: state(row: 1, 7))

    expect(navigator.browser.selected?.id.rawValue, 7)
  }

  @Test func `where it is gone its row is selected`() async throws {
    let navigator = try await navigator(at: state(row: 2, 100))

    expect(navigator.browser.selected?.id.rawValue, 7)
  }

  @Test func `the detail that was open opens when its row is there`() async throws {
    let navigator = try await navigator(at: state(row: 1, 8, opened: 8))

    try await expect(repository.details.next().request.rawValue, 8)
    #expect(navigator.stack.top === navigator.browser.detail)
  }

  @Test func `a detail of a product that the list has not is asked for alone`() async throws {
    let navigator = try await navigator(at: state(row: 1, 8, opened: 50))

    let call = try await repository.details.next()
    call.answer(.sample(of: .sample(id: 50)))
    await until { navigator.stack.isCovered }

    expect(call.request.rawValue, 50)
    expect(navigator.browser.detail.product?.id.rawValue, 50)
  }

  @Test func `a detail whose product is gone leaves the list`() async throws {
    let navigator = try await navigator(at: state(row: 1, 100, opened: 100))

    try await repository.details.next().fail(.unreachable(.refused))

    #expect(!navigator.stack.isCovered)
  }

  @Test func `a key that comes before the rows ends the way back`() async throws {
    let navigator = makeNavigator()
    navigator.start(at: state(row: 2, 7, opened: 7))

    navigator.didPressKey()
    try await repository.pages.next().answer(.sample([9, 8, 7, 6]))
    await until { !navigator.browser.feed.isStale }

    expect(navigator.browser.selected?.id.rawValue, 9)
    #expect(!navigator.stack.isCovered)
    expect(repository.details.callCount, 0)
  }

  @Test func `sellers are asked for by their numbers, and said by their names`() async throws {
    var state = NavigationState()
    state.request = SearchRequest(reading: "lamp @Kim sort:price-asc")
    state.sellers = [Seller.ID(rawValue: 7)]
    let navigator = makeNavigator()
    navigator.start(at: state)

    let call = try await repository.pages.next()

    expect(call.request.query.sellers, state.sellers)
    #expect(call.request.query.order == .cheapest && call.request.query.text == "lamp")
    expect(navigator.searching.request, state.request)
  }

  @Test func `who leaves before anything was read is kept where one was`() {
    let state = state(row: 57, 7, opened: 7)
    let navigator = makeNavigator()
    navigator.start(at: state)

    navigator.didPressKey()

    expect(navigator.navigationState, state)
  }

  @Test func `where one stands is what one comes back to`() async throws {
    let navigator = try await navigator(at: NavigationState())
    navigator.browser.list.move(.down)
    navigator.openDetail()
    try await repository.details.next().answer(
      .sample(
        of: .sample(id: 8),
        pictures: (0..<3).map { Picture(original: "\($0)", thumbnail: "\($0)") }))
    await until { navigator.browser.detail.isComplete }
    navigator.browser.detail.showPicture(at: 2)

    let left = navigator.navigationState

    expect(left, state(row: 1, 8, opened: 8))
    let turned = Markets(navigator).state.turned
    expect(turned, [.local: [ShownPicture(product: Product.ID(rawValue: 8), index: 2)]])
    let next = makeNavigator()
    Markets(next).remember(turned)
    next.start(at: left)
    try await repository.pages.next().answer(.sample([9, 8, 7, 6]))
    await until { !next.browser.feed.isStale }
    try await repository.details.next().answer(
      .sample(
        of: .sample(id: 8),
        pictures: (0..<3).map { Picture(original: "\($0)", thumbnail: "\($0)") }))
    await until { next.browser.detail.isComplete }
    expect(next.browser.detail.pictureIndex, 2)
  }

  @Test func `a seller's page leads back to what was searched before the last run ended`()
    async throws
  {
    let navigator = try await navigator(at: NavigationState())
    navigator.follow(SearchRequest(reading: "lamp sort:price-asc"))
    try await repository.pages.next().answer(.sample([9, 8, 7]))
    await until { navigator.browser.feed.query.text == "lamp" && !navigator.browser.feed.isStale }
    navigator.browser.list.move(.down)
    navigator.visitSeller()
    try await repository.pages.next().answer(.sample([8]))
    await until { navigator.sellerVisit != nil && !navigator.browser.feed.isStale }
    let left = navigator.navigationState

    let next = makeNavigator()
    next.start(at: left)
    try await repository.pages.next().answer(.sample([8]))
    await until { !next.browser.feed.isStale }
    expect(next.navigationState.sellerPage, left.sellerPage)
    #expect(next.canLeaveSeller)
    next.leaveSeller()
    let call = try await repository.pages.next()
    call.answer(.sample([9, 8, 7]))
    await until { !next.browser.feed.isStale }

    #expect(call.request.query.text == "lamp" && call.request.query.order == .cheapest)
    expect(next.browser.selected?.id.rawValue, 8)
    #expect(next.sellerVisit == nil)
  }

  @Test func `a picture stays the one that was shown while its product cannot be read`()
    async throws
  {
    let navigator = try await navigator(at: state(row: 0, 9))
    let detail = navigator.browser.detail
    let answer = ProductDetail.sample(
      of: .sample(id: 9),
      pictures: (0..<3).map { Picture(original: "\($0)", thumbnail: "\($0)") })
    detail.remember([ShownPicture(product: answer.id, index: 2)])
    navigator.openDetail()
    try await repository.details.next().fail(.unreachable(.refused))
    await until { if case .failed = detail.phase { true } else { false } }

    detail.reload()
    try await repository.details.next().answer(answer)
    await until { detail.isComplete }

    expect(detail.pictureIndex, 2)
  }

  @Test func `keys are kept once a second, what changed nothing not at all, the end always`()
    async throws
  {
    let store = Store()
    let markets = Markets(try await navigator(at: state(row: 0, 9)))
    let saver = SessionStateSaver(store, clock: clock)
    for _ in 0..<50 { saver.schedule(in: markets) }
    let pause = try await clock.sleeps(of: .seconds(1)).next()
    markets.current.browser.list.move(.down)
    pause.answer(())
    await poll { await !store.places.isEmpty }
    saver.schedule(in: markets)
    try await clock.sleeps(of: .seconds(1)).next().answer(())

    await saver.finish(at: markets.state)

    await expect(store.places.map(\.navigationState.row), [1, 1])
    expect(clock.sleeps(of: .seconds(1)).callCount, 2)
  }
}
