import EditorKit
import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// Asking, answering and taking back, from the box to the market.
struct AskingTests {
  private let stage = SellingStage()
  private var repository: GatedProductRepository { stage.repository }

  /// The product as it is read, at a price of 10,000 won.
  private func detail(
    of seller: Seller = Seller(id: Seller.ID(rawValue: 9), name: "Hana"), stock: Int64 = 3,
    isClosed: Bool = false
  ) -> ProductDetail {
    var product = Product.sample(id: 7, seller: seller, name: "Bicycle", stock: stock)
    product.isReserved = false
    var detail = ProductDetail.sample(of: product)
    detail.areQuestionsClosed = isClosed
    return detail
  }

  /// Creates a seller; `known` is the account in the market, nil where the market does not know it.
  private func makeSeller(_ known: Seller? = nil, accounts: FakeAccounts = FakeAccounts())
    async throws
    -> TestSeller
  {
    let seller = TestSeller(
      .sample(repository, drafts: stage.drafts, accounts: accounts, clock: stage.clock))
    let starting = Task { await seller.selling.start() }
    if await accounts.known() != nil { try await repository.sellers.next().answer(known) }
    await starting.value
    return seller
  }

  /// The box over a product, with a question in it.
  private func asking(
    _ seller: TestSeller, _ text: String = "Is it still there?", offer: String = ""
  ) async throws {
    seller.selling.ask(about: stage.product.id)
    try await repository.details.next().answer(detail())
    await until { seller.form != nil }
    seller.edit { form in
      form.write(text, in: .description)
      form.write(offer, in: .price)
    }
  }

  private func answering(_ question: Question, over detail: ProductDetail, _ seller: TestSeller)
    async throws
  {
    seller.selling.answer(question)
    try await repository.details.next().answer(detail)
    await until { seller.form != nil }
  }

  // MARK: Asking

  @Test func `what is typed is asked, and told`() async throws {
    let seller = try await makeSeller()
    try await asking(seller, "  Is it still there?\n", offer: "9,400")
    expect(seller.form?.fields, [.description, .price])
    seller.formModel?.submit()
    let call = try await repository.askings.next()
    let asked = Question.sample(isOwn: true)
    call.answer(asked)
    await until { !seller.isActive }

    expect(call.request.question, NewQuestion(text: "Is it still there?", offerHundredths: 940_000))
    expect(call.request.product, stage.product.id)
    expect(seller.outcomes, [.question(.asked, asked, nil)])
    expect(seller.notices, [.sold(.question)])
    #expect(await stage.drafts.drafts().isEmpty)
  }

  @Test(arguments: [
    ("0", FieldError.Problem.negative), ("10001", .abovePrice(priceHundredths: 1_000_000)),
    ("$5", .amount(.otherCurrency(.usd, instead: .krw))),
  ])
  func `an offer out of range is refused in its field`(offer: String, problem: FieldError.Problem)
    async throws
  {
    let seller = try await makeSeller()
    try await asking(seller, offer: offer)

    seller.formModel?.submit()

    #expect(seller.form?.problems == [.price: problem] && seller.form?.focus == .price)
    expect(repository.askings.callCount, 0)
  }

  @Test func `nothing and more than 500 characters are no question`() async throws {
    let seller = try await makeSeller()
    try await asking(seller, "")
    seller.formModel?.submit()
    expect(seller.form?.problems, [.description: .missing])

    seller.edit { $0.focus(.description) }
    seller.formModel?.paste(String(repeating: "가", count: 501))

    #expect(seller.form?.description.text.count == 500 && seller.form?.cut[.description] == 1)
  }

  @Test func `who has given no name is asked for one, which the market learns first`() async throws
  {
    let seller = try await makeSeller(accounts: FakeAccounts(isKnown: false))
    try await asking(seller)
    expect(seller.form?.fields, [.description, .price, .place])
    seller.edit { $0.write("Mina", in: .place) }
    seller.formModel?.submit()
    let name = try await repository.renames.next()
    #expect(name.request == SellerChange(name: "Mina") && repository.askings.callCount == 0)
    name.answer(Seller(id: Seller.ID(rawValue: 3), name: "Mina"))
    try await repository.askings.next().answer(.sample(isOwn: true))
    await until { !seller.isActive }

    try await asking(seller)
    expect(seller.form?.fields, [.description, .price])
  }

  @Test(arguments: [
    (QuestionRefusal.sold, Int64(0), false, false), (.closed, 3, true, false),
    (.ownProduct, 3, false, true),
  ])
  func `what is refused is said before anything is typed`(
    refusal: QuestionRefusal, stock: Int64, isClosed: Bool, isOwn: Bool
  ) async throws {
    let hana = Seller(id: Seller.ID(rawValue: 9), name: "Hana")
    let seller = try await makeSeller(isOwn ? hana : nil)
    seller.selling.ask(about: stage.product.id)
    try await repository.details.next().answer(detail(stock: stock, isClosed: isClosed))
    await until { !seller.notices.isEmpty }

    #expect(seller.notices == [.hint(.questionRefused(refusal))] && seller.form == nil)
  }

