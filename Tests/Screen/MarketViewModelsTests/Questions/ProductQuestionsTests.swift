import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// What was asked about the product that is open.
struct ProductQuestionsTests {
  private let repository = GatedProductRepository(answersCancelledCalls: false)
  private let product = Product.ID(rawValue: 7)

  private func page(_ ids: ClosedRange<Int64>, next: String? = nil) -> QuestionPage {
    QuestionPage(questions: ids.map { .sample($0) }, next: next.map(PageCursor.init))
  }

  private func numbers(_ questions: ProductQuestions) -> [Int64] {
    questions.page(about: product)?.questions.map(\.id.rawValue) ?? []
  }

  /// The first page of a hundred thousand.
  private func begun() async throws -> ProductQuestions {
    let questions = ProductQuestions(repository: repository)
    questions.read(about: product, count: 100_000, by: nil)
    try await repository.questions.next().answer(page(1...20, next: "20"))
    try await repository.details.next().answer(counted(100_001))
    await until { numbers(questions).count == 20 }
    return questions
  }

  private func counted(_ count: Int) -> ProductDetail {
    var detail = ProductDetail.sample(of: .sample(id: 7))
    detail.questionCount = count
    return detail
  }

  @Test func `only a page is read, and further ones when they are wanted`() async throws {
    let questions = try await begun()
    expect(questions.page(about: product)?.count, 100_001)

    questions.readMore()
    questions.readMore()
    let call = try await repository.questions.next()
    expect(call.request, QuestionsRequest(.product(product), after: PageCursor(rawValue: "20")))
    call.answer(page(21...21))
    await until { numbers(questions).count == 21 }
    questions.readMore()

    #expect(numbers(questions) == Array(1...21) && repository.questions.callCount == 2)
    expect(questions.page(about: product)?.count, 21)
  }

  @Test func `where nothing was asked nobody is asked`() {
    let questions = ProductQuestions(repository: repository)

    questions.read(about: product, count: 0, by: nil)

    #expect(numbers(questions).isEmpty && repository.questions.callCount == 0)
  }

  @Test func `an answer for a product that was left, or before a change, changes nothing`()
    async throws
  {
    let questions = ProductQuestions(repository: repository)
    questions.read(about: Product.ID(rawValue: 3), count: 1, by: nil)
    let left = try await repository.questions.next()
    questions.read(about: product, count: 1, by: nil)
    let old = try await repository.questions.next()
    questions.reload(about: product, by: nil)
    let new = try await repository.questions.next()

    left.answer(page(8...8))
    old.answer(page(1...1))
    new.answer(page(1...2))
    await until { numbers(questions).count == 2 }

    #expect(left.isCancelled && old.isCancelled && numbers(questions) == [1, 2])
    #expect(questions.page(about: Product.ID(rawValue: 3)) == nil)
  }

  @Test func `a change has all read again that was there, and only of its product`() async throws {
    let questions = try await begun()
    questions.readMore()
    try await repository.questions.next().answer(page(21...40, next: "40"))
    try await repository.details.next().answer(counted(100_001))
    await until { numbers(questions).count == 40 }

    questions.reload(about: Product.ID(rawValue: 3), by: nil)
    questions.reload(about: product, by: SellerIdentifier(secret: "me"))

    let call = try await repository.questions.next()
    #expect(call.request.size == 40 && call.request.after == nil)
    expect(call.request.reader, SellerIdentifier(secret: "me"))
    call.answer(page(2...41))
    await until { numbers(questions).last == 41 }
    expect(repository.questions.callCount, 3)
  }

  /// 240 of a hundred thousand, read in pages of 20.
  private func readFar() async throws -> ProductQuestions {
    let questions = try await begun()
    for first in stride(from: Int64(21), to: 240, by: 20) {
      questions.readMore()
      try await repository.questions.next().answer(page(first...first + 19, next: "\(first + 19)"))
      try await repository.details.next().answer(counted(100_001))
      await until { numbers(questions).last == first + 19 }
    }
    return questions
  }

  @Test func `a change by others has a long list read again at its ends alone`() async throws {
    let questions = try await readFar()
    let calls = repository.questions.callCount

    questions.reload(about: product, endsOnly: true)
    let head = try await repository.questions.next()
    #expect(head.request.size == 100 && head.request.after == nil)
    head.answer(page(2...101, next: "101"))
    let tail = try await repository.questions.next()
    expect(tail.request.after?.rawValue, "220")
    tail.answer(page(222...242, next: "242"))
    try await repository.details.next().answer(counted(100_001))
    await until { numbers(questions).last == 242 }

    expect(numbers(questions), Array(2...220) + Array(222...242))
    expect(repository.questions.callCount, calls + 2)
  }

  @Test func `all that was read is read again where that is wanted, whatever comes between`()
    async throws
  {
    let questions = try await readFar()

    questions.reload(about: product)
    _ = try await repository.questions.next()
    questions.reload(about: product, endsOnly: true)
    for first in stride(from: Int64(2), to: 240, by: 100) {
      let call = try await repository.questions.next()
      expect(call.request.after?.rawValue, first == 2 ? nil : "\(first - 1)")
      call.answer(page(first...first + 99, next: "\(first + 99)"))
    }
    try await repository.details.next().answer(counted(100_001))
    await until { numbers(questions).first == 2 }

    expect(numbers(questions), Array(2...301))
  }

  @Test func `a failure leaves what is there and is said`() async throws {
    let questions = try await begun()
    questions.readMore()

    try await repository.questions.next().fail(.unreachable(.timedOut))
    await until { questions.page(about: product)?.failure != nil }

    expect(numbers(questions).count, 20)
  }
}
