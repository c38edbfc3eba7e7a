package import MarketModel

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

  /// Stops waiting for a check.
  ///
  /// - Returns: whether there was one; if not, the question itself is to be left.
  package mutating func cancel() -> Bool {
    guard case .verifying = phase else { return false }
    phase = .asking(nil)
    return true
  }

  /// A check ended; one that nobody waits for any more changes nothing.
  ///
  /// - Parameters:
  ///   - attempt: the check.
  ///   - error: nil where the password was right.
  /// - Returns: whether the gate opened by it.
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
