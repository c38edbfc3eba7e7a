internal import MarketModel

extension Navigator {
  /// Records the open product in the history and reads its questions; called after a frame.
  package func didShowDetail() {
    if browser.capabilities?.hasQuestions == true, case .loaded(let detail) = browser.detail.phase {
      browser.detail.questions.read(
        about: detail.product.id, count: detail.questionCount, by: selling?.account.identifier)
    }
    guard let store = program.personal, let product = browser.detail.takeUnnoted() else { return }
    let market = favoriteMarket
    Task { await store.didView(product, of: market) }
  }
}
