package import MarketModel

/// Questions without an answer about what is sold from here, over all markets that are known.
package final class UnansweredQuestions {
  /// A question with its market and the name of its product.
  package nonisolated struct Item: Hashable, Sendable {
    package let market: KnownMarket
    package let question: Question
    /// Foreign text; empty where it is not known.
    package let productName: String
  }

  /// The newest first, at most `maxOfEach` of a market.
  @Observed package private(set) var items: [Item] = []
  /// Whether there are more than these.
  @Observed package private(set) var hasMore = false

  private var news: [MarketKey: QuestionNews] = [:]

  /// A market that has said nothing after this time does not answer.
  private static let timeout = Duration.seconds(10)
  /// One less than a page, so that a whole one means more.
  static let maxOfEach = QuestionsRequest.sizes.upperBound - 1

  /// Asks all markets at once in which this computer has an account.
  func look(in markets: Markets) async {
    let looks = markets.all.map { market in
      Task.immediate { await look(at: market, in: markets) }
    }
    for look in looks { await look.value }
  }

  /// Asks one market, and hands on what was not told yet.
  ///
  /// The questions of one that does not answer are left out, which is said where they would stand.
  func look(at market: KnownMarket, in markets: Markets) async {
    guard let probe = markets.probe, let account = await probe.account(in: market) else { return }
    let alerts = markets.program.alerts
    let told = await alerts?.store.toldQuestions(in: market.key)
    let outcome = await MarketTimeout.wait(Self.timeout, on: markets.current.clock) {
      () throws(RepositoryError) in
      try await probe.questions(of: account, in: market, since: told)
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

  /// Whether a question was asked from here and had no answer; true before a market has said anything.
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
  /// Brings what is unanswered above the own products.
  func showUnanswered() {
    guard let items = markets?.unanswered.items else { return }
    selling?.drafts.move { $0.replace(with: items) }
  }

  /// Shows the product of the question that is selected above the own products, in its market.
  package func openQuestion() {
    guard let item = shelf?.selectedQuestion else { return }
    Task.immediate { await goTo(item.market)?.open(item.question.product) }
  }
}
