import EditorKit
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// What was left, and how one goes on with it.
@Suite(.timeLimit(.minutes(1))) struct SellingDraftsTests {
  private let stage = SellingStage()

  @Test func `a draft follows a change and comes back with the caret`() async {
    let selling = await stage.sellingFilled()
    selling.edit { form in
      form.focus(.name)
      form.edit(TextChange { $0.move(.wordLeft) })
    }
    await stage.clock.sleeps(of: .milliseconds(300)).next().answer(())
    await until { selling.savedAt != nil }
    selling.leave()

    let next = stage.makeSelling()
    next.beginRegistration()
    await until { next.dialog != nil }
    next.chooseDraft()
    await until { next.form != nil }

    #expect(next.form?.name.text == "Bicycle" && next.form?.name.buffer.caret == 0)
    #expect(next.form?.focus == .name && next.form?.photos.photos.count == 1)
    #expect(next.form?.password.isEmpty == true)
  }

  @Test func `a form of which no draft can be kept stays unless one gives it up`() async {
    let selling = SellingModel.sample(stage.repository, drafts: FakeDrafts(isFull: true))
    selling.beginRegistration()
    await until { selling.form != nil }
    selling.edit { $0.write("Bicycle", in: .name) }

    selling.leave()
    await until { selling.isAsking }
    selling.confirmAnswer()
    #expect(selling.dialog == nil && selling.form?.name.text == "Bicycle")
    selling.leave()
    await until { selling.isAsking }
    selling.answer(true)

    #expect(!selling.isActive)
  }

  @Test func `an edit of which no draft could be kept asks for its password, and blames none`()
    async
  {
    let selling = await stage.sellingEdit(drafts: FakeDrafts(isFull: true))
    selling.edit { $0.write("!", in: .name) }
    selling.leave()
    await until { selling.isAsking }
    selling.confirmAnswer()

    selling.submit()
    await until { selling.gate != nil }
    #expect(selling.gate?.phase == .asking(nil) && selling.gate?.wrongCount == 0)
    selling.enter("secret")
    await stage.repository.verifications.next().answer(())
    await until { selling.isAsking }
    selling.confirmAnswer()

    let edit = await stage.repository.updates.next()
    #expect(edit.request.patch == ProductPatch(name: "Bicycle!"))
    edit.answer(.sample())
  }

  /// A draft of an edit that appends to the name, begun in the first version of the product.
  private func leaveEdit() async {
    let selling = await stage.sellingEdit()
    selling.edit { $0.write("!", in: .name) }
    selling.leave()
    await until { selling.shelf.drafts.count == 1 }
  }

  /// Opens the product again, which is this by now.
  private func reopen(_ detail: ProductDetail) async -> SellingModel {
    let selling = stage.makeSelling()
    selling.beginEdit(of: stage.product)
    selling.enter("secret")
    await stage.repository.verifications.next().answer(())
    await stage.repository.details.next().answer(detail)
    await until { selling.isAsking }
    return selling
  }

  @Test func `the draft of an edit meets what the product has become, side by side`() async {
    await leaveEdit()
    let theirs = ProductDetail.sample(
      of: .sample(id: 7, name: "Bike"), version: ProductVersion(rawValue: "2"))

    let selling = await reopen(theirs)
    selling.answer(true)
    #expect(selling.isInConflict && selling.form == nil)
    selling.resolveConflict()

    #expect(selling.form?.patch() == ProductPatch(name: "Bicycle!"))
    #expect(selling.form?.purpose == .edit(theirs))
  }

  @Test func `the draft of an edit goes on where the product is as it was`() async {
    await leaveEdit()

    let selling = await reopen(.sample(of: stage.product.product))
    selling.answer(true)

    #expect(selling.dialog == nil && selling.form?.name.text == "Bicycle!")
  }

  @Test(arguments: [false, true])
  func `a draft that is not gone on with is kept`(byEscape: Bool) async {
    await leaveEdit()

    let selling = await reopen(.sample(of: stage.product.product))
    if byEscape { selling.cancelQuestion() } else { selling.answer(false) }

    #expect(selling.isActive != byEscape)
    #expect(await stage.drafts.drafts().count == 1)
  }

  @Test func `a draft above the products opens after the product's password, and asks no more`()
    async
  {
    await leaveEdit()
    let selling = stage.makeSelling()
    await selling.loadShelf()
    selling.moveInShelf { $0.enter() }

    selling.openFromShelf()
    await stage.repository.details.next().answer(.sample(of: stage.product.product))
    await until { selling.dialog != nil }
    selling.enter("secret")
    await stage.repository.verifications.next().answer(())
    await stage.repository.details.next().answer(.sample(of: stage.product.product))
    await until { selling.form != nil }

    #expect(selling.dialog == nil && selling.form?.name.text == "Bicycle!")
  }

  @Test func `a draft above the products goes for good after a question`() async {
    await leaveEdit()
    let selling = stage.makeSelling()
    await selling.loadShelf()
    selling.moveInShelf { $0.enter() }

    selling.askToRemoveFromShelf()
    selling.confirmAnswer()
    #expect(selling.shelf.drafts.count == 1)
    selling.askToRemoveFromShelf()
    selling.answer(true)
    await until { selling.shelf.drafts.isEmpty }

    #expect(selling.shelf.selected == nil && !selling.isActive)
    #expect(await stage.drafts.drafts().isEmpty)
  }
}
