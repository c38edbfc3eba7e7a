package import MarketModel

/// Taking a product off the market: its password, then one question whose default is no, then the
/// call; a pure machine.
package struct DeleteFlow: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    case password
    case question
    case deleting(attempt: Int)
    case deleted
  }

  package private(set) var phase: Phase = .password
  package private(set) var gate = PasswordGate()
  private var attempts = 0

  package init() {}

  package mutating func verify() -> Int? {
    phase == .password ? gate.verify() : nil
  }

  package mutating func didVerify(_ attempt: Int, error: RepositoryError?) {
    guard phase == .password else { return }
    if gate.didVerify(attempt, error: error) { phase = .question }
  }

  /// The answer to the question.
  ///
  /// - Parameter isYes: whether the product is to go.
  /// - Returns: the attempt to begin; nil where nothing is to be sent.
  package mutating func answer(isYes: Bool) -> Int? {
    guard phase == .question, isYes else { return nil }
    attempts += 1
    phase = .deleting(attempt: attempts)
    return attempts
  }

  /// Goes one step back.
  ///
  /// - Returns: whether there was one; if not, the flow itself is to be left.
  package mutating func cancel() -> Bool {
    switch phase {
    case .password: return gate.cancel()
    case .deleting:
      phase = .question
      return true
    case .question, .deleted: return false
    }
  }

  /// The product is gone, whichever attempt it was; true once.
  package mutating func didDelete() -> Bool {
    guard phase != .deleted else { return false }
    phase = .deleted
    return true
  }

  /// An attempt failed; a wrong password asks for it again.
  ///
  /// - Parameters:
  ///   - attempt: the one that failed.
  ///   - error: why.
  /// - Returns: whether it is the one that is waited for.
  package mutating func didFail(_ attempt: Int, error: RepositoryError) -> Bool {
    guard phase == .deleting(attempt: attempt) else { return false }
    phase = .question
    if error == .wrongPassword {
      phase = .password
      gate.close(error)
    }
    return true
  }
}
