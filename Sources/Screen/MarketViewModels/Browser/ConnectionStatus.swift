internal import MarketModel

/// Contact with the market: whether it answers, who has to be told that it does not, and when it is
/// asked again.
final class ConnectionStatus {
  /// Counts down to the next question where the market does not answer.
  let reconnection: Reconnection
  /// Whether somebody asked just now and has to be told what came of it.
  private(set) var needsReport = false

  private let list: BrowsedList
  private let observers: ListObservers

  init(_ reconnection: Reconnection, to list: BrowsedList, observers: ListObservers) {
    self.reconnection = reconnection
    self.list = list
    self.observers = observers
  }

  /// Somebody wants to see something else and waits for it.
  func setNeedsReport() { needsReport = true }

  /// Somebody asks for the same again, so that no countdown is waited for.
  func reportPending() {
    needsReport = true
    reconnection.didAsk()
  }

  /// Takes note of what came of a question that was no page of the list; nil is an answer.
  func didAsk(_ error: RepositoryError?) {
    if let error {
      didNotHear(error)
    } else if reconnection.isNeeded {
      didReceive()
    }
  }

  /// Takes note that a page did not come, of which nobody has to be told later; true where that has to
  /// be said now.
  func didMissPage(_ error: RepositoryError) -> Bool {
    defer { needsReport = false }
    return didNotHear(error)
  }

  /// Takes note that the market answered.
  func didReceive() {
    let wasSilent = reconnection.didAnswer()
    // What is still being read again has to be told of at its end.
    if !list.feed.isRefreshing { needsReport = false }
    if wasSilent { observers.tell(.marketAnswered) }
  }

  /// Takes note that the market was asked in vain; true where that has to be said.
  @discardableResult private func didNotHear(_ error: RepositoryError) -> Bool {
    guard error != .cancelled else { return false }
    let isNews = needsReport || !reconnection.isNeeded
    reconnection.didFail(error)
    return isNews
  }
}
