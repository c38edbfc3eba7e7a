import EditorKit
import Expectations
import MarketModel
import MarketViewModels
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

/// Addresses of products: copying them, and opening what they lead to.
struct LinkTests {
  /// A market that is shown, with the remembered servers `a` and `b` beside it.
  private struct Stage {
    let clock = ManualClock()
    let repository: GatedProductRepository
    let navigator: Navigator
    let markets: Markets
    let fake: FakeMarkets
    let program = FakeProgram()

    /// `address` is where the shown market is, nil for a file; `pages` below what its products are.
    init(_ address: SafeText? = nil, pages: String? = nil) async throws {
      var capabilities = RepositoryCapabilities.full
      capabilities.publicAddress = pages.flatMap { WebAddress($0) }
      repository = GatedProductRepository(capabilities: capabilities)
      navigator = Navigator(
        browser: BrowserModel(
          repository: repository, arrangement: .list, pageSize: 4, clock: clock, jitter: .fixed(0)),
        gallery: PictureGallery(loader: NoPictures()), marketName: nil, marketAddress: address,
        clock: clock, now: { Timestamp(seconds: 0) })
      markets = Markets(navigator)
      fake = FakeMarkets(["a", "b"], behind: markets, clock: clock)
      navigator.program.delegate = program
      navigator.start()
      try await repository.pages.next().answer(.sample([9, 8, 7]))
      await until { [navigator] in
        navigator.browser.feed.phase == .ended && navigator.browser.capabilities != nil
      }
    }

    var question: ConfirmationModel? { navigator.stack.top as? ConfirmationModel }

