package import EditorKit
internal import MarketModel
import Observation

/// The prompt for a product's password: what was typed, and the check of it by the market.
@Observable
package final class PasswordModel: Layer {
  package let purpose: SellingIntent.Purpose
  package let product: ListedProduct
  package private(set) var gate = PasswordGate()
  package private(set) var secret = SecretEditor()

  private let check: (Password) async throws(RepositoryError) -> Void
  private let didEnd: (Password?) -> Void
  @ObservationIgnored private var checking: Task<Void, Never>?
  @ObservationIgnored private var isClosed = false

  /// A prompt that ends with the right password, which is to be wiped, or with nothing; the error is
  /// why the password that was given before does not count any more.
  init(
    purpose: SellingIntent.Purpose, product: ListedProduct, after error: RepositoryError? = nil,
    check: @escaping (Password) async throws(RepositoryError) -> Void,
    didEnd: @escaping (Password?) -> Void
  ) {
    self.purpose = purpose
    self.product = product
    self.check = check
    self.didEnd = didEnd
    if let error { gate.close(error) }
  }

  package func edit(_ change: (inout SecretEditor) -> Void) { change(&secret) }

  /// Lets the market check what was typed.
  package func confirm() {
    guard !secret.isEmpty, let attempt = gate.verify() else { return }
    let password = Password(secret)
    secret.wipe()
    checking = Task.immediate {
      var failure: RepositoryError?
      do throws(RepositoryError) {
        try await check(password)
      } catch {
        failure = error
      }
      didCheck(password, attempt, failure)
    }
  }

  /// Stops the check, or leaves the prompt.
  package func cancel() {
    guard gate.cancel() else { return didEnd(nil) }
    checking?.cancel()
  }

  package func didClose() {
    isClosed = true
    checking?.cancel()
    secret.wipe()
  }

  private func didCheck(_ password: Password, _ attempt: Int, _ error: RepositoryError?) {
    guard !isClosed, gate.didVerify(attempt, error: error) else { return password.wipe() }
    didEnd(password)
  }
}
