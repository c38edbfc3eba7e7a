import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

/// Questions about products, over both databases.
struct QuestionTests {
  private static let seller = SellerIdentifier(secret: "seller")
  private static let asker = SellerIdentifier(secret: "asker")
  private static let other = SellerIdentifier(secret: "other")

  /// A market with a product of the seller, which costs 10,000 won.
  private func product(in store: any StoredMarket) async throws -> Product.ID {
    try await store.register(
      .sample(password: "secret"), by: .seller(Self.seller),
      key: IdempotencyKey(rawValue: "product")
    ).id
  }

  private func ask(
    _ text: String, _ offer: Int64? = nil, about id: Product.ID, in store: any StoredMarket,
    by asker: SellerIdentifier = asker, key: String? = nil
  ) async throws(RepositoryError) -> Question {
    try await store.ask(
      NewQuestion(text: text, offerHundredths: offer), about: id, by: asker,
      key: IdempotencyKey(rawValue: key ?? text))
  }

  @Test(arguments: Database.allCases)
  func `what is asked stands with its product, the oldest first, and is counted`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)

    let first = try await ask("Is it still there?", 8_000_00, about: id, in: store)
    let second = try await ask("Which size?", about: id, in: store, by: Self.other)
    let page = try await store.questions(
      QuestionsRequest(.product(id), by: Self.asker, size: 1))
    let rest = try await store.questions(
      QuestionsRequest(.product(id), by: Self.asker, after: page.next, size: 1))
    let detail = try await store.detail(of: id)

    #expect(page.questions == [first] && rest.questions.map(\.id) == [second.id])
    #expect(first.isOwn && rest.questions.map(\.isOwn) == [false] && rest.next == nil)
    #expect(first.offer == Money(hundredths: 8_000_00, currency: .krw) && first.asker == nil)
    #expect(detail.questionCount == 2 && detail.unansweredCount == 2)
  }

  @Test(arguments: Database.allCases)
  func `a question that is sent again exists once, and another one with its key is refused`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)

    let first = try await ask("Is it still there?", about: id, in: store, key: "a")
    let again = try await ask("Is it still there?", about: id, in: store, key: "a")

    expect(first.id, again.id)
    await #expect(throws: RepositoryError.keyReused) {
      try await ask("Something else?", about: id, in: store, key: "a")
    }
    try await expect(store.detail(of: id).questionCount, 1)
  }

  @Test(arguments: Database.allCases)
  func `the key of a question that was taken back answers as it did, and keeps no text`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)
    let first = try await ask("Is it still there?", 8_000_00, about: id, in: store, key: "a")
    try await store.deleteQuestion(first.id, by: .seller(Self.asker), password: nil)

    try await expect(ask("Is it still there?", 8_000_00, about: id, in: store, key: "a"), first)
    await #expect(throws: RepositoryError.keyReused) {
      try await ask("Is it still there?", 7_000_00, about: id, in: store, key: "a")
    }
    try await expect(store.detail(of: id).questionCount, 0)
    await #expect(throws: RepositoryError.notFound) {
      try await store.product(ofQuestion: first.id)
    }
    // So it does when the product is deleted, with all questions about it.
    _ = try await store.delete(id, password: Password("secret"), by: .seller(Self.seller))
    try await expect(ask("Is it still there?", 8_000_00, about: id, in: store, key: "a"), first)
  }

  @Test(arguments: Database.allCases)
  func `a product takes ten thousand questions with 32 MB of text, hidden ones too`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)
    let first = try await ask("One", about: id, in: store)
    func set(_ counts: String) throws {
      try market.run("UPDATE question_count SET \(counts) WHERE product = \(id.rawValue)")
    }

    try set("stored = \(QuestionRules.perProduct - 1)")
    _ = try await ask("Two", about: id, in: store)
    await #expect(throws: RepositoryError.questionRefused(.full)) {
      try await ask("Three", about: id, in: store)
    }
    try set("stored = 2, bytes = \(QuestionRules.bytesPerProduct - 5)")
    _ = try await ask("Three", about: id, in: store)
    await #expect(throws: RepositoryError.questionRefused(.full)) {
      try await ask("4", about: id, in: store)
    }
    await #expect(throws: RepositoryError.questionRefused(.full)) {
      try await store.answer(
        first.id, with: NewAnswer(text: "Yes."), by: .seller(Self.seller), password: nil)
    }
    // What is deleted makes room.
    try await store.removeQuestion(first.id)
    _ = try await ask("4", about: id, in: store)
  }

  @Test(arguments: Database.allCases)
  func `nobody asks about an own product, about what is sold, or offers more than the price`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)
    let price = try #require(try await store.detail(of: id).product.pricing.price?.toPay)

    await #expect(throws: RepositoryError.questionRefused(.ownProduct)) {
      try await ask("Mine?", about: id, in: store, by: Self.seller)
    }
    await #expect(
      throws: RepositoryError.invalid([
        FieldError(.price, .abovePrice(priceHundredths: price.hundredths))
      ])
    ) {
      try await ask("Too much", price.hundredths + 100, about: id, in: store)
    }
    await #expect(throws: RepositoryError.invalid([FieldError(.price, .notWhole)])) {
      try await ask("Half a won?", 50, about: id, in: store)
    }
    await #expect(
      throws: RepositoryError.invalid([
        FieldError(.description, .missing), FieldError(.price, .negative),
      ])
    ) {
      try await ask("  ", 0, about: id, in: store)
    }
    var patch = ProductPatch()
    patch.stock = 0
    _ = try await store.update(
      id, with: patch, password: Password("secret"), by: .seller(Self.seller), expecting: nil)
    await #expect(throws: RepositoryError.questionRefused(.sold)) {
      try await ask("Too late", about: id, in: store)
    }
  }

  @Test(arguments: Database.allCases)
  func `the seller answers by the identifier, others by the password, and an answer may reserve`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)
    let question = try await ask("Is it still there?", about: id, in: store)
    let before = try await store.detail(of: id)

    await #expect(throws: RepositoryError.notOwner) {
      try await store.answer(
        question.id, with: NewAnswer(text: "No."), by: .seller(Self.other), password: nil)
    }
    await #expect(throws: RepositoryError.wrongPassword) {
      try await store.answer(
        question.id, with: NewAnswer(text: "No."), by: .guest, password: Password("wrong"))
    }
    let answered = try await store.answer(
      question.id, with: NewAnswer(text: "Yes."), by: .seller(Self.seller), password: nil)
    let unchanged = try await store.detail(of: id)
    let reserved = try await store.answer(
      question.id, with: NewAnswer(text: "Yes, it is yours.", reserves: true), by: .guest,
      password: Password("secret"))
    let after = try await store.detail(of: id)

    #expect(answered.answer?.text == "Yes." && reserved.answer?.text == "Yes, it is yours.")
    #expect(unchanged.version == before.version && unchanged.unansweredCount == 0)
    #expect(after.product.isReserved && after.version != before.version)
  }

  @Test(arguments: Database.allCases)
  func `an answer is changed for ten minutes, and the same one may come later`(
    _ database: Database
  ) async throws {
    let clock = SecondsClock()
    let market = try await ContractMarket(database, MarketOptions(now: { clock.seconds }))
    let store = market.store
    let id = try await product(in: store)
    let question = try await ask("Is it still there?", about: id, in: store)
    func answer(_ text: String) async throws(RepositoryError) -> Question {
      try await store.answer(
        question.id, with: NewAnswer(text: text), by: .seller(Self.seller), password: nil)
    }

    _ = try await answer("Yes.")
    clock.seconds += Question.editableSeconds + 1

    try await expect(answer("Yes.").answer?.text, "Yes.")
    await #expect(throws: RepositoryError.questionRefused(.tooLate)) { try await answer("No.") }
  }

  @Test(arguments: Database.allCases)
  func `an asker takes a question back while it has no answer, its seller deletes any`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)
    let questions = [
      try await ask("One", about: id, in: store), try await ask("Two", about: id, in: store),
      try await ask("Three", about: id, in: store),
    ]
    _ = try await store.answer(
      questions[1].id, with: NewAnswer(text: "Yes."), by: .seller(Self.seller), password: nil)
    func delete(
      _ index: Int, _ author: Author, _ password: Password? = nil
    ) async throws(RepositoryError) {
      try await store.deleteQuestion(questions[index].id, by: author, password: password)
    }

    await #expect(throws: RepositoryError.notOwner) { try await delete(0, .seller(Self.other)) }
    try await delete(0, .seller(Self.asker))
    await #expect(throws: RepositoryError.questionRefused(.answered)) {
      try await delete(1, .seller(Self.asker))
    }
    try await delete(1, .seller(Self.seller))
    await #expect(throws: RepositoryError.wrongPassword) {
      try await delete(2, .guest, Password("wrong"))
    }
    try await delete(2, .guest, Password("secret"))

    try await expect(store.detail(of: id).questionCount, 0)
    await #expect(throws: RepositoryError.notFound) { try await delete(2, .seller(Self.asker)) }
  }

  @Test(arguments: Database.allCases)
  func `sellers find what they were asked, askers what they asked, and a blocked one is hidden`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)
    let first = try await ask("One", about: id, in: store)
    let second = try await ask("Two", about: id, in: store, by: Self.other)
    _ = try await store.answer(
      first.id, with: NewAnswer(text: "Yes."), by: .seller(Self.seller), password: nil)
    func ids(
      _ scope: QuestionsRequest.Scope, _ reader: SellerIdentifier?
    ) async throws -> [Question.ID] {
      try await store.questions(QuestionsRequest(scope, by: reader)).questions.map(\.id)
    }

    try await expect(ids(.received(onlyUnanswered: false), Self.seller), [second.id, first.id])
    try await expect(ids(.received(onlyUnanswered: true), Self.seller), [second.id])
    try await expect(ids(.unanswered([id]), nil), [second.id])
    try await expect(ids(.asked, Self.asker), [first.id])
    let number = try #require(try await store.seller(of: Self.other)?.id)
    _ = try await store.setBlocked(true, number)
    try await expect(ids(.received(onlyUnanswered: true), Self.seller), [])
    try await expect(store.detail(of: id).questionCount, 1)
    await #expect(throws: RepositoryError.blocked) {
      try await ask("Three", about: id, in: store, by: Self.other)
    }
    await #expect(throws: RepositoryError.blocked) {
      try await store.deleteQuestion(second.id, by: .seller(Self.other), password: nil)
    }
    let seller = try #require(try await store.seller(of: Self.seller)?.id)
    _ = try await store.setBlocked(true, seller)
    await #expect(throws: RepositoryError.blocked) {
      try await store.deleteQuestion(first.id, by: .seller(Self.seller), password: nil)
    }
  }

  @Test(arguments: Database.allCases)
  func `each step is a change of its own, and the questions go with their product`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)
    let start = try await store.changes(after: nil, atMost: 1).cursor
    let question = try await ask("One", about: id, in: store)
    _ = try await store.answer(
      question.id, with: NewAnswer(text: "Yes."), by: .seller(Self.seller), password: nil)
    try await store.removeQuestion(question.id)
    let last = try await ask("Two", about: id, in: store)

    let changes = try await store.changes(after: start, atMost: 10).changes
    _ = try await store.delete(id, password: Password("secret"), by: .seller(Self.seller))

    let kinds: [QuestionChange.Kind] = changes.compactMap { change in
      if case .question(let change) = change { change.kind } else { nil }
    }
    expect(kinds, [.asked, .answered, .deleted, .asked])
    await #expect(throws: RepositoryError.notFound) {
      try await store.product(ofQuestion: last.id)
    }
  }

  @Test(arguments: Database.allCases)
  func `questions and products are told in one order`(_ database: Database) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)
    let start = try await store.changes(after: nil, atMost: 10).cursor
    let question = try await ask("One", about: id, in: store)
    let edited = try await store.update(
      id, with: ProductPatch(stock: 3), password: Password("secret"), by: .seller(Self.seller),
      expecting: nil)
    _ = try await store.answer(
      question.id, with: NewAnswer(text: "Yes.", reserves: true), by: .seller(Self.seller),
      password: Password("secret"))

    let all = try await store.changes(after: start, atMost: 10)
    let nothing = try await store.changes(after: all.cursor, atMost: 10)
    var pieces: [MarketChange] = []
    var cursor = start
    while pieces.count < 4 {
      let piece = try await store.changes(after: cursor, atMost: 1)
      (cursor, pieces) = (piece.cursor, pieces + piece.changes)
    }

    expect(all.changes.map(\.word), ["asked", "changed", "answered", "changed"])
    #expect(nothing.changes.isEmpty)
    expect(pieces, all.changes)
    #expect(edited.version != nil)
  }

  @Test(arguments: Database.allCases)
  func `one asks twenty times a day about a product, and as often about another`(
    _ database: Database
  ) async throws {
    let clock = SecondsClock()
    let market = try await ContractMarket(database, MarketOptions(now: { clock.seconds }))
    let store = market.store
    let id = try await product(in: store)
    let another = try await store.register(.sample(), by: .guest).id
    for number in 1...QuestionRules.askedInPeriod {
      _ = try await ask("Question \(number)", about: id, in: store)
      clock.seconds += 60
    }

    await #expect(
      throws: RepositoryError.tooManyRequests(retryAfterSeconds: 86_400 - 20 * 60)
    ) {
      try await ask("One more", about: id, in: store)
    }
    // What is sent again is no new one.
    _ = try await ask("Question 1", about: id, in: store)
    _ = try await ask("One more", about: id, in: store, by: Self.other)
    _ = try await ask("One more there", about: another, in: store)
    clock.seconds += 86_400 - 20 * 60
    _ = try await ask("The next day", about: id, in: store)
  }

  @Test(arguments: Database.allCases)
  func `nothing is reserved by an identifier alone`(_ database: Database) async throws {
    let market = try await ContractMarket(database)
    let id = try await product(in: market.store)
    let question = try await ask("Mine?", about: id, in: market.store)

    await #expect(throws: RepositoryError.wrongPassword) {
      try await market.store.answer(
        question.id, with: NewAnswer(text: "Yes.", reserves: true), by: .seller(Self.seller),
        password: nil)
    }
    let detail = try await market.store.detail(of: id)
    #expect(!detail.product.isReserved && detail.unansweredCount == 1)
  }

  @Test(arguments: Database.allCases)
  func `a product that is closed to questions takes no new ones, and old ones are answered`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)
    let question = try await ask("One", about: id, in: store)
    var patch = ProductPatch()
    patch.areQuestionsClosed = true
    let closed = try await store.update(
      id, with: patch, password: Password("secret"), by: .seller(Self.seller), expecting: nil)

    await #expect(throws: RepositoryError.questionRefused(.closed)) {
      try await ask("Two", about: id, in: store)
    }
    let answered = try await store.answer(
      question.id, with: NewAnswer(text: "Yes."), by: .seller(Self.seller), password: nil)
    #expect(closed.areQuestionsClosed && answered.answer != nil)
  }

  @Test(arguments: Database.allCases)
  func
    `of as many questions as a product takes all costs what that of twenty does`(
      _ database: Database
    ) async throws
  {
    let market = try await ContractMarket(database)
    let store = market.store
    let few = try await product(in: store)
    let many = try await store.register(.sample(password: "secret"), by: .guest).id
    let asker = try #require(
      try await {
        _ = try await ask("First", about: few, in: store)
        return try await store.seller(of: Self.asker)?.id
      }())
    // Of one asker, which is the worst case but for the limit, by which time has passed.
    for (product, count) in [(few, 20), (many, QuestionRules.perProduct - 10)] {
      try market.run(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
          + "INSERT INTO question (product, seller, asker, text, asked, answer, answered) "
          + "SELECT \(product.rawValue), 0, \(asker.rawValue), 'Still there?', 1, 'Yes.', 2 FROM n")
    }
    // As a database does by itself before long.
    if database == .postgres { try market.run("ANALYZE") }
    func leastTime(_ body: () async throws -> Void) async rethrows -> Duration {
      var least = Duration.seconds(60)
      for _ in 1...5 {
        let start = ContinuousClock.now
        try await body()
        least = min(least, .now - start)
      }
      return least
    }
    func times(_ id: Product.ID) async throws -> [Duration] {
      [
        try await leastTime {
          _ = try await store.questions(
            QuestionsRequest(.product(id), after: PageCursor(rawValue: "0.19")))
        },
        try await leastTime { _ = try await store.detail(of: id) },
        try await leastTime { _ = try await store.questions(QuestionsRequest(.unanswered([id]))) },
        try await leastTime {
          _ = try await ask("\(UInt64.random(in: 0 ... .max))", about: id, in: store)
        },
      ]
    }

    let all = [try await times(few), try await times(many)]

    // A scan takes some ten times as long.
    for (less, more) in zip(all[0], all[1]) {
      #expect(more < less * 3 + .milliseconds(3), "page, detail, unanswered, ask: \(all)")
    }
  }

  @Test(arguments: Database.allCases, [3, 11])
  func `whatever is asked, answered, deleted and blocked, the counts are right`(
    _ database: Database, seed: UInt64
  ) async throws {
    var random = SeededRandom(seed: seed)
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store)
    let askers = [Self.asker, Self.other]
    var known: [Question.ID] = []

    for step in 1...60 {
      do throws(RepositoryError) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1, 2:
          let asker = askers[Int.random(in: 0..<2, using: &random)]
          known.append(try await ask("Question \(step)", about: id, in: store, by: asker).id)
        case 3:
          guard let question = known.randomElement(using: &random) else { continue }
          _ = try await store.answer(
            question, with: NewAnswer(text: "Yes."), by: .seller(Self.seller), password: nil)
        case 4:
          guard let question = known.randomElement(using: &random) else { continue }
          try await store.removeQuestion(question)
        default:
          let asker = askers[Int.random(in: 0..<2, using: &random)]
          guard let number = try await store.seller(of: asker)?.id else { continue }
          _ = try await store.setBlocked(Bool.random(using: &random), number)
        }
      } catch {
        #expect(
          [.blocked, .notFound].contains(error) || error.isTooMany, "\(error), seed \(seed)")
      }
      let detail = try await store.detail(of: id)
      let shown = try await store.questions(QuestionsRequest(.product(id), size: 100)).questions
      expect(detail.questionCount, shown.count, "step \(step), seed \(seed)")
      expect(detail.unansweredCount, shown.count { $0.answer == nil })
    }
    try market.expectConsistent()
  }
}

extension MarketChange {
  /// What has happened, in a word.
  fileprivate var word: String {
    switch self {
    case .product(let change): change.kind.rawValue
    case .question(let change): change.kind.rawValue
    case .seller: "seller"
    }
  }
}

extension RepositoryError {
  fileprivate var isTooMany: Bool { if case .tooManyRequests = self { true } else { false } }
}
