import Expectations
import MarketModel
import Synchronization
import TestSupport
import Testing

@testable import MarketViewModels

/// What is asked of a market for the questions of an account.
struct QuestionNewsTests {
  /// A market of 300 products with questions in pages of 100.
  private final class QuestionMarket: RepositoryDecorator {
    let repository: any ProductRepository = InMemoryProductRepository(count: 300)
    let hasQuestions: Bool
    let received: [Question]
    let unowned: [Question]
    let asked: [Question]
    let requests = Mutex<[QuestionsRequest.Scope]>([])

    init(
      received: [Question] = [], unowned: [Question] = [], asked: [Question] = [],
      hasQuestions: Bool = true
    ) {
      (self.received, self.unowned, self.asked) = (received, unowned, asked)
      self.hasQuestions = hasQuestions
    }

    func perform<Answer: Sendable>(
      _ operation: RepositoryOperation,
      _ call: @Sendable () async throws(RepositoryError) -> Answer
    ) async throws(RepositoryError) -> Answer { try await call() }

    func capabilities() async throws(RepositoryError) -> RepositoryCapabilities {
      var capabilities = RepositoryCapabilities.full
      capabilities.hasQuestions = hasQuestions
      return capabilities
    }

    func questions(
      _ request: QuestionsRequest
    ) async throws(RepositoryError) -> QuestionPage {
      requests.withLock { $0.append(request.scope) }
      let all =
        switch request.scope {
        case .received: request.reader == nil ? [] : received
        case .unanswered(let ids): unowned.filter { ids.contains($0.product) }
        case .asked: request.reader == nil ? [] : asked
        case .product: [Question]()
        }
      let start = request.after.flatMap { Int($0.rawValue) } ?? 0
      let end = min(all.count, start + request.size)
      return QuestionPage(
        questions: Array(all[start..<end]),
        next: end < all.count ? PageCursor(rawValue: "\(end)") : nil)
    }
  }

  private func question(_ id: Int64, about product: Int64 = 7, answered: Int64? = nil) -> Question {
    Question(
      id: Question.ID(rawValue: id), product: Product.ID(rawValue: product), text: "\(id)",
      asked: Timestamp(seconds: id),
      answer: answered.map { Question.Answer(text: "\(id)", given: Timestamp(seconds: $0)) })
  }

  private func read(
    _ market: QuestionMarket, registered: [Int64] = [], isMadeHere: Bool = false,
    since told: ReportedQuestions? = nil
  ) async throws -> QuestionNews? {
    let account = SellerAccount(
      identifier: SellerIdentifier(secret: "me"),
      registered: registered.map(Product.ID.init(rawValue:)), isMadeHere: isMadeHere)
    return try await QuestionNews.read(
      from: market, as: nil, of: account,
      in: KnownMarket(key: .local, name: nil, location: .local), since: told)
  }

  @Test func `what is sold by the identifier and what was registered without it come once each`()
    async throws
  {
    let market = QuestionMarket(
      received: [question(9), question(5)], unowned: [question(9), question(6, about: 8)])

    let news = try await read(market, registered: [7, 8])

    expect(news?.received.map(\.id.rawValue), [9, 6, 5])
    expect(news?.products.values.map(\.name).sorted(), ["Product 7", "Product 8"])
  }

  @Test func `of many registered products the latest hundred are asked for`() async throws {
    let market = QuestionMarket()

    _ = try await read(market, registered: Array(1...250))

    let latest = (151...250).map { Product.ID(rawValue: $0) }
    #expect(market.requests.withLock { $0 }.contains(.unanswered(latest)))
  }

  @Test func `nothing is asked of a market without questions, nor by numbers where there are none`()
    async throws
  {
    let old = QuestionMarket(received: [question(1)], hasQuestions: false)
    let market = QuestionMarket()

    try await expect(read(old), nil)
    _ = try await read(market)

    expect(old.requests.withLock { $0 }, [])
    expect(market.requests.withLock { $0 }, [.received(onlyUnanswered: true), .asked])
  }

  @Test(arguments: [(nil, false, 100), (nil, true, 250), (200, false, 200), (20, false, 250)])
  func `it is read on as far as questions are new`(
    told: Int64?, isMadeHere: Bool, count: Int
  ) async throws {
    let market = QuestionMarket(received: (1...250).reversed().map { question($0) })
    var known = told.map { _ in ReportedQuestions() }
    known?.question = Question.ID(rawValue: told ?? 0)

    let news = try await read(market, isMadeHere: isMadeHere, since: known)

    expect(news?.received.count, count)
  }

  @Test func `a flood is read for ten pages`() async throws {
    let market = QuestionMarket(received: (1...5_000).reversed().map { question($0) })

    let news = try await read(market, isMadeHere: true)

    expect(news?.received.count, 1_000)
  }

  @Test func `of what was asked from here the answered ones are told, with their product`()
    async throws
  {
    let market = QuestionMarket(
      asked: [question(12), question(4, about: 9, answered: 11), question(3, answered: 10)])

    let news = try await read(market)

    expect(news?.answered.map(\.id.rawValue), [4, 3])
    expect(news?.products.values.map(\.name), ["Product 9"])
    expect(news?.awaited, [Question.ID(rawValue: 12)])
  }
}