  // MARK: Drafts

  @Test func `the box leaves a draft, in which the next one goes on`() async throws {
    let seller = try await makeSeller()
    try await asking(seller, "Which size", offer: "9000")
    seller.formModel?.leave()
    await until { seller.notices == [.hint(.draftSaved)] }
    let draft = await stage.drafts.drafts().first
    #expect(draft?.target == .question(stage.product.id) && draft?.values.name == "Bicycle")

    seller.selling.ask(about: stage.product.id)
    try await repository.details.next().answer(detail())
    await until { seller.form != nil }

    expect(seller.form?.question, NewQuestion(text: "Which size", offerHundredths: 900_000))
    expect(seller.formModel?.submission.draftID, draft?.id)
  }

  @Test func `a lost answer leaves a draft that waits, and is asked again with its key`()
    async throws
  {
    let seller = try await makeSeller()
    try await asking(seller)
    seller.formModel?.submit()
    let lost = try await repository.askings.next()
    await expect(stage.drafts.drafts().first?.wasSent, true)
    lost.fail(.unreachable(.timedOut))
    await until { seller.notices == [.hint(.draftIsQueued)] }
    let draft = await stage.drafts.drafts().first
    #expect(draft?.isWaiting == true && draft?.key == lost.request.key)

    seller.selling.ask(about: stage.product.id)
    try await repository.details.next().answer(detail())
    await until { seller.form != nil }
    seller.formModel?.submit()
    let again = try await repository.askings.next()
    again.answer(.sample(isOwn: true))
    await until { !seller.isActive }

    expect(again.request.key, lost.request.key)
    #expect(await stage.drafts.drafts().isEmpty)
  }

  @Test func `an answer is kept with its question, for that alone`() async throws {
    let seller = try await makeSeller()
    try await answering(.sample(1), over: detail(), seller)
    seller.edit { $0.write("Yes", in: .description) }
    seller.formModel?.leave()
    await until { seller.notices == [.hint(.draftSaved)] }

    try await answering(.sample(2), over: detail(), seller)
    expect(seller.form?.description.text.isEmpty, true)
    seller.formModel?.leave()
    await until { !seller.isActive }
    try await answering(.sample(1), over: detail(), seller)

    expect(seller.form?.answer, NewAnswer(text: "Yes"))
  }

  // MARK: Answering

  private static let hana = Seller(id: Seller.ID(rawValue: 9), name: "Hana")

  @Test func `the seller answers without a password`() async throws {
    let seller = try await makeSeller(Self.hana)
    try await answering(.sample(), over: detail(), seller)
    seller.edit { $0.write("Yes.", in: .description) }
    seller.formModel?.submit()
    let call = try await repository.answers.next()
    let answered = Question.sample(answer: "Yes.")
    call.answer(answered)
    await until { !seller.isActive }

    #expect(call.request.answer == NewAnswer(text: "Yes.") && call.request.secret == nil)
    expect(seller.outcomes, [.question(.answered, answered, nil)])
    expect(seller.notices, [.sold(.answer)])
  }

  @Test func `an answer that reserves asks for the password until it is right`() async throws {
    let seller = try await makeSeller(Self.hana)
    try await answering(.sample(), over: detail(), seller)
    seller.edit { form in
      form.write("It is yours.", in: .description)
      form.focus(.reserved)
      form.toggle()
    }
    seller.formModel?.submit()
    await until { seller.prompt != nil }
    seller.enter("secret")
    try await repository.verifications.next().answer(())
    try await repository.answers.next().fail(.wrongPassword)
    await until { seller.gate?.phase == .asking(.wrongPassword) }
    seller.enter("right")
    try await repository.verifications.next().answer(())
    let call = try await repository.answers.next()
    call.answer(.sample(answer: "It is yours."))
    let reserved = detail()
    try await repository.details.next().answer(reserved)
    await until { !seller.isActive }

    expect(call.request.secret, "right")
    expect(call.request.answer, NewAnswer(text: "It is yours.", reserves: true))
    expect(seller.outcomes, [.question(.answered, .sample(answer: "It is yours."), reserved)])
  }

  @Test func `for a product without an identifier the password answers`() async throws {
    let seller = try await makeSeller(Self.hana)
    try await answering(.sample(), over: detail(of: .guest), seller)
    seller.edit { $0.write("Yes.", in: .description) }
    seller.formModel?.submit()
    await until { seller.prompt != nil }
    seller.enter("secret")
    try await repository.verifications.next().answer(())

    let call = try await repository.answers.next()
    expect(call.request.secret, "secret")
    call.answer(.sample(answer: "Yes."))
    await until { !seller.isActive }
  }

