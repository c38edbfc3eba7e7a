/// One intent to send a form: asked for once, sent as often as it takes, done at most once.
///
/// All attempts carry the same key, so that an answer of any of them is the answer to the intent; a
/// failure counts only for the attempt that is waited for.
package struct SubmitFlow: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    case resting
    /// One question says what is going to happen.
    case asking
    case sending(attempt: Int)
    case done
  }

  package private(set) var phase: Phase = .resting
  private var attempts = 0

  package init() {}

  /// Asks before sending; false where it is asked, on its way or done already.
  package mutating func ask() -> Bool {
    guard phase == .resting else { return false }
    phase = .asking
    return true
  }

  /// The answer is no.
  package mutating func decline() {
    if phase == .asking { phase = .resting }
  }

  /// The answer is yes: the attempt to begin, or nil for a second press.
  package mutating func confirm() -> Int? {
    guard phase == .asking else { return nil }
    attempts += 1
    phase = .sending(attempt: attempts)
    return attempts
  }

  /// Stops waiting; the attempt may have come through all the same.
  package mutating func cancel() {
    if case .sending = phase { phase = .resting }
  }

  /// An attempt came through; true once.
  package mutating func didSucceed() -> Bool {
    guard phase != .done else { return false }
    phase = .done
    return true
  }

  /// An attempt failed; true where it is the one that is waited for.
  package mutating func didFail(_ attempt: Int) -> Bool {
    guard phase == .sending(attempt: attempt) else { return false }
    phase = .resting
    return true
  }
}
