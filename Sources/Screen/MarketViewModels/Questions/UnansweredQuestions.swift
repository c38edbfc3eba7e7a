package import MarketModel

/// Unanswered questions about own products in all known markets.
package final class UnansweredQuestions {
  /// Question with its market and the name of its product.
  package nonisolated struct Item: Hashable, Sendable {
    package let market: KnownMarket
    package let question: Question
    /// Foreign text; empty if it is unknown.
    package let productName: String
  }

  /// Newest first, at most `maxOfEach` of each market.
  @Observed package private(set) var items: [Item] = []
  /// Whether there are more than these.
  @Observed package private(set) var hasMore = false

  private var news: [MarketKey: QuestionNews] = [:]

  /// Maximum time for a market's answer.
  private static let timeout = Duration.seconds(10)
  /// Maximum number for each market; one less than a page, so that a full page means that there are
  /// more.
  static let maxOfEach = QuestionsRequest.sizes.upperBound - 1

  /// Asks all markets in which this computer has an account at the same time.
  func check(in markets: Markets) async {
    let checks = markets.all.map { market in
      Task.immediate { await check(at: market, in: markets) }
    }
    for check in checks { await check.value }
  }

  /// Asks one market and announces the news.
  ///
  /// The questions of a market that does not answer are removed; an error is announced over the own
  /// products.
  func check(at market: KnownMarket, in markets: Markets) async {
    guard let probe = markets.probe, let account = await probe.account(in: market) else { return }
    let alerts = markets.program.alerts
    let reported = await alerts?.store.reportedQuestions(in: market.key)
    let outcome = await MarketTimeout.wait(Self.timeout, on: markets.current.clock) {
      () throws(RepositoryError) in
      try await probe.questions(of: account, in: market, since: reported)
    }
    guard !Task.isCancelled else { return }
    news[market.key] = (try? outcome.get()) ?? nil
    show(in: markets)
    switch outcome {
    case .success(let news): if let news { await alerts?.didReceive(news) }
    case .failure(let error):
      let shown = markets.current
      guard shown.showsMine, shown.market != market.key else { return }
      shown.announce(.elsewhere(.failed(error), market: market.name))
    }
  }

  /// Whether a question from this account had no answer; true before the market has answered.
  func isAwaited(_ question: Question.ID, in market: MarketKey) -> Bool {
    news[market]?.awaited.contains(question) != false
  }

  private func show(in markets: Markets) {
    items = markets.all.flatMap { market in
      let news = news[market.key]
      return (news?.received ?? []).prefix(Self.maxOfEach).map {
        Item(market: market, question: $0, productName: news?.products[$0.product]?.name ?? "")
      }
    }.sorted { $0.question.asked.seconds > $1.question.asked.seconds }
    hasMore = news.values.contains { $0.received.count > Self.maxOfEach }
    for navigator in markets.open { navigator.showUnanswered() }
  }
}

extension Navigator {
  /// Updates the questions above the own products.
  func showUnanswered() {
    guard let items = markets?.unanswered.items else { return }
    selling?.drafts.move { $0.replace(with: items) }
  }

  /// Opens the product of the question that is selected above the own products, in its market.
  package func openQuestion() {
    guard let item = draftList?.selectedQuestion else { return }
    Task.immediate { await goTo(item.market)?.open(item.question.product) }
  }
}
