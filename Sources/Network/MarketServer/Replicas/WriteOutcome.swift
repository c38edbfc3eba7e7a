import MarketAPI
import MarketModel

/// What an answer to a change means for whatever its client reads next: the one rule for reads from a
/// standby and for answers of before that stand in.
enum WriteOutcome: Hashable {
  /// Nothing was changed, and nothing shown of the market that may be new.
  case none
  /// Nobody knows whether it was changed.
  case possible
  /// The client was told that the market is changed, by this request or by others before it.
  case shown
}

extension ServerResponse {
  /// What it means as the answer to a change.
  var writeOutcome: WriteOutcome {
    let status = message.status
    if status.isSuccess || status.rawValue == 409 || status == .preconditionFailed { return .shown }
    guard status.rawValue >= 500 else { return .none }
    switch failure {
    case .store(let failure): return failure.leavesChangeOpen ? .possible : .none
    // Who is not told what went wrong has to fear it.
    default: return .possible
    }
  }
}
