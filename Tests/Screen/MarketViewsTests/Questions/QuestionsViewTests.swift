import Expectations
import MarketModel
import MarketStrings
import MarketViews
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

@testable import MarketViewModels

/// Questions below a product, in their list, and the keys that ask and answer.
struct QuestionsViewTests {
  private static let hana = Seller(id: Seller.ID(rawValue: 2), name: "Hana")
  private static let me = Seller(id: Seller.ID(rawValue: 7), name: "하나")
  private static let long = (1...60).map { "word\($0)" }.joined(separator: " ")

  private static func question(
    _ id: Int64, _ text: String = "Is it still there?", by asker: String? = "Mina",
    offer: Int64? = nil, answer: String? = nil, isOwn: Bool = false
  ) -> Question {
    .sample(
      id, about: 66, text, offer: offer, by: asker, answer: answer, isOwn: isOwn,
      at: Stage.now.seconds - 3_600)
  }

  /// A stage on which a product with these questions is open.
  private func stage(
    _ questions: [Question], count: Int? = nil, of seller: Seller = hana, stock: Int64 = 1,
    text: String = "As good as new.", repository: GatedProductRepository = GatedProductRepository()
  ) async throws -> Stage {
    let stage = Stage(repository: repository, sells: true)
    let product = Product.sample(id: 66, seller: seller, price: 180_000, stock: stock)
    try await stage.show([product])
    try await stage.signIn()
    stage.press(.enter)
    var detail = ProductDetail.sample(of: product, description: text)
    detail.questionCount = count ?? questions.count
    try await stage.repository.details.next().answer(detail)
    await until { stage.browser.detail.isComplete }
    _ = stage.lines(120, 36)
    guard !questions.isEmpty else { return stage }
    let page = QuestionPage(
      questions: questions, next: count.map { _ in PageCursor(rawValue: "\(questions.count)") })
    try await stage.repository.questions.next().answer(page)
    if count != nil { try await stage.repository.details.next().answer(detail) }
    await until { stage.browser.detail.questions.page(about: product.id)?.questions != [] }
    return stage
  }

  private func block(_ lines: [String]) -> [String] {
    lines.drop { !$0.contains("Questions (") }.prefix { !$0.contains("ermanent") }
      .map { String($0.dropFirst(63)) }.filter { !$0.isEmpty && !$0.contains("More from") }
  }

  @Test func `the list of questions shows the product's picture beside the selected one`()
    async throws
  {
    let stage = Stage(sells: true)
    let picture = Picture(original: "cup", thumbnail: "cup")
    let product = Product.sample(id: 66, seller: Self.hana, thumbnail: picture)
    try await stage.show([product])
    stage.press(.enter)
    var detail = ProductDetail.sample(of: product)
    detail.questionCount = 1
    try await stage.repository.details.next().answer(detail)
    await until { stage.browser.detail.isComplete }
    _ = stage.lines(120, 36)
    try await stage.repository.questions.next().answer(
      QuestionPage(questions: [Self.question(1)], next: nil))
    await until { stage.browser.detail.questions.page(about: product.id)?.questions != [] }

    stage.press("Q")
    _ = stage.lines(120, 36)

    #expect(stage.top is QuestionsModel)
    expect(stage.screen(120, 36).wants.map(\.picture), [picture])
  }

  // MARK: Below a product

  @Test func `questions stand under the seller with their answers, newest last`() async throws {
    let stage = try await stage([
      Self.question(1, offer: 170_000, answer: "Yes."), Self.question(2, "Which size?", by: nil),
    ])

    expect(
      block(stage.lines(120, 36, .english)).prefix(5),
      [
        "Questions (2)                                    Q all 2",
        "  Mina · 1 hour ago    Is it still there? Offers",
        "                       ₩170,000",
        "    Seller · just now  Yes.",
        "  guest · 1 hour ago   Which size?",
      ])
  }

  @Test func `nobody's name or text stands where an answer's mark does`() async throws {
    let stage = try await stage([
      Self.question(1, "one\n    Seller · 1 min ago  Yes.", by: "  Seller"),
      Self.question(2, String(repeating: "Seller · 1 min ago ", count: 9), answer: "No."),
    ])

    let lines = block(stage.lines(120, 36, .english))

    expect(lines.count { $0.hasPrefix("    ") && !$0.hasPrefix("     ") }, 1)
    #expect(lines.contains { $0.hasPrefix("    Seller") && $0.hasSuffix("  No.") })
    #expect(lines.contains { $0.hasPrefix("  Seller · 1 hour ago") && $0.contains("  one ") })
  }

