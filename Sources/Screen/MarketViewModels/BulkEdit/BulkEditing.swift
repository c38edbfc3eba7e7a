internal import MarketModel

/// Changes and deletions of several products: one password, then one question, then a result for each.
package final class BulkEditing {
  private let services: SellingServices
  private let account: SellerAccountModel
  private let prompt: PasswordPrompt
  private let passwordCache: PasswordCache
  private let stack: LayerStack
  private weak let delegate: (any SellingDelegate)?
  /// Counts the changes, by which what belongs to one of them is known.
  private var runs = 0

  /// Learns what would give a changed product back what it was, and of which run that is.
  var didChange: (ListedProduct, [ProductField: String], _ run: Int) -> Void = { _, _, _ in }
  var didDelete: (Product.ID) -> Void = { _ in }

  init(
    services: SellingServices, account: SellerAccountModel, prompt: PasswordPrompt,
    passwordCache: PasswordCache, on stack: LayerStack, delegate: (any SellingDelegate)?
  ) {
    self.services = services
    self.account = account
    self.prompt = prompt
    self.passwordCache = passwordCache
    self.stack = stack
    self.delegate = delegate
  }

  /// Whether it is going on.
  var isRunning: Bool { stack.first(BulkEditModel.self) != nil }

  /// Asks for the password of the first product, and shows what is going to happen; `didDo` gets each
  /// product that needs nothing any more.
  func begin(
    _ change: BulkChange, of products: [ListedProduct],
    didDo: @escaping (Product.ID) -> Void
  ) {
    guard let first = products.first, !isRunning, stack.first(PasswordModel.self) == nil else {
      return
    }
    let asks = change == .deletion
    runs += 1
    askPassword(to: change, of: first, count: products.count, usesCached: !asks) {
      [self] password in
      let model = BulkEditModel(
        change, of: products, with: password,
        sending: BulkSender(repository: services.repository, account: account),
        didFinish: { [weak self] outcome, id in self?.didFinish(outcome, id, didDo) },
        askPassword: { [weak self] product, count, then in
          self?.askPassword(to: change, of: product, count: count, usesCached: false, then: then)
        })
      model.didChange = { [weak self, runs] product, before in
        guard let texts = change.textsBack(to: before.product) else { return }
        self?.didChange(product, texts, runs)
      }
      model.didCancel = { [weak self] in self?.stack.close($0) }
      stack.push(model)
      model.start()
    }
  }

  private func didFinish(
    _ outcome: SellingOutcome, _ id: Product.ID, _ didDo: (Product.ID) -> Void
  ) {
    switch outcome {
    case .changed: passwordCache.didUse(for: id)
    case .deleted: didDelete(id)
    case .registered: break
    }
    didDo(id)
    delegate?.didFinish(outcome)
  }

  /// Takes the password that is kept, or asks for the one of a product; `then` gets the right one.
  private func askPassword(
    to change: BulkChange, of product: ListedProduct, count: Int, usesCached: Bool,
    then: @escaping (Password) -> Void
  ) {
    let use = usesCached ? prompt.use(for: product.id) : nil
    if case .proved(let password)? = use { return then(password) }
    var shown: PasswordModel?
    let model = prompt.prompt(to: change.purpose, product, count: count) { [stack] password in
      if let shown { stack.remove(shown) }
      shown = nil
      if let password { then(password) }
    }
    shown = model
    stack.push(model)
    if case .untried(let password)? = use { model.confirm(password) }
  }
}

extension BulkChange {
  fileprivate nonisolated var purpose: SellingIntent.Purpose {
    switch self {
    case .price, .stock: .edit
    case .deletion: .deletion
    case .restoring: .undo
    }
  }
}

/// Sender of one product's part of a change of several.
struct BulkSender {
  let repository: any ProductRepository
  let account: SellerAccountModel

  /// The form of a product with a change in it, over what the market has now.
  func form(of id: Product.ID, _ change: BulkChange) async throws(RepositoryError)
    -> ProductForm
  {
    let capabilities = try await repository.capabilities()
    let detail = try await repository.detail(of: id)
    var filling = FormFiller(ProductForm(.edit(detail), capabilities: capabilities))
    if let error = filling.fill(try change.texts(for: detail.product)) { throw .invalid([error]) }
    var form = filling.form
    guard form.checkAll() else {
      throw .invalid([FieldError(form.focus, form.problems[form.focus] ?? .unreadable)])
    }
    return form
  }

  /// Sends an edit, or without a form a deletion.
  ///
  /// An answer that got lost on its way is found in the conflict that the next attempt meets.
  func send(
    _ id: Product.ID, _ form: ProductForm?, _ password: Password
  ) async throws(RepositoryError) -> SellingOutcome {
    let author = await account.author()
    guard let form, case .edit(let base) = form.purpose else {
      return .deleted(try await repository.delete(id, password: password, by: author).id)
    }
    do throws(RepositoryError) {
      return .changed(
        try await repository.update(
          id, with: form.patch(), password: password, by: author, expecting: base.version))
    } catch {
      guard case .conflict(let current) = error, form.isContained(in: current) else { throw error }
      return .changed(current)
    }
  }
}
