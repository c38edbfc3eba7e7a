package import EditorKit
package import MarketModel
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

/// The question for a product's password: a pure machine that counts wrong answers and knows which
/// check is still waited for.
package struct PasswordGate: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    /// Waits for a password; with what went wrong last.
    case asking(RepositoryError?)
    case verifying(attempt: Int)
    /// The password was right.
    case open
  }

  package private(set) var phase: Phase = .asking(nil)
  /// How many passwords were wrong.
  package private(set) var wrongCount = 0
  private var attempts = 0

  package init() {}

  /// Begins a check; nil while another one runs.
  package mutating func verify() -> Int? {
    guard case .asking = phase else { return nil }
    attempts += 1
    phase = .verifying(attempt: attempts)
    return attempts
  }

  /// Stops waiting for a check; false where there was none, and the question itself is to be left.
  package mutating func cancel() -> Bool {
    guard case .verifying = phase else { return false }
    phase = .asking(nil)
    return true
  }

  /// A check ended, without an error where the password was right.
  ///
  /// One that nobody waits for any more changes nothing; true where the gate opened by it.
  package mutating func didVerify(_ attempt: Int, error: RepositoryError?) -> Bool {
    guard phase == .verifying(attempt: attempt) else { return false }
    guard let error else {
      phase = .open
      return true
    }
    if error == .wrongPassword { wrongCount += 1 }
    phase = .asking(error == .cancelled ? nil : error)
    return false
  }

  /// What followed found the password wrong after all, as a change of it meanwhile would.
  package mutating func close(_ error: RepositoryError) {
    if error == .wrongPassword { wrongCount += 1 }
    phase = .asking(error)
  }
}
