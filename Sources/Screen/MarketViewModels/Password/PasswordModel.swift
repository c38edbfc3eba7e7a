package import EditorKit
package import MarketModel

/// Password prompt: dialog for a product's password, which the market checks.
package final class PasswordModel: Dialog {
  /// Answers the correct password, which the receiver wipes.
  package let reply = Reply<Password>()
  package let purpose: SellingPurpose
  package let product: ListedProduct
  /// Number of products that it is for; `product` is the first of them.
  package let count: Int
  @Observed package private(set) var gate: PasswordGate
  @Observed package private(set) var secret = PasswordEditor()
  /// Whether the characters are shown.
  @Observed package private(set) var isShown = false
  /// Number of wrong passwords in a row that the market checks before it waits; nil if it does not say.
  @Observed package private(set) var tryLimit: Int?
  /// Change of the product by others since the dialog was opened; nil if there is none.
  @Observed package private(set) var news: LiveMarket.RowChange?
  /// Public password of a product of the sample market; nil for other products.
  @Observed package private(set) var samplePassword: String?

  private let check: (Password, Bool) async throws(RepositoryError) -> Void
  private var checking: Task<Void, Never>?
  private var isClosed = false
  /// Whether the last checked password came from the cache.
  package private(set) var isFromCache = false

  /// Makes the dialog for the password of a product.
  ///
  /// - Parameters:
  ///   - purpose: operation that needs the password.
  ///   - product: product of the password.
  ///   - count: number of products that it is for.
  ///   - wrongCount: number of wrong passwords for the product in this run.
  ///   - error: error that made the previous password invalid; nil for none.
  ///   - check: checks a password on the market; the flag says whether it came from the cache.
  init(
    purpose: SellingPurpose, product: ListedProduct, count: Int = 1, wrongCount: Int = 0,
    after error: RepositoryError? = nil,
    check: @escaping (Password, Bool) async throws(RepositoryError) -> Void
  ) {
    gate = PasswordGate(wrongCount: wrongCount)
    self.purpose = purpose
    self.product = product
    self.count = count
    self.check = check
    if let error { gate.close(error) }
  }

  /// Sets the market's limit of attempts and the public password.
  func learn(tryLimit: Int?, samplePassword: String?) {
    self.tryLimit = tryLimit
    self.samplePassword = samplePassword
  }

  /// Records a change by others.
  func didSee(_ news: LiveMarket.RowChange) { if self.news != .deleted { self.news = news } }

  package func edit(_ change: (inout PasswordEditor) -> Void) { change(&secret) }

  /// Shows or hides the typed password.
  package func toggleShown() { isShown.toggle() }

  package func didCover() { isShown = false }

  /// Has the market check the typed password.
  package func confirm() {
    guard !secret.isEmpty, case .asking = gate.phase else { return }
    let password = Password(secret)
    secret.wipe()
    isShown = false
    check(password, isFromCache: false)
  }

  /// Has the market check a cached password, as if it was typed.
  func confirm(_ password: Password) { check(password, isFromCache: true) }

  private func check(_ password: Password, isFromCache: Bool) {
    guard let attempt = gate.verify() else { return password.wipe() }
    self.isFromCache = isFromCache
    checking = Task.immediate {
      var failure: RepositoryError?
      do throws(RepositoryError) {
        try await check(password, isFromCache)
      } catch {
        failure = error
      }
      didCheck(password, attempt, failure)
    }
  }

  /// Cancels the check, or leaves the dialog.
  package func cancel() {
    guard gate.cancel() else { return reply.give(nil) }
    checking?.cancel()
  }

  package func didClose() {
    isClosed = true
    checking?.cancel()
    secret.wipe()
  }

  private func didCheck(_ password: Password, _ attempt: Int, _ error: RepositoryError?) {
    guard !isClosed, gate.didVerify(attempt, error: error) else { return password.wipe() }
    reply.give(password)
  }
}

/// State of a password dialog: a pure state machine that counts wrong passwords and identifies
/// checks.
package struct PasswordGate: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    /// Waits for a password, with the error of the last one; nil for none.
    case asking(RepositoryError?)
    case verifying(attempt: Int)
    /// The password was correct.
    case open
  }

  package private(set) var phase: Phase = .asking(nil)
  /// Number of wrong passwords.
  package private(set) var wrongCount: Int
  private var attempts = 0

  package init(wrongCount: Int = 0) {
    self.wrongCount = wrongCount
  }

  /// Begins a check and returns its number; nil while another one runs.
  package mutating func verify() -> Int? {
    guard case .asking = phase else { return nil }
    attempts += 1
    phase = .verifying(attempt: attempts)
    return attempts
  }

  /// Cancels a check; false if none runs, so that the dialog itself is to be left.
  package mutating func cancel() -> Bool {
    guard case .verifying = phase else { return false }
    phase = .asking(nil)
    return true
  }

  /// Ends a check; a nil `error` means that the password was correct.
  ///
  /// Returns true if it was and the check is the current one; an earlier check has no effect.
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

  /// Reopens after the operation found the password wrong, as after a change of it.
  package mutating func close(_ error: RepositoryError) {
    if error == .wrongPassword { wrongCount += 1 }
    phase = .asking(error)
  }
}
