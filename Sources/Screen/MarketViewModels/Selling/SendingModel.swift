internal import MarketModel
import Observation

/// Dialog while something is on its way to the market, with how much of it has gone.
@Observable
package final class SendingModel: Layer {
  package let purpose: SellingIntent.Purpose
  package private(set) var upload: UploadProgress?

  private let didCancel: () -> Void

  init(_ purpose: SellingIntent.Purpose, didCancel: @escaping () -> Void) {
    self.purpose = purpose
    self.didCancel = didCancel
  }

  func didUpload(_ progress: UploadProgress) { upload = progress }

  /// Waits no longer for the answer.
  package func cancel() { didCancel() }
}

/// Progress of sending a form, in bytes.
package nonisolated struct UploadProgress: Hashable, Sendable {
  package let sent: Int
  package let total: Int

  package init(sent: Int, total: Int) {
    self.sent = sent
    self.total = total
  }
}

/// Message that one attempt sends to the market.
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
