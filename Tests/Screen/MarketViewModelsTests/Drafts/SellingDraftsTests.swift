import EditorKit
import Expectations
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// What was left, and how one goes on with it.
struct SellingDraftsTests {
  private let stage = SellingStage()

  @Test func `a draft follows a change and comes back with the caret`() async throws {
    let seller = await stage.filled()
    seller.edit { form in
      form.focus(.name)
      form.edit(TextChange { $0.move(.wordLeft) })
    }
    try await stage.clock.sleeps(of: .milliseconds(300)).next().answer(())
    await until { seller.formModel?.savedAt != nil }
    seller.formModel?.leave()
    await seller.settle()

    let next = stage.makeSeller()
    next.selling.sell()
    await until { next.dialog != nil }
    next.drafts?.choose()
    await until { next.form != nil }

    #expect(next.form?.name.text == "Bicycle" && next.form?.name.buffer.caret == 0)
    #expect(next.form?.focus == .name && next.form?.photos.photos.count == 1)
    expect(next.form?.password.isEmpty, true)
  }

  @Test func `the end of the program waits for a draft that is being written`() async throws {
    let gate = Gate<Draft.ID, Void>(answersCancelledCalls: false)
    let drafts = FakeDrafts(waitingFor: gate)
    let seller = TestSeller(.sample(stage.repository, drafts: drafts))
    seller.selling.sell()
    await until { seller.form != nil }
    seller.edit { $0.write("Bicycle", in: .name) }
    seller.formModel?.leave()
    let writing = try await gate.next()

    var hasEnded = false
    let end = Task.immediate {
      _ = await seller.selling.save()
      hasEnded = true
    }
    for _ in 0..<50 { await Task.yield() }
    #expect(!hasEnded)
    writing.answer(())
    await end.value

    await expect(drafts.drafts().first?.values.name, "Bicycle")
  }

  @Test func `a form of which no draft can be kept stays unless one gives it up`() async {
    let seller = TestSeller(.sample(stage.repository, drafts: FakeDrafts(isFull: true)))
    seller.selling.sell()
    await until { seller.form != nil }
    seller.edit { $0.write("Bicycle", in: .name) }

    seller.formModel?.leave()
    await until { seller.question != nil }
    seller.question?.confirm()
    await seller.settle()
    #expect(seller.dialog == nil && seller.form?.name.text == "Bicycle")
    seller.formModel?.leave()
    await until { seller.question != nil }
    seller.question?.answer(true)
    await seller.settle()
    await seller.settle()

    #expect(!seller.isActive)
  }

  @Test func `an edit of which no draft could be kept asks for its password, and blames none`()
    async throws
  {
    let seller = try await stage.editing(drafts: FakeDrafts(isFull: true))
    seller.edit { $0.write("!", in: .name) }
    seller.formModel?.leave()
    await until { seller.question != nil }
    seller.question?.confirm()
    await seller.settle()

    seller.formModel?.submit()
    await until { seller.gate != nil }
    #expect(seller.gate?.phase == .asking(nil) && seller.gate?.wrongCount == 0)
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    await until { seller.question != nil }
    seller.question?.confirm()

    let edit = try await stage.repository.updates.next()
    expect(edit.request.patch, ProductPatch(name: "Bicycle!"))
    edit.answer(.sample())
  }

  /// A draft of an edit that appends to the name, begun in the first version of the product.
  private func leaveEdit() async throws {
    let seller = try await stage.editing()
    seller.edit { $0.write("!", in: .name) }
    seller.formModel?.leave()
    await until { seller.shelf.drafts.count == 1 }
  }

  /// Opens the product again, which is this by now.
  private func reopen(_ detail: ProductDetail) async throws -> TestSeller {
    let seller = stage.makeSeller()
    seller.selling.edit(stage.product)
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    try await stage.repository.details.next().answer(detail)
    await until { seller.question != nil }
    return seller
  }

  @Test func `the draft of an edit meets what the product has become, side by side`() async throws {
    try await leaveEdit()
    let theirs = ProductDetail.sample(
      of: .sample(id: 7, name: "Bike"), version: ProductVersion(rawValue: "2"))

    let seller = try await reopen(theirs)
    seller.question?.answer(true)
    await seller.settle()
    #expect(seller.conflict != nil && seller.form == nil)
    seller.conflict?.resolve()
    await seller.settle()

    expect(seller.form?.patch(), ProductPatch(name: "Bicycle!"))
    expect(seller.form?.purpose, .edit(theirs))
  }

  @Test func `the draft of an edit goes on where the product is as it was`() async throws {
    try await leaveEdit()

    let seller = try await reopen(.sample(of: stage.product.product))
    seller.question?.answer(true)
    await seller.settle()

    #expect(seller.dialog == nil && seller.form?.name.text == "Bicycle!")
  }

  @Test(arguments: [false, true])
  func `a draft that is not gone on with is kept`(byEscape: Bool) async throws {
    try await leaveEdit()

    let seller = try await reopen(.sample(of: stage.product.product))
    if byEscape { seller.question?.cancel() } else { seller.question?.answer(false) }
    await seller.settle()

    #expect(seller.isActive != byEscape)
    await expect(stage.drafts.drafts().count, 1)
  }

  @Test func `a draft above the products opens after the product's password, and asks no more`()
    async throws
  {
    try await leaveEdit()
    let seller = stage.makeSeller()
    await seller.selling.drafts.load()
    seller.selling.drafts.move { $0.enter() }

    seller.selling.openDraft()
    try await stage.repository.details.next().answer(.sample(of: stage.product.product))
    await until { seller.dialog != nil }
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    try await stage.repository.details.next().answer(.sample(of: stage.product.product))
    await until { seller.form != nil }
    await seller.settle()

    #expect(seller.dialog == nil && seller.form?.name.text == "Bicycle!")
  }

  @Test func `a draft above the products goes for good after a question`() async throws {
    try await leaveEdit()
    let seller = stage.makeSeller()
    await seller.selling.drafts.load()
    seller.selling.drafts.move { $0.enter() }

    seller.selling.removeDraft()
    seller.question?.confirm()
    await seller.settle()
    expect(seller.shelf.drafts.count, 1)
    seller.selling.removeDraft()
    seller.question?.answer(true)
    await until { seller.shelf.drafts.isEmpty }

    #expect(seller.shelf.selected == nil && !seller.isActive)
    #expect(await stage.drafts.drafts().isEmpty)
  }
}
