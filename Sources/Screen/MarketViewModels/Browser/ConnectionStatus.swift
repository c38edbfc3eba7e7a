internal import MarketModel

/// State of the connection to the market: whether it answers, which failure is announced, and when
/// the next try is.
final class ConnectionStatus {
  /// Retries while the market does not answer.
  let reconnection: Reconnection
  /// Whether the next failure is announced: the user has requested something since the last one.
  private(set) var needsReport = false

  /// List whose pages are announced.
  weak var list: ProductList?
  private let observers: ListObservers

  init(_ reconnection: Reconnection, observers: ListObservers) {
    self.reconnection = reconnection
    self.observers = observers
  }

  /// Has the next failure announced; called for a new query.
  func setNeedsReport() { needsReport = true }

  /// Has the next failure announced and ends the countdown; called when the user reloads.
  func reportPending() {
    needsReport = true
    reconnection.didAsk()
  }

  /// Records the result of a request other than a page; nil is success.
  func didAsk(_ error: RepositoryError?) {
    if let error {
      didNotHear(error)
    } else if reconnection.isNeeded {
      didReceive()
    }
  }

  /// Records the failure of a page.
  /// - Returns: true if the failure has to be announced.
  func didMissPage(_ error: RepositoryError) -> Bool {
    defer { needsReport = false }
    return didNotHear(error)
  }

  /// Records that the market answered.
  func didReceive() {
    let wasSilent = reconnection.didAnswer()
    // The end of a reload is announced, too.
    if list?.feed.isRefreshing != true { needsReport = false }
    if wasSilent { observers.report(.marketAnswered) }
  }

  /// Records a failure; true if it has to be announced.
  ///
  /// Cancellation is none.
  @discardableResult private func didNotHear(_ error: RepositoryError) -> Bool {
    guard error != .cancelled else { return false }
    let isNews = needsReport || !reconnection.isNeeded
    reconnection.didFail(error)
    return isNews
  }
}
