internal import MarketModel

/// What one attempt sends.
enum SellingMessage {
  case registration(ProductRegistration, IdempotencyKey)
  case change(of: ProductDetail, ProductPatch, Password)
  case deletion(Product.ID, Password)

  func deliver(
    to repository: any ProductRepository, by author: Author
  ) async throws(RepositoryError) -> SellingOutcome {
    switch self {
    case .registration(let registration, let key):
      defer { registration.password.wipe() }
      return .registered(try await repository.register(registration, by: author, key: key))
    case .change(let base, let patch, let password):
      return .changed(
        try await repository.update(
          base.id, with: patch, password: password, by: author, expecting: base.version))
    case .deletion(let id, let password):
      return .deleted(try await repository.delete(id, password: password, by: author).id)
    }
  }
}

extension SellingIntent {
  /// What the intent has come to; nil where something is missing that the question waits for.
  func message(_ form: ProductForm?, undoing last: FinishedEdit?) -> SellingMessage? {
    switch purpose {
    case .registration:
      return form?.registration().map { .registration($0, key) }
    case .edit:
      guard let form, case .edit(let base) = form.purpose, let password else { return nil }
      return .change(of: base, form.patch(), password)
    case .undo:
      guard let last, let password else { return nil }
      return .change(of: last.after, last.undoing(), password)
    case .deletion:
      guard let product, let password else { return nil }
      return .deletion(product.id, password)
    case .renaming: return nil
    }
  }
}
