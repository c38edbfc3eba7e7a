import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// The currency with which the form of a new product begins.
struct FormDataLoaderTests {
  private let me = Seller(id: Seller.ID(rawValue: 5), name: "하나")

  /// Services of seller 5 over these products.
  private func services(
    _ products: [Product], language: Currency = .usd
  ) async throws -> SellingServices {
    let accounts = FakeAccounts()
    var account = try #require(await accounts.account())
    account.seller = me
    await accounts.save(account)
    return SellingServices(
      repository: InMemoryProductRepository(products.map { .sample(of: $0) }),
      drafts: FakeDrafts(), accounts: accounts, photos: FakePhotoImporter(),
      pictures: InMemoryProductRepository(), clock: ManualClock(),
      now: { Timestamp(seconds: 1) }, makeToken: { "token" }, home: "/",
      languageCurrency: { language })
  }

  /// The currency that a form proposes to seller 5 over these products.
  private func currency(
    _ products: [Product], language: Currency = .usd, from draft: Draft? = nil
  ) async throws -> Currency {
    let services = try await services(products, language: language)
    return try await FormDataLoader(services: services).registration(from: draft).form.currency
  }

  @Test func `my last product says it, else the newest one, else the language`() async throws {
    let mine = Product.sample(id: 1, seller: me, currency: .usd)
    let newest = Product.sample(id: 2, currency: .krw)

    try await expect(currency([mine, newest]), .usd)
    try await expect(currency([newest]), .krw)
    try await expect(currency([], language: .krw), .krw)
    try await expect(currency([], language: .usd), .usd)
  }

  @Test func `a currency that the market does not take is not proposed`() async throws {
    let newest = Product.sample(id: 2, currency: Currency(rawValue: "EUR"))

    try await expect(currency([newest], language: .usd), .usd)
  }

  @Test func `a command takes the same currency as a form`() async throws {
    var entries = ProductEntries()
    entries.texts = [.name: "Blue plate", .price: "12.50", .description: "A plate for it"]
    entries.photos = ["bike.jpg"]
    var dollars = HeadlessSelling(
      try await services([.sample(id: 1, currency: .usd)], language: .krw)
    ) { _ in }
    var won = HeadlessSelling(try await services([.sample(id: 1, currency: .krw)])) { _ in }

    try await dollars.check(entries)
    await #expect(
      throws: HeadlessSelling.Failure.field(FieldError(.price, .amount(.decimals(.krw))))
    ) { try await won.check(entries) }
    entries.texts[.currency] = "USD"
    try await won.check(entries)
  }

  @Test func `a draft keeps its own`() async throws {
    var values = FormValues()
    values[.currency] = "KRW"
    let draft = Draft(
      id: Draft.ID(rawValue: "a"), target: .registration, key: IdempotencyKey(rawValue: "a"),
      values: values, changed: Timestamp(seconds: 1))

    try await expect(currency([.sample(currency: .usd)], from: draft), .krw)
  }
}
