import EditorKit
import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// The password that is kept after it proved right.
struct PasswordCacheTests {
  private let clock = ManualClock()
  private let me = SellerIdentifier(secret: "me")
  private let first = Product.ID(rawValue: 1)
  private let second = Product.ID(rawValue: 2)

  private func cached() -> PasswordCache {
    let cached = PasswordCache(clock: clock)
    cached.keep(Password("secret"), for: first, by: me)
    return cached
  }

  private func text(_ use: PasswordCache.Use?) -> String? {
    switch use {
    case .proved(let password)?: "proved " + text(password)
    case .untried(let password)?: "untried " + text(password)
    case nil: nil
    }
  }

  private func text(_ password: Password) -> String {
    password.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `it opens its product again and is tried once on another`() {
    let cached = cached()

    expect(text(cached.use(for: first, by: me)), "proved secret")
    expect(text(cached.use(for: first, by: me)), "proved secret")
    expect(text(cached.use(for: second, by: me)), "untried secret")
    expect(text(cached.use(for: second, by: me)), nil)
  }

  @Test func `it is gone after five minutes without a right use`() async throws {
    let cached = cached()

    for left in [4, 3, 2, 1] {
      try await clock.sleeps(of: .seconds(60)).next().answer(())
      await until { cached.minutesLeft == left }
    }
    try await clock.sleeps(of: .seconds(60)).next().answer(())
    await until { !cached.hasPassword }

    expect(text(cached.use(for: first, by: me)), nil)
  }

  @Test func `a right use lets the five minutes begin again`() async throws {
    let cached = cached()
    try await clock.sleeps(of: .seconds(60)).next().answer(())
    await until { cached.minutesLeft == 4 }

    cached.didProve(for: second)

    expect(cached.minutesLeft, 5)
    expect(text(cached.use(for: second, by: me)), "proved secret")
  }

  @Test func `a change of what it opened lets them begin again as well, no other one does`()
    async throws
  {
    let cached = cached()
    try await clock.sleeps(of: .seconds(60)).next().answer(())
    await until { cached.minutesLeft == 4 }

    cached.didUse(for: second)
    expect(cached.minutesLeft, 4)
    cached.didUse(for: first)

    expect(cached.minutesLeft, 5)
  }

  @Test func `another seller gets nothing and wipes it`() {
    let cached = cached()

    expect(text(cached.use(for: first, by: SellerIdentifier(secret: "you"))), nil)
    #expect(!cached.hasPassword)
  }

  @Test func `wrong for its own product it is gone, wrong for another it stays`() {
    let cached = cached()

    cached.didFail(for: second)
    #expect(cached.hasPassword)
    cached.didFail(for: first)
    #expect(!cached.hasPassword)
  }

  @Test func `who wants to be asked always keeps nothing`() {
    let cached = PasswordCache(clock: clock)
    cached.asksAlways = { true }

    cached.keep(Password("secret"), for: first, by: me)

    #expect(!cached.hasPassword)
  }
}

/// What a seller sees of the password that is kept.
struct SellingWithPasswordCacheTests {
  private let stage = SellingStage()

  private func seller() -> TestSeller {
    TestSeller(
      .sample(stage.repository, drafts: stage.drafts, clock: stage.clock), keepsPasswords: true)
  }

  /// A seller after an edit, with the form closed.
  private func knowing() async throws -> TestSeller {
    let seller = seller()
    seller.selling.edit(stage.product)
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    try await stage.repository.details.next().answer(.sample(of: stage.product.product))
    await until { seller.form != nil }
    seller.formModel?.leave()
    await until { !seller.selling.isBusy }
    return seller
  }

  @Test func `the same product opens without a question`() async throws {
    let seller = try await knowing()

    seller.selling.edit(stage.product)
    try await stage.repository.details.next().answer(.sample(of: stage.product.product))
    await until { seller.form != nil }

    expect(stage.repository.verifications.callCount, 1)
  }

  @Test func `on another product it is tried once, and then the prompt asks`() async throws {
    let seller = try await knowing()
    let other = ListedProduct(.sample(id: 8, name: "Cup"))

    seller.selling.edit(other)
    try await stage.repository.verifications.next().fail(.wrongPassword)
    await until { seller.gate?.phase == .asking(.wrongPassword) }
    seller.prompt?.cancel()
    await seller.settle()
    seller.selling.edit(other)

    expect(seller.gate?.phase, .asking(nil))
    expect(stage.repository.verifications.callCount, 2)
  }

  @Test func `a deletion always asks`() async throws {
    let seller = try await knowing()

    seller.selling.delete(stage.product)

    expect(seller.gate?.phase, .asking(nil))
  }

  @Test func `a new form has it masked, the first key replaces it and no draft knows it`()
    async throws
  {
    let seller = try await knowing()

    seller.selling.sell()
    await until { seller.form != nil }
    #expect(seller.form?.password.characterCount == 6 && seller.form?.isUntouched == true)
    seller.edit { form in form.editPassword { $0.type("x") } }

    expect(seller.form?.password.characterCount, 1)
  }

  @Test func `a copy of a product and another one right after it have it as well`() async throws {
    for source in [FormSource.product(stage.product.id), .another(.krw)] {
      let seller = try await knowing()

      seller.selling.sell(from: source)
      if case .product = source {
        try await stage.repository.details.next().answer(.sample(of: stage.product.product))
      }
      await until { seller.form != nil }

      expect(seller.form?.password.characterCount, 6)
      expect(seller.form?.isUntouched, true)
    }
  }

  @Test func `once it is forgotten the form does not have it either`() async throws {
    let seller = try await knowing()
    seller.selling.sell()
    await until { seller.form != nil }

    seller.selling.passwordCache.forget()

    expect(seller.form?.password.isEmpty, true)
  }

  @Test func `a registration that came through keeps its password`() async throws {
    let seller = seller()
    seller.selling.sell()
    await until { seller.form != nil }
    await seller.fillIn()
    seller.edit { $0.setPassword("secret") }
    #expect(!seller.selling.passwordCache.hasPassword)

    await stage.submit(seller)
    try await stage.repository.registrations.next().answer(.sample(of: stage.product.product))
    await until { !seller.isActive }

    #expect(seller.selling.passwordCache.hasPassword)
  }
}
