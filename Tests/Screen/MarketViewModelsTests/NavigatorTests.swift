import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct NavigatorTests {
  /// A navigator over these products, with nothing on its way.
  private func navigator(
    showing ids: some Sequence<Int64>, over repository: GatedProductRepository
  ) async throws -> Navigator {
    let clock = ManualClock()
    let browser = BrowserModel(
      repository: repository, arrangement: .grid, pageSize: 4, clock: clock)
    let navigator = Navigator(
      browser: browser, gallery: PictureGallery(loader: NoPictures()), marketName: nil,
      clock: clock, now: { Timestamp(seconds: 0) })
    browser.start()
    try await repository.pages.next().answer(.sample(ids))
    await until { browser.feed.phase == .ended && browser.capabilities != nil }
    return navigator
  }

  private func navigator() async throws -> Navigator {
    try await navigator(showing: [3, 2, 1], over: GatedProductRepository())
  }

  private var modest: GatedProductRepository {
    var capabilities = RepositoryCapabilities.full
    capabilities.orders = [.newest]
    capabilities.parts = []
    return GatedProductRepository(capabilities: capabilities)
  }

  @Test func `layers lie over each other and go from the top`() async throws {
    let navigator = try await navigator()

    navigator.openDetail()
    HelpModel.open(on: navigator)
    expect(navigator.stack.layers.count, 3)
    navigator.stack.close(navigator.stack.top)
    #expect(navigator.stack.top === navigator.browser.detail)
    navigator.stack.close(navigator.stack.top)
    navigator.stack.close(navigator.stack.top)

    #expect(navigator.stack.top === navigator.browser)
  }

  @Test func `without products there is no detail to open`() async throws {
    let navigator = try await navigator(showing: [], over: GatedProductRepository())

    navigator.openDetail()

    #expect(!navigator.stack.isCovered)
  }

  @Test func `digits add up to a count that is used once`() async throws {
    let navigator = try await navigator()

    for digit in [0, 1, 2, 0] { navigator.typeDigit(digit) }

    expect(navigator.takeCount(), 120)
    expect(navigator.takeCount(), nil)
  }

  @Test func `a count grows no further than sense`() async throws {
    let navigator = try await navigator()

    for _ in 0..<40 { navigator.typeDigit(9) }

    expect(navigator.takeCount(), 999_999)
  }

  @Test func `a notice stays until the next key`() async throws {
    let navigator = try await navigator()

    navigator.announce(.refreshed(newProducts: 2))
    expect(navigator.notice, .refreshed(newProducts: 2))
    navigator.didPressKey()

    expect(navigator.notice, nil)
  }

  @Test func `that the market is back does not hide that a product was listed`() async throws {
    let navigator = try await navigator()
    let listed = Notice.registered(ListedProduct(.sample()), .furtherDown)

    navigator.announce(listed)
    navigator.browser.list.observers.report(.marketAnswered)

    expect(navigator.notice, listed)
    navigator.didPressKey()
    navigator.browser.list.observers.report(.marketAnswered)
    expect(navigator.notice, .hint(.marketAnswers))
  }

  @Test func `a market without search or orders says so`() async throws {
    let navigator = try await navigator(showing: [1], over: modest)

    SearchModel.open(on: navigator, in: .english)
    expect(navigator.notice, .hint(.noSearch))
    navigator.openOrders()

    expect(navigator.notice, .hint(.noOrder))
    #expect(!navigator.stack.isCovered)
  }

  @Test func `the mouse is let go and taken back`() async throws {
    let navigator = try await navigator()

    navigator.toggleMouse()
    #expect(!navigator.program.hasMouse)
    expect(navigator.notice, .hint(.mouseReleased))
    navigator.toggleMouse()

    #expect(navigator.program.hasMouse)
  }

  @Test func `the program around copies the selected product`() async throws {
    let navigator = try await navigator()
    let program = FakeProgram()
    navigator.program.delegate = program

    navigator.copyProduct(as: .text)

    expect(program.copied.map(\.rawValue), [3])
  }

  @Test func `the program around saves and opens the picture of the detail`() async throws {
    let repository = GatedProductRepository()
    let navigator = try await navigator(showing: [3, 2, 1], over: repository)
    let program = FakeProgram()
    navigator.program.delegate = program
    let selected = try #require(navigator.browser.selected)
    navigator.openDetail()
    let picture = Picture(original: "a.jpg", thumbnail: "b.jpg")
    try await repository.details.next().answer(.sample(of: selected.product, pictures: [picture]))
    await until { !navigator.browser.detail.pictures.isEmpty }

    navigator.keepPicture(.save)
    navigator.keepPicture(.open)

    let name = try #require(navigator.browser.detail.product?.name)
    expect(
      program.actions, [.save, .open].map { PictureAction(verb: $0, picture: picture, name: name) })
  }

  @Test func `the program around edits texts, and without one there is no editor`() async throws {
    let navigator = try await navigator()
    var outcomes: [EditorOutcome] = []
    await navigator.editExternally("a") { outcomes.append($0) }
    let program = FakeProgram()
    navigator.program.delegate = program

    await navigator.editExternally("a") { outcomes.append($0) }

    expect(outcomes, [EditorOutcome.none, .text("aa")])
  }

  @Test func `a retry in a detail reads the detail again and leaves the list`() async throws {
    let repository = GatedProductRepository()
    let navigator = try await navigator(showing: [3, 2, 1], over: repository)
    navigator.openDetail()
    try await repository.details.next().fail(.unreachable(.refused))
    await until { navigator.browser.detail.hasFailed }

    navigator.retry()
    let call = try await repository.details.next()

    expect(call.request.rawValue, 3)
    expect(repository.pages.callCount, 1)
  }

  @Test func `a retry brings the detail beside the list, too`() async throws {
    let repository = GatedProductRepository()
    let navigator = try await navigator(showing: [3, 2, 1], over: repository)
    navigator.browser.detail.setShown(true, selected: navigator.browser.selected)
    try await repository.details.next().fail(.unreachable(.refused))
    await until { navigator.browser.detail.hasFailed }

    navigator.retry()
    let call = try await repository.details.next()

    expect(call.request.rawValue, 3)
  }
}

extension DetailModel {
  fileprivate var hasFailed: Bool { if case .failed = phase { true } else { false } }
}
