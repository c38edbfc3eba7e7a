internal import MarketModel

/// Observer of a list that passes its market's changes to the selling flow, the alerts and the
/// notices.
final class NewsObserver: ListObserver {
  private let navigator: Navigator

  init(on navigator: Navigator) { self.navigator = navigator }

  func didReceive(_ news: ListNews) {
    switch news {
    case .changed(let changes):
      let products = changes.compactMap(\.product)
      for change in products { navigator.selling?.didSee(change) }
      navigator.program.alerts?.didReceive(products, in: navigator.market)
      if changes.contains(where: concernsOwn) {
        navigator.program.alerts?.didReceiveQuestions(in: navigator.market)
      }
    case .marketAnswered: didAnswer()
    case .reserved(let products): navigator.announce(.reserved(products.map(\.name)))
    case .countdownEnded, .changedHere, .readRows, .gone, .readDetail: break
    }
  }

  func didRead(isTop: Bool) {
    guard isTop, navigator.showsMine, let markets = navigator.markets else { return }
    Task.immediate { await markets.unanswered.check(in: markets) }
  }

  /// Whether a change is of a question about an own product, or answers one that was asked with this
  /// account.
  private func concernsOwn(_ change: MarketChange) -> Bool {
    guard case .question(let change) = change, let account = navigator.selling?.account else {
      return false
    }
    return change.seller == account.seller?.id || account.registered.contains(change.product)
      || change.kind == .answered
        && navigator.markets?.unanswered.isAwaited(change.id, in: navigator.market) == true
  }

  private func didAnswer() {
    navigator.gallery.forgetFailures()
    switch navigator.notice {
    // These notices already say that the market answers.
    case .registered, .sold: break
    default: navigator.announce(.hint(.marketAnswers))
    }
  }
}
