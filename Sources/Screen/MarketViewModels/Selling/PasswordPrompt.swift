internal import MarketModel

/// Prompt for the password of a product that is changed or deleted, until that is right.
final class PasswordPrompt {
  private let running: ActiveIntent
  private let services: SellingServices
  private let account: SellerAccountModel
  private let passwordCache: PasswordCache
  /// How many wrong passwords in a row were given for products in this run.
  private var wrongTries: [Product.ID: Int] = [:]
  /// Learns that the password of what is being changed was right.
  var didVerify: (ListedProduct) -> Void = { _ in }

  init(
    _ running: ActiveIntent, services: SellingServices, account: SellerAccountModel,
    passwordCache: PasswordCache
  ) {
    self.running = running
    self.passwordCache = passwordCache
    self.services = services
    self.account = account
  }

  /// Asks for the password of what is being changed: none was given, the one that was is gone, or it
  /// was right before and is not now.
  ///
  /// One that is kept is taken without asking, but never for a deletion.
  func ask(after error: RepositoryError? = nil) {
    guard let intent = running.intent, let product = intent.product else { return }
    intent.password?.wipe()
    running.intent?.password = nil
    if error == .wrongPassword { passwordCache.didFail(for: product.id) }
    let use = intent.purpose == .deletion || error != nil ? nil : use(for: product.id)
    if case .proved(let password)? = use { return open(product, with: password) }
    let prompt = prompt(to: intent.purpose, product, after: error) { [self] password in
      guard let password else { return running.leaveDialog() }
      open(product, with: password)
    }
    running.show(prompt)
    if case .untried(let password)? = use { prompt.confirm(password) }
  }

  private func open(_ product: ListedProduct, with password: Password) {
    running.intent?.password = password
    didVerify(product)
  }

  /// What is kept for a product.
  func use(for product: Product.ID) -> PasswordCache.Use? {
    passwordCache.use(for: product, by: account.identifier)
  }

  /// A prompt for one product's password, or with `count` for that of so many; one that proves right is
  /// kept.
  func prompt(
    to purpose: SellingIntent.Purpose, _ product: ListedProduct, count: Int = 1,
    after error: RepositoryError? = nil, didEnd: @escaping (Password?) -> Void
  ) -> PasswordModel {
    // Only the password that is right ends the prompt, and only the first may be the kept one.
    var isFromCache = false
    let prompt = PasswordModel(
      purpose: purpose, product: product, count: count, wrongCount: wrongTries[product.id] ?? 0,
      after: error
    ) { [self] password, isGiven throws(RepositoryError) in
      isFromCache = isGiven
      let author = await account.author()
      do throws(RepositoryError) {
        try await services.repository.verify(password, for: product.id, by: author)
      } catch {
        if error == .wrongPassword, isGiven { passwordCache.didFail(for: product.id) }
        throw error
      }
    } didEnd: { [self] password in
      if let password {
        if isFromCache {
          passwordCache.didProve(for: product.id)
        } else {
          passwordCache.keep(password, for: product.id, by: account.identifier)
        }
      }
      didEnd(password)
    }
    prompt.didChangeTries = { [self] in wrongTries[product.id] = $0 }
    Task.immediate {
      let sample = await services.samplePassword(product.id)
      let limit = (try? await services.repository.capabilities())?.passwordTries
      prompt.learn(tryLimit: limit, samplePassword: sample)
    }
    return prompt
  }
}