  @Test func `an answer is changed for ten minutes only`() async throws {
    let seller = try await makeSeller(Self.hana)
    try await answering(.sample(answer: "Yes.", at: 1_749_999_500), over: detail(), seller)
    expect(seller.form?.description.text, "Yes.")
    seller.formModel?.leave()
    await until { !seller.isActive }

    seller.selling.answer(.sample(answer: "Yes.", at: 1_749_999_000))
    try await repository.details.next().answer(detail())
    await until { !seller.isActive && !seller.notices.isEmpty }

    expect(seller.notices.last, .hint(.questionRefused(.tooLate)))
  }

  // MARK: Taking back

  @Test func `an asker takes back at once, and undo asks the same again`() async throws {
    let seller = try await makeSeller()
    let question = Question.sample(offer: 9_000, isOwn: true)
    seller.selling.delete(question, about: ListedProduct(detail().product))
    try await repository.questionDeletions.next().answer(())
    await until { !seller.isActive && seller.selling.hasEdits }
    expect(seller.outcomes, [.question(.deleted, question, nil)])
    expect(seller.notices.last?.commands, ["undo-edit"])

    seller.selling.undo()
    let call = try await repository.askings.next()
    call.answer(question)
    await until { !seller.selling.hasEdits }

    expect(call.request.question, NewQuestion(text: question.text, offerHundredths: 900_000))
  }

  @Test func `the draft of an answer opens by itself, though the question was answered since`()
    async throws
  {
    let seller = try await makeSeller(Self.hana)
    try await answering(.sample(4), over: detail(), seller)
    seller.edit { $0.write("Yes", in: .description) }
    seller.formModel?.leave()
    await until { seller.notices == [.hint(.draftSaved)] && !seller.shelf.drafts.isEmpty }
    seller.selling.drafts.move { $0.enter() }

    seller.selling.openDraft()
    try await repository.details.next().answer(detail())
    await until { seller.form != nil }

    expect(seller.form?.answer, NewAnswer(text: "Yes"))
    expect(seller.form?.purpose, .answer(.sample(4), detail()))
    expect(repository.questions.callCount, 0)
  }

  @Test func `an answer is on disk before it is sent`() async throws {
    let seller = try await makeSeller(Self.hana)
    try await answering(.sample(), over: detail(), seller)
    seller.edit { $0.write("Yes.", in: .description) }
    seller.formModel?.submit()
    let call = try await repository.answers.next()

    let draft = await stage.drafts.drafts().first
    #expect(draft?.wasSent == true && draft?.values[.description] == "Yes.")
    call.answer(.sample(answer: "Yes."))
    await until { !seller.isActive }
  }

  @Test(arguments: [(Int64(0), false), (3, true)])
  func `what may have been asked is sent again, though sold or closed since`(
    stock: Int64, isClosed: Bool
  ) async throws {
    let seller = try await makeSeller()
    try await asking(seller)
    seller.formModel?.submit()
    let lost = try await repository.askings.next()
    lost.fail(.unreachable(.timedOut))
    await until { seller.notices == [.hint(.draftIsQueued)] }

    seller.selling.ask(about: stage.product.id)
    try await repository.details.next().answer(detail(stock: stock, isClosed: isClosed))
    await until { seller.form != nil || seller.notices.count > 1 }
    seller.formModel?.submit()

    expect(seller.notices.count, 1)
    guard seller.form != nil else { return }
    let again = try await repository.askings.next()
    expect(again.request.key, lost.request.key)
    again.answer(.sample(isOwn: true))
    await until { !seller.isActive }
  }

  @Test func `what is answered is not taken back by its asker`() async throws {
    let seller = try await makeSeller()

    seller.selling.delete(
      .sample(answer: "Yes.", isOwn: true), about: ListedProduct(detail().product))

    try await repository.questionDeletions.next().fail(.questionRefused(.answered))
    await until { !seller.notices.isEmpty }
    expect(seller.notices, [.notSent(.questionRefused(.answered), keepsForm: false)])
  }

  @Test func `a seller deletes any after one question, for good`() async throws {
    let seller = try await makeSeller(Self.hana)
    seller.selling.delete(.sample(answer: "Yes."), about: ListedProduct(detail().product))
    await until { seller.question != nil }
    expect(seller.question?.isYes, false)
    seller.question?.answer(true)

    try await repository.questionDeletions.next().answer(())
    await until { !seller.isActive && !seller.notices.isEmpty }

    #expect(!seller.selling.hasEdits && seller.notices == [.sold(.questionDeletion(isOwn: false))])
    expect(seller.notices.last?.commands, [])
  }
}