  @Test func `a long one folds to two lines, and keeps its offer`() async throws {
    let stage = try await stage([Self.question(1, Self.long, offer: 9_000)])

    let lines = block(stage.lines(120, 36, .english))

    #expect(lines.count >= 3 && lines[2].hasSuffix("… Offers ₩9,000"))
    #expect(!lines.joined().contains("word20"))
  }

  @Test func `one's own and, on one's own product, unanswered ones are marked`() async throws {
    let asker = try await stage([Self.question(1, isOwn: true)])
    let seller = try await stage([Self.question(1), Self.question(2, answer: "Yes.")], of: Self.me)

    #expect(block(asker.lines(120, 36, .english))[1].hasPrefix("  Mina (you) · 1 hour ago"))
    let marked = block(seller.lines(120, 36, .english))
    #expect(marked[1].hasPrefix("• Mina") && marked[2].hasPrefix("  Mina"))
  }

  @Test func `where there is no room fewer stand there, under how many there are`() async throws {
    let questions = (1...20).map { Self.question($0) }
    let stage = try await stage(
      questions, count: 100_000, text: (1...18).map { "Line \($0)." }.joined(separator: "\n"))

    let high = stage.lines(120, 45, .english)
    let low = stage.lines(120, 30, .english)

    #expect(high.contains { $0.contains("Questions (100,000)") && $0.hasSuffix("Q all 100,000") })
    #expect((3..<20).contains(high.count { $0.contains("Is it still there?") }))
    #expect(low.contains { $0.hasSuffix("Q all 100,000") })
    #expect((0..<3).contains(low.count { $0.contains("Is it still there?") }))
    #expect(!low.dropLast().joined().contains("▾"))
  }

  // MARK: Keys

  private func footer(_ stage: Stage) -> String { stage.lines(160, 45, .english).last ?? "" }

  @Test func `a asks where one may, and says elsewhere why not`() async throws {
    let other = try await stage([])
    let sold = try await stage([], stock: 0)
    let own = try await stage([], of: Self.me)
    var capabilities = RepositoryCapabilities.full
    capabilities.hasQuestions = false
    let without = try await stage(
      [], repository: GatedProductRepository(capabilities: capabilities))

    #expect(footer(other).contains("a Ask") && !footer(other).contains("Q Questions"))
    for (stage, hint) in [
      (sold, Notice.Hint.questionRefused(.sold)), (own, .questionRefused(.ownProduct)),
      (without, .noQuestions),
    ] {
      #expect(!footer(stage).contains("a Ask"))
      stage.press("a")
      let reason = Strings(.korean)[NoticeText.phrase(for: hint)]
      expect(stage.navigator.notice, .words("질문하기: " + reason))
      #expect(stage.form == nil)
    }
  }

  @Test func `a answers the oldest open question about an own product, and the selected one`()
    async throws
  {
    let questions = [Self.question(1, answer: "Yes."), Self.question(2), Self.question(3)]
    let stage = try await stage(questions, of: Self.me)
    #expect(footer(stage).contains("a Answer"))

    for (keys, id) in [(["a"], 2), (["Q", "G", "a"], 3)] as [([KeyPress], Int64)] {
      stage.type(keys.map(InputEvent.key))
      let product = Product.sample(id: 66, seller: Self.me, price: 180_000)
      try await stage.repository.details.next().answer(.sample(of: product))
      await until { stage.form != nil }
      guard case .answer(let question, _) = stage.form?.purpose else {
        Issue.record("no answer is asked for")
        return
      }
      expect(question.id.rawValue, id)
      stage.press(.escape)
      await until { stage.form == nil }
    }
  }

