internal import MarketModel

/// Question for the password of a product that is changed or deleted, until that is right.
final class PasswordPrompt {
  private let services: SellingServices
  private let account: SellerAccountModel
  private let cache: PasswordCache
  /// How many wrong passwords in a row were given for products in this run.
  private var wrongTries: [Product.ID: Int] = [:]

  init(_ services: SellingServices, account: SellerAccountModel, cache: PasswordCache) {
    self.services = services
    self.account = account
    self.cache = cache
  }

  /// Asks for a product's password, or with `count` for that of so many.
  ///
  /// One that is kept is taken without asking, but never for a deletion, nor after a refusal of the one
  /// that was given.
  ///
  /// - Returns: the right password, which is to be wiped; nil where one leaves.
  func password(
    to purpose: SellingPurpose, _ product: ListedProduct, count: Int = 1,
    after refusal: RepositoryError? = nil, usesCached: Bool = true, in flow: Flow
  ) async -> Password? {
    if refusal == .wrongPassword { cache.didFail(for: product.id) }
    let mayUse = usesCached && refusal == nil && purpose != .deletion
    let use = mayUse ? cache.use(for: product.id, by: account.identifier) : nil
    if case .proved(let password)? = use { return cache.hold(password) }
    let prompt = PasswordModel(
      purpose: purpose, product: product, count: count, wrongCount: wrongTries[product.id] ?? 0,
      after: refusal
    ) { [self] password, isFromCache throws(RepositoryError) in
      try await verify(password, isFromCache, for: product.id)
    }
    Task.immediate {
      let sample = await services.samplePassword(product.id)
      let limit = (try? await services.repository.capabilities())?.passwordTries
      prompt.learn(tryLimit: limit, samplePassword: sample)
    }
    if case .untried(let password)? = use { prompt.confirm(password) }
    let password = await flow.present(prompt)
    wrongTries[product.id] = password == nil ? prompt.gate.wrongCount : 0
    guard let password else { return nil }
    guard password.byteCount > 0 else {
      // It was wiped while it was checked.
      return await self.password(
        to: purpose, product, count: count, usesCached: false, in: flow)
    }
    if prompt.isFromCache {
      cache.didProve(for: product.id)
    } else {
      cache.keep(password, for: product.id, by: account.identifier)
    }
    return cache.hold(password)
  }

  private func verify(
    _ password: Password, _ isFromCache: Bool, for product: Product.ID
  ) async throws(RepositoryError) {
    _ = cache.hold(password)
    let author = await account.author()
    do throws(RepositoryError) {
      try await services.repository.verify(password, for: product, by: author)
    } catch {
      if error == .wrongPassword, isFromCache { cache.didFail(for: product) }
      throw error
    }
  }
}
