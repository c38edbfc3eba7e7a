package import MarketModel

extension SellerAccount {
  /// Scopes of received questions: those to the identifier, and unanswered ones about products that
  /// were registered without it.
  package func received(onlyUnanswered: Bool) -> [QuestionsRequest.Scope] {
    let registered = Array(registered.suffix(ProductQuery.maxIDs))
    return [.received(onlyUnanswered: onlyUnanswered)]
      + (registered.isEmpty ? [] : [.unanswered(registered)])
  }
}

extension QuestionNews {
  /// Maximum number of pages of one scope; further questions are ignored.
  private static let maxPages = 10

  /// Reads the news of an account's questions; nil if the market has no questions.
  ///
  /// `reported` is the state that was last announced; nil before the first check.
  /// - Throws: what `capabilities()`, `questions(_:)` and `page(_:)` of the repository throw.
  package static func read(
    from repository: any ProductRepository, as identity: (any IdentifiedMarket)?,
    of account: SellerAccount, in market: KnownMarket, since reported: ReportedQuestions?
  ) async throws(RepositoryError) -> QuestionNews? {
    guard try await repository.capabilities().hasQuestions else { return nil }
    var news = QuestionNews(
      market: market.key, location: market.location.text, tellsAll: account.isMadeHere)
    news.marketID = (try? await identity?.marketID()) ?? nil
    let reported = reported ?? (account.isMadeHere ? ReportedQuestions() : nil)
    for scope in account.received(onlyUnanswered: true) {
      let request = QuestionsRequest(scope, by: account.identifier)
      news.received += try await read(request, from: repository) {
        reported?.mayBeLate($0.id) == true
      }
    }
    news.received = Set(news.received).sorted { $0.id > $1.id }
    let request = QuestionsRequest(.asked, by: account.identifier)
    let asked = try await read(request, from: repository) { question in
      reported?.mayBeLate((question.answer?.given ?? question.asked).seconds) == true
    }
    news.answered = asked.filter { $0.answer != nil }
    news.awaited = Set(asked.filter { $0.answer == nil }.map(\.id))
    let latest = news.answered.first { reported?.lacksAnswer(to: $0) != false }
    let named = [latest].compactMap(\.self) + news.received
    let ids = Set(named.prefix(ProductQuery.maxIDs).map(\.product)).sorted()
    guard !ids.isEmpty else { return news }
    let products = PageRequest(query: ProductQuery(ids: ids), size: ids.count)
    for product in try await repository.page(products).products {
      news.products[product.id] = product
    }
    return news
  }

  /// Reads the first page, and further ones while the last question of a page is new.
  private static func read(
    _ request: QuestionsRequest, from repository: any ProductRepository,
    while isNew: (Question) -> Bool
  ) async throws(RepositoryError) -> [Question] {
    var request = request
    request.size = QuestionsRequest.sizes.upperBound
    var questions: [Question] = []
    for _ in 0..<maxPages {
      let page = try await repository.questions(request)
      questions += page.questions
      guard page.next != nil, page.questions.last.map(isNew) == true else { break }
      request.after = page.next
    }
    return questions
  }
}