  @Test func `the list shows each whole, reads on at its end, and answers what is one's own`()
    async throws
  {
    let questions = (1...20).map { Self.question($0, $0 == 1 ? Self.long : "Which size?") }
    let stage = try await stage(questions, count: 30, of: Self.me)
    stage.press("Q")
    let lines = stage.lines(160, 45, .english)
    #expect(lines[0].contains("Questions (30)") && lines.joined().contains("word60"))
    #expect(footer(stage).contains("↵ Answer") && !footer(stage).contains("a Ask"))

    stage.press("G")
    let more = try await stage.repository.questions.next()
    expect(more.request.after?.rawValue, "20")
    stage.press("g", .enter)
    let product = Product.sample(id: 66, seller: Self.me, price: 180_000)
    try await stage.repository.details.next().answer(.sample(of: product))
    await until { stage.form != nil }

    let box = stage.lines(80, 24, .english)
    #expect(box.contains { $0.contains("Answer about “Product 66”") })
    #expect(box.contains { $0.contains("[ ] Reserve for Mina") })
    stage.press(.tab, " ")
    #expect(stage.lines(80, 24, .english).contains { $0.contains("[x] Reserve for Mina") })
    more.fail(.cancelled)
  }

  @Test func `the box warns, counts and says what an offer comes to`() async throws {
    let stage = try await stage([])
    stage.press("a")
    let product = Product.sample(id: 66, seller: Self.hana, price: 180_000)
    try await stage.repository.details.next().answer(.sample(of: product))
    await until { stage.form != nil }
    stage.press("H", "i", .tab, "1", "6", "9", "2", "0", "0")

    let lines = stage.lines(80, 24, .english)

    #expect(lines.contains { $0.contains("Question     ▸") || $0.contains("Question") })
    #expect(lines.contains { $0.contains("2/500") })
    #expect(lines.contains { $0.contains("169200") && $0.contains("/ ₩180,000 · 6% less") })
    #expect(lines.contains { $0.contains("Everybody can read this.") })
    expect(lines.last?.contains("^S Send  Tab Next"), true)
  }

  @Test func `an offer of the whole price is not called less`() async throws {
    let stage = try await stage([])
    stage.press("a")
    let product = Product.sample(id: 66, seller: Self.hana, price: 180_000)
    try await stage.repository.details.next().answer(.sample(of: product))
    await until { stage.form != nil }
    stage.press("H", "i", .tab, "1", "8", "0", "0", "0", "0")

    let lines = stage.lines(80, 24, .english)

    #expect(lines.contains { $0.contains("/ ₩180,000") } && !lines.joined().contains("0% less"))
  }

  @Test func `who may ask is told the key where nothing is left of the questions`() async throws {
    for (seller, stock, isTold) in [
      (Self.hana, Int64(1), true), (Self.me, 1, false), (Self.hana, 0, false),
    ] {
      let stage = try await stage([Self.question(1)], of: seller, stock: stock)
      stage.press("Q")
      stage.browser.list.observers.report(
        .changed([
          .question(
            QuestionChange(
              id: Question.ID(rawValue: 1), product: Product.ID(rawValue: 66), kind: .deleted,
              seller: seller.id))
        ]))
      try await stage.repository.questions.next().answer(QuestionPage(questions: []))
      await until {
        stage.browser.detail.questions.page(about: Product.ID(rawValue: 66))?.questions == []
      }

      let lines = stage.lines(120, 30, .english).dropLast().joined()

      #expect(lines.contains("No questions") && lines.contains("No questions · a Ask") == isTold)
    }
  }

  @Test func `a change of a seller, who may be blocked, has the questions read again`() async throws
  {
    let stage = try await stage([Self.question(1), Self.question(2)])

    stage.browser.list.observers.report(.changed([.seller(Seller.ID(rawValue: 9))]))
    try await stage.repository.questions.next().answer(QuestionPage(questions: [Self.question(2)]))
    await until { stage.browser.detail.questions.page(about: Product.ID(rawValue: 66))?.count == 1 }

    expect(block(stage.lines(120, 36, .english)).first?.hasPrefix("Questions (1)"), true)
  }

  @Test func `what is taken back has the product read again, which counts its questions`()
    async throws
  {
    let stage = try await stage([Self.question(1, isOwn: true)])
    stage.press("Q", "D")
    try await stage.repository.questionDeletions.next().answer(())

    try await stage.repository.details.next().answer(
      .sample(of: .sample(id: 66, seller: Self.hana, price: 180_000)))
    await until { stage.browser.detail.isComplete }
    try await stage.repository.questions.next().answer(QuestionPage(questions: []))
  }
}
