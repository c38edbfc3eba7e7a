internal import MarketModel

extension SellingModel {
  /// `D`: deletes a product with its password, after one question.
  package func delete(_ product: ListedProduct) {
    begin { [self] flow in
      let submission = submission(to: .deletion, product)
      var refusal: RepositoryError?
      while let password = await passwords.password(
        to: .deletion, product, after: refusal, in: flow)
      {
        defer { password.wipe() }
        guard await flow.present(ConfirmationModel(.deletion(product))) == true else { return }
        switch await send(.deletion(product.id, password), of: submission, in: flow) {
        case .done, .left: return
        case .failed(let error) where error.refusesPassword: refusal = error
        case .failed(let error):
          // Somebody was quicker: what is gone leaves the list as well.
          if error == .notFound { tell(.deleted(product.id)) }
          return announce(.notSent(error, keepsForm: false))
        }
      }
    }
  }
}

extension RepositoryError {
  /// Whether the password has to be asked for again.
  nonisolated var refusesPassword: Bool {
    switch self {
    case .wrongPassword, .tooManyAttempts: true
    default: false
    }
  }
}
