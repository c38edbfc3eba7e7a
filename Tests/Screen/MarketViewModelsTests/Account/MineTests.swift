import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// The seller's own products, on markets that can be asked for them and on others.
struct MineTests {
  /// A market of these products on which some were registered from here.
  private func navigator(
    over repository: GatedProductRepository, registered: [Int64], seller: Seller? = nil
  ) async throws -> Navigator {
    let clock = ManualClock()
    let accounts = FakeAccounts()
    var account = SellerAccount(identifier: SellerIdentifier(secret: "me"))
    account.seller = seller
    account.registered = registered.map(Product.ID.init(rawValue:))
    await accounts.save(account)
    let navigator = Navigator(
      browser: BrowserModel(
        repository: repository, arrangement: .list, pageSize: 2, clock: clock),
      gallery: PictureGallery(loader: NoPictures()), marketName: nil,
      selling: .sample(repository, accounts: accounts, clock: clock), clock: clock,
      now: { Timestamp(seconds: 0) })
    await navigator.selling?.start()
    navigator.browser.start()
    try await repository.pages.next().answer(.sample([9, 8]))
    await until { navigator.browser.capabilities != nil && !navigator.browser.feed.isStale }
    return navigator
  }

  private var modest: GatedProductRepository {
    var capabilities = RepositoryCapabilities.full
    capabilities.parts.remove(.seller)
    return GatedProductRepository(capabilities: capabilities)
  }

  @Test func `a market without sellers shows what was registered from here and still exists`()
    async throws
  {
    let repository = modest
    let navigator = try await navigator(over: repository, registered: [3, 5, 7])

    navigator.toggleMyProducts()
    let latest = try await repository.details.next()
    latest.answer(.sample(of: .sample(id: latest.request.rawValue)))
    try await repository.details.next().fail(.notFound)
    let oldest = try await repository.details.next()
    #expect(latest.request.rawValue == 7 && oldest.request.rawValue == 3)
    oldest.answer(.sample(of: .sample(id: 3)))

    await until { navigator.browser.feed.head.map(\.id.rawValue) == [7, 3] }
  }

  @Test func `where nothing was registered from here that is said`() async throws {
    let navigator = try await navigator(over: modest, registered: [])

    navigator.toggleMyProducts()

    await until { navigator.notice == .hint(.nothingSold) }
  }

  @Test func `who one is by an earlier registration's answer is known after a restart`()
    async throws
  {
    let seller = Seller(id: Seller.ID(rawValue: 9), name: "Hana")
    let navigator = try await navigator(over: modest, registered: [3], seller: seller)

    #expect(navigator.isOwn(ListedProduct(.sample(id: 4, seller: seller))))
  }

  @Test func `a guest's product is not one's own because one sold as a guest`() async throws {
    let navigator = try await navigator(over: modest, registered: [3])

    #expect(navigator.isOwn(ListedProduct(.sample(id: 3))))
    #expect(!navigator.isOwn(ListedProduct(.sample(id: 4))))
  }
}
