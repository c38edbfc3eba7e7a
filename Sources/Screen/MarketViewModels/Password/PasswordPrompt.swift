internal import MarketModel

/// Prompt for the password of a product, repeated until it is correct.
final class PasswordPrompt {
  private let services: SellingServices
  private let account: SellerAccountModel
  private let cache: PasswordCache
  /// Number of wrong passwords in a row, by product, in this run.
  private var wrongTries: [Product.ID: Int] = [:]

  init(_ services: SellingServices, account: SellerAccountModel, cache: PasswordCache) {
    self.services = services
    self.account = account
    self.cache = cache
  }

  /// Asks for a product's password; `count` is the number of products that it is for.
  ///
  /// A cached one is used without a prompt, but never for a deletion or after an error of the last
  /// one.
  ///
  /// - Returns: the correct password, which the caller wipes; nil if the user cancels.
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
      // It was wiped during the check.
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
