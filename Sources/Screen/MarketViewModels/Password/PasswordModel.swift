package import EditorKit
package import MarketModel

/// The prompt for a product's password: what was typed, and the check of it by the market.
package final class PasswordModel: Dialog {
  /// The right password, which is to be wiped.
  package let reply = Reply<Password>()
  package let purpose: SellingPurpose
  package let product: ListedProduct
  /// How many products it is for; `product` is the first of them.
  package let count: Int
  @Observed package private(set) var gate: PasswordGate
  @Observed package private(set) var secret = PasswordEditor()
  /// Whether its characters are shown.
  @Observed package private(set) var isShown = false
  /// How many wrong passwords in a row the market looks at; nil where it does not say.
  @Observed package private(set) var tryLimit: Int?
  /// What others did to the product since the prompt was opened.
  @Observed package private(set) var news: LiveMarket.RowChange?
  /// The password where everybody may know it; nil for a product that somebody sells.
  @Observed package private(set) var samplePassword: String?

  private let check: (Password, Bool) async throws(RepositoryError) -> Void
  private var checking: Task<Void, Never>?
  private var isClosed = false
  /// Whether the last one that was checked is one that was kept.
  package private(set) var isFromCache = false

  /// A prompt for the password of a product.
  ///
  /// - Parameters:
  ///   - purpose: what the password opens.
  ///   - product: what it belongs to.
  ///   - count: how many products it is for.
  ///   - wrongCount: how many were wrong before in this run.
  ///   - error: why the password that was given before does not count any more.
  ///   - check: asks the market; says also whether the password is one that was kept.
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

  /// Learns what the market says of its passwords.
  func learn(tryLimit: Int?, samplePassword: String?) {
    self.tryLimit = tryLimit
    self.samplePassword = samplePassword
  }

  /// Learns what others did to the product.
  func didSee(_ news: LiveMarket.RowChange) { if self.news != .deleted { self.news = news } }

  package func edit(_ change: (inout PasswordEditor) -> Void) { change(&secret) }

  /// Shows what is typed, or hides it again.
  package func toggleShown() { isShown.toggle() }

  package func didCover() { isShown = false }

  /// Lets the market check what was typed.
  package func confirm() {
    guard !secret.isEmpty, case .asking = gate.phase else { return }
    let password = Password(secret)
    secret.wipe()
    isShown = false
    check(password, isFromCache: false)
  }

  /// Lets the market check a password that was kept, as if it had been typed.
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

  /// Stops the check, or leaves the prompt.
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
  package private(set) var wrongCount: Int
  private var attempts = 0

  package init(wrongCount: Int = 0) {
    self.wrongCount = wrongCount
  }

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
