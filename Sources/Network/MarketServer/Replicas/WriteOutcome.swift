import MarketAPI
import MarketModel

/// Effect of a write's response on later reads of its client, for reads from replicas and stale
/// responses.
enum WriteOutcome: Hashable {
  /// Nothing was changed, and nothing new was shown.
  case none
  /// The outcome is unknown: the connection was lost or timed out after COMMIT was sent.
  case possible
  /// The response showed a change, made by this request or an earlier one.
  case shown
}

extension ServerResponse {
  /// Outcome of the write that this response answers.
  var writeOutcome: WriteOutcome {
    let status = message.status
    if status.isSuccess || status.rawValue == 409 || status == .preconditionFailed { return .shown }
    guard status.rawValue >= 500 else { return .none }
    switch failure {
    case .store(let failure): return failure.leavesChangeOpen ? .possible : .none
    // An unknown error may hide a change.
    default: return .possible
    }
  }
}
