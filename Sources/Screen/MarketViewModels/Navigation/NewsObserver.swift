internal import MarketModel

/// Observer of a list that passes on what happens in its market to what lies beside the list.
final class NewsObserver: ListObserver {
  private let navigator: Navigator

  init(on navigator: Navigator) { self.navigator = navigator }

  func didReceive(_ news: ListNews) {
    switch news {
    case .changed(let changes):
      let products = changes.compactMap(\.product)
      for change in products { navigator.selling?.didSee(change) }
      navigator.program.alerts?.didReceive(products, in: navigator.market)
    case .marketAnswered: didAnswer()
    case .reserved(let products): navigator.announce(.reserved(products.map(\.name)))
    case .countdownEnded, .changedHere, .readRows, .gone, .readDetail: break
    }
  }

  private func didAnswer() {
    navigator.gallery.forgetFailures()
    switch navigator.notice {
    // That it came there says as much.
    case .registered, .sold: break
    default: navigator.announce(.hint(.marketAnswers))
    }
  }
}