    func follow(_ text: String) throws { navigator.follow(try #require(ProductAddress(text))) }
  }

  // MARK: Opening

  @Test func `a market that nobody named is asked about, and opened by yes alone`() async throws {
    let stage = try await Stage()

    try stage.follow("https://far.example/products/12")
    let asked = try #require(stage.question)
    expect(asked.subject, .market(try #require(ProductAddress("https://far.example/products/12"))))
    #expect(stage.fake.opened.isEmpty)
    asked.answer(false)
    await stage.navigator.stack.settle()
    #expect(stage.fake.opened.isEmpty && !stage.navigator.stack.isCovered)

    try stage.follow("https://far.example/products/12")
    stage.question?.answer(true)
    await stage.navigator.stack.settle()

    let shown = stage.markets.current
    expect(stage.fake.opened.map(\.market), [shown.market])
    let repository = try #require(stage.fake.repositories[shown.market])
    let call = try await repository.details.next()
    expect(call.request.rawValue, 12)
    call.answer(.sample(of: .sample(id: 12, name: "Bike")))
    await until { shown.stack.top === shown.browser.detail }
    expect(shown.browser.detail.product?.name, "Bike")
    expect(shown.notice, nil)
  }

  @Test func `Esc at the question opens nothing`() async throws {
    let stage = try await Stage()

    try stage.follow("https://far.example/products/12")
    stage.question?.cancel()
    await stage.navigator.stack.settle()

    #expect(stage.fake.opened.isEmpty && !stage.navigator.stack.isCovered)
  }

  @Test func `a remembered market opens at once, and learns of no seller`() async throws {
    let stage = try await Stage()

    try stage.follow("http://a/products/3")

    let shown = stage.markets.current
    let repository = try #require(stage.fake.repositories[shown.market])
    try await repository.details.next().answer(.sample(of: .sample(id: 3)))
    await until { shown.stack.top === shown.browser.detail }
    #expect(shown.marketName == "a" && repository.sellers.callCount == 0)

    // A market that is opened otherwise is asked who sells there.
    let other = try #require(stage.markets.all.first { $0.name == "b" })
    await stage.markets.show(other)
    let seller = try #require(stage.fake.repositories[other.key])
    try await seller.sellers.next().answer(nil)
  }

  @Test func `a product of the market that is shown opens in it, by either of its addresses`()
    async throws
  {
    for link in ["http://10.0.0.7:8080/products/7", "https://market.example/m/products/7"] {
      let stage = try await Stage("http://10.0.0.7:8080/", pages: "https://market.example/m")

      try stage.follow(link)
      try await stage.repository.details.next().answer(.sample(of: .sample(id: 7)))

      await until { stage.navigator.stack.top === stage.navigator.browser.detail }
      #expect(stage.fake.opened.isEmpty)
    }
  }

  @Test func `the same host by another scheme or port is another market`() async throws {
    for link in ["https://10.0.0.7:8080/products/7", "http://10.0.0.7/products/7"] {
      let stage = try await Stage("http://10.0.0.7:8080/", pages: "http://10.0.0.7:8080/")

      try stage.follow(link)

      #expect(stage.question != nil)
    }
  }

  @Test func `a product that is gone says so and opens nothing`() async throws {
    let stage = try await Stage("http://m/", pages: "http://m/")

    try stage.follow("http://m/products/70")
    try await stage.repository.details.next().fail(.notFound)

    await until { stage.navigator.notice == .failed(.notFound) }
    #expect(!stage.navigator.stack.isCovered)
  }

  @Test func `what somebody opened meanwhile stays`() async throws {
    let stage = try await Stage("http://m/", pages: "http://m/")

    try stage.follow("http://m/products/7")
    let call = try await stage.repository.details.next()
    MarketsModel.open(on: stage.navigator)
    call.answer(.sample(of: .sample(id: 7)))

    await until { stage.navigator.notice == nil }
    #expect(stage.navigator.stack.top is MarketsModel)
  }

  @Test func `where there is one market alone, links lead nowhere else`() async throws {
    let stage = try await Stage("http://m/", pages: "http://m/")
    stage.markets.opener = nil

    try stage.follow("https://far.example/products/12")

    #expect(stage.question == nil)
    expect(stage.navigator.notice, .hint(.linkLeadsElsewhere))
  }

  @Test func `a link in a seller's text opens here where its market is known`() async throws {
    let stage = try await Stage()
    let occurrences = WebLink.occurrences(in: "http://a/products/3 http://far.example/products/3")

    stage.navigator.follow(occurrences[1].link)
    expect(stage.question?.subject, .link(occurrences[1].link))
    stage.question?.cancel()
    await stage.navigator.stack.settle()
    stage.navigator.follow(occurrences[0].link)

    expect(stage.markets.current.marketName, "a")
  }

  @Test func `a pasted text is followed where it is a link, and said where it only begins as one`()
    async throws
  {
    let stage = try await Stage()

    #expect(!stage.navigator.followPasted("jjjq"))
    #expect(stage.navigator.followPasted(" https://far.example/offers/12\n"))
    #expect(stage.navigator.notice == .hint(.noProductLink) && stage.question == nil)
    #expect(stage.navigator.followPasted("Bike · ₩90,000 · 12 · https://far.example/products/12"))

    #expect(stage.question != nil)
  }

  @Test func `a link in the search line is no search, and Enter follows it`() async throws {
    let stage = try await Stage()
    SearchModel.open(on: stage.navigator, in: .english)
    let search = try #require(stage.navigator.stack.top as? SearchModel)

    search.edit { $0.paste("https://far.example/products/12") }
    stage.navigator.stack.close(search)
    stage.navigator.follow(search.confirm())

    #expect(stage.question != nil && stage.repository.pages.callCount == 1)
  }

  // MARK: Copying

  @Test func `a product is copied with its address, and the address alone`() async throws {
    let stage = try await Stage("http://10.0.0.7/", pages: "https://market.example/m")

    stage.navigator.copyProduct(as: .text)
    stage.navigator.copyProduct(as: .address)

    let address = "https://market.example/m/products/9"
    expect(stage.program.copied.map(\.rawValue), [9])
    expect(stage.program.copiedAddresses, [address, address])
  }

  @Test(
    arguments: [(nil, Notice.Hint.noAddressInFile), ("http://old/", .noAddress)]
      as [(SafeText?, Notice.Hint)])
  func `where products have no address the text is copied, and the reason said`(
    address: SafeText?, hint: Notice.Hint
  ) async throws {
    let stage = try await Stage(address)

    stage.navigator.copyProduct(as: .text)
    stage.navigator.copyProduct(as: .address)

    #expect(stage.program.copied.count == 1 && stage.program.copiedAddresses == [nil])
    expect(stage.navigator.notice, .hint(hint))
  }

  @Test func `a find of another market has that market's address`() async throws {
    let stage = try await Stage()
    let market = MarketKey(rawValue: "server-a")
    var capabilities = RepositoryCapabilities.full
    capabilities.publicAddress = WebAddress("http://a")
    stage.fake.capabilities[market] = capabilities
    stage.navigator.searchEverywhere(SearchRequest(reading: "bike"))
    let search = try #require(stage.navigator.stack.top as? MultiMarketSearchModel)
    search.list.didLayOut(rows: 20)
    for (key, id) in [("server-a", 4), ("server-b", 5)] as [(String, Int64)] {
      try await stage.fake.finds(of: key).next().answer(.sample([id]))
      await until { search.sources.contains { $0.products.contains { $0.id.rawValue == id } } }
    }

    search.copySelected(as: .address)
    await until { !stage.program.copiedAddresses.isEmpty }
    search.move(.down)
    search.copySelected(as: .address)

    await until { stage.navigator.notice == .hint(.noAnswerYet) }
    expect(stage.program.copiedAddresses, ["http://a/products/4"])
  }
}
