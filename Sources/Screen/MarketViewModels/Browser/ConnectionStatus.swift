internal import MarketModel

/// Contact with the market: whether it answers, who has to be told that it does not, and what is asked
/// again.
final class ConnectionStatus {
  /// Asks again by itself where the market does not answer.
  let reconnection: Reconnection
  /// Whether somebody asked just now and has to be told what came of it.
  private(set) var needsReport = false
  /// Asks again for what failed.
  var askAgain: () -> Void = {}
  /// Learns that the market answers after it had not.
  var didReturn: () -> Void = {}

  init(_ reconnection: Reconnection) {
    self.reconnection = reconnection
  }

  /// Somebody wants to see something else and waits for it.
  func setNeedsReport() { needsReport = true }

  /// Somebody asks for the same again, so that no countdown is waited for.
  func reportPending() {
    needsReport = true
    reconnection.didAsk()
  }

  /// Takes note that the market was asked in vain; true where that has to be said.
  @discardableResult func didNotHear(_ error: RepositoryError) -> Bool {
    guard error != .cancelled else { return false }
    let isNews = needsReport || !reconnection.isNeeded
    reconnection.didFail(error) { [weak self] in self?.askAgain() }
    return isNews
  }

  /// Takes note that a page did not come, of which nobody has to be told later; true where that has to
  /// be said now.
  func didMissPage(_ error: RepositoryError) -> Bool {
    defer { needsReport = false }
    return didNotHear(error)
  }

  /// Takes note that the market answered; `isThrough` where nothing more is on its way of what
  /// somebody asked for.
  func didReceive(isThrough: Bool) {
    let wasSilent = reconnection.didAnswer()
    if isThrough { needsReport = false }
    if wasSilent { didReturn() }
  }
}
