import EditorKit
import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct SellingModelTests {
  private let stage = SellingStage()

  @Test func `a registration goes out once, however often one presses`() async throws {
    let seller = await stage.filled()
    await stage.ask(seller)

    seller.question?.confirm()
    seller.question?.confirm()
    seller.formModel?.submit()
    let call = try await stage.repository.registrations.next()
    call.answer(.sample(of: stage.product.product))
    await until { !seller.isActive }

    expect(stage.repository.registrations.callCount, 1)
    #expect(await stage.drafts.drafts().isEmpty)
  }

  @Test func `a retry after a time-out carries the same key`() async throws {
    let seller = await stage.filled()
    await stage.submit(seller)
    let first = try await stage.repository.registrations.next()

    first.fail(.unreachable(.timedOut))
    await until { seller.dialog == nil }
    await stage.submit(seller)
    let second = try await stage.repository.registrations.next()

    expect(first.request.key, second.request.key)
    await expect(stage.drafts.drafts().first?.wasSent, true)
    second.answer(.sample())
  }

  @Test func `after an earlier try came through with other values the form goes out anew`()
    async throws
  {
    let seller = await stage.filled()
    await stage.submit(seller)
    let first = try await stage.repository.registrations.next()

    first.fail(.keyReused)
    await until { seller.dialog == nil }
    await stage.submit(seller)
    let second = try await stage.repository.registrations.next()

    expect(seller.form?.name.text, "Bicycle")
    #expect(first.request.key != second.request.key)
    second.answer(.sample())
  }

  @Test func `an answer that comes after a cancel and a new attempt ends both`() async throws {
    let seller = await stage.filled()
    await stage.submit(seller)
    let first = try await stage.repository.registrations.next()
    seller.sending?.cancel()
    await seller.settle()
    await stage.submit(seller)
    let second = try await stage.repository.registrations.next()

    first.answer(.sample(of: stage.product.product))
    await until { !seller.isActive }

    #expect(seller.selling.account.registered == [stage.product.id] && second.isCancelled)
    second.answer(.sample(of: stage.product.product))
  }

  @Test func `what the market refuses lands on its field and nothing is lost`() async throws {
    let seller = await stage.filled()
    await stage.submit(seller)

    try await stage.repository.registrations.next().fail(.invalid([FieldError(.stock, .negative)]))
    await until { seller.dialog == nil }

    #expect(seller.form?.focus == .stock && seller.form?.name.text == "Bicycle")
  }

  @Test func `the answer to a prompt that was left opens nothing`() async throws {
    let seller = stage.makeSeller()
    seller.selling.edit(stage.product)
    seller.enter("secret")
    let late = try await stage.repository.verifications.next()
    seller.prompt?.cancel()
    await seller.settle()
    seller.prompt?.cancel()
    await seller.settle()
    seller.selling.delete(stage.product)

    late.answer(())
    seller.enter("secret")
    try await stage.repository.verifications.next().fail(.wrongPassword)
    await until { seller.gate?.wrongCount == 1 }

    #expect(seller.form == nil && seller.question == nil)
  }

  @Test func `only what was changed is sent, with the version that was read`() async throws {
    let seller = try await stage.editing()
    seller.edit { $0.write("!", in: .name) }
    await stage.submit(seller)

    let edit = try await stage.repository.updates.next()

    expect(edit.request.patch, ProductPatch(name: "Bicycle!"))
    expect(edit.request.expected, ProductVersion(rawValue: "1"))
    edit.answer(.sample())
  }

  @Test func `nothing changed means nothing sent`() async throws {
    let seller = try await stage.editing()

    seller.formModel?.submit()
    await seller.settle()

    #expect(!seller.isActive && stage.repository.updates.callCount == 0)
  }

  @Test func `another version is shown beside one's own, and sent over the new one`() async throws {
    let seller = try await stage.editing()
    seller.edit { $0.write("!", in: .name) }
    await stage.submit(seller)
    let theirs = ProductDetail.sample(
      of: .sample(id: 7, name: "Bike"), version: ProductVersion(rawValue: "2"))

    try await stage.repository.updates.next().fail(.conflict(current: theirs))
    await until { seller.conflict != nil }
    seller.conflict?.resolve()
    await seller.settle()
    await stage.submit(seller)
    let second = try await stage.repository.updates.next()

    expect(second.request.expected, ProductVersion(rawValue: "2"))
    expect(second.request.patch, ProductPatch(name: "Bicycle!"))
    second.answer(.sample())
  }

  @Test func `a conflict with one's own lost attempt is a success`() async throws {
    let seller = try await stage.editing()
    seller.edit { $0.write("!", in: .name) }
    await stage.submit(seller)
    let mine = ProductDetail.sample(
      of: .sample(id: 7, name: "Bicycle!"), version: ProductVersion(rawValue: "2"))

    try await stage.repository.updates.next().fail(.conflict(current: mine))
    await until { !seller.isActive }

    expect(seller.selling.edits.count, 1)
  }

  @Test func `a deletion asks with no as its answer`() async throws {
    let seller = stage.makeSeller()
    seller.selling.delete(stage.product)
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    await until { seller.question != nil }

    seller.question?.confirm()
    await seller.settle()

    #expect(!seller.isActive && stage.repository.deletions.callCount == 0)
  }

  @Test func `nothing is registered by somebody who could not be kept, and the form stays`()
    async throws
  {
    let accounts = FakeAccounts(isKnown: false)
    await accounts.setFull(true)
    let seller = TestSeller(.sample(stage.repository, accounts: accounts))
    seller.selling.sell()
    await until { seller.form != nil }
    await seller.fillIn()
    seller.edit { form in
      form.write("Hana", in: .sellerName)
      form.setPassword("secret")
    }

    await stage.submit(seller)
    await until { seller.notices.last == .hint(.accountNotMade) }
    await until { seller.dialog == nil }

    expect(seller.form?.name.text, "Bicycle")
    expect(stage.repository.registrations.callCount, 0)
    await accounts.setFull(false)
    await stage.submit(seller)
    expect(try await stage.repository.renames.next().request.name, "Hana")
  }

  /// The form of a first sale, in which everything keeps the rules.
  private func firstSale() async -> TestSeller {
    let seller = TestSeller(
      .sample(stage.repository, drafts: stage.drafts, accounts: FakeAccounts(isKnown: false)))
    seller.selling.sell()
    await until { seller.form != nil }
    await seller.fillIn()
    seller.edit { form in
      form.write("Hana", in: .sellerName)
      form.write("010-1234", in: .sellerContact)
      form.setPassword("secret")
    }
    return seller
  }

  @Test func `a first sale asks for the seller in its form, which the market learns first`()
    async throws
  {
    let seller = await firstSale()
    expect(seller.form?.fields.suffix(3), [.sellerName, .sellerContact, .password])

    await stage.submit(seller)
    let name = try await stage.repository.renames.next()
    expect(
      name.request,
      SellerChange(name: "Hana", contact: SellerContact("010-1234").map { .set($0) }))
    expect(stage.repository.registrations.callCount, 0)
    name.answer(Seller(id: Seller.ID(rawValue: 3), name: "Hana"))
    try await stage.repository.registrations.next().answer(.sample(of: stage.product.product))
    await until { !seller.isActive }

    seller.selling.sell()
    await until { seller.form != nil }
    expect(seller.form?.fields.contains(.sellerName), false)
  }

  @Test func `a first sale without a name or with one that the market refuses stays in its form`()
    async throws
  {
    let seller = await firstSale()
    seller.edit { $0.clear(.sellerName) }
    seller.formModel?.submit()
    #expect(seller.dialog == nil && seller.form?.problems == [.sellerName: .missing])

    seller.edit { $0.write("Ana", in: .sellerName) }
    await stage.submit(seller)
    try await stage.repository.renames.next().fail(
      .invalid([FieldError(.name, .refused("taken"))]))
    await until { seller.dialog == nil }

    #expect(seller.form?.focus == .sellerName && seller.form?.name.text == "Bicycle")
    expect(seller.form?.problems, [.sellerName: .refused("taken")])
    expect(stage.repository.registrations.callCount, 0)
  }

  @Test func `the draft of a first sale keeps the seller, and a copy of it does not`() async throws
  {
    let seller = await firstSale()
    _ = await seller.formModel?.save()
    let draft = try #require(await stage.drafts.drafts().first)

    expect(draft.values[.sellerName], "Hana")
    expect(draft.values.forNewProduct[.sellerName], "")
    var form = ProductForm(.registration, capabilities: .full)
    form.askForSeller(
      Seller(id: Seller.ID(rawValue: 3), name: "Mina", contact: SellerContact("a@b.kr")))
    expect(form.values[.sellerName], "Mina")
    form.restore(draft)
    expect([form.values[.sellerName], form.values[.sellerContact]], ["Hana", "010-1234"])
  }

  @Test func `what could not be kept is told when the program ends`() async {
    let accounts = FakeAccounts()
    await accounts.setFull(true)
    let seller = TestSeller(.sample(stage.repository, accounts: accounts))
    guard let account = await accounts.account() else { return }
    await seller.selling.account.keep(account)

    await expect(seller.selling.save(), [.accountNotSaved])
    await accounts.setFull(false)
    #expect(await seller.selling.save().isEmpty)
  }

  @Test func `who sells is saved when there is room again`() async throws {
    let accounts = FakeAccounts()
    await accounts.setFull(true)
    let seller = TestSeller(.sample(stage.repository, accounts: accounts))
    var account = try #require(await accounts.account())
    account.name = "Hana"
    await seller.selling.account.keep(account)
    #expect(await accounts.account()?.name != "Hana")

    await accounts.setFull(false)
    await seller.selling.drafts.load()

    await expect(accounts.account()?.name, "Hana")
  }

  @Test func `what somebody else has deleted meanwhile leaves the list as well`() async throws {
    let seller = stage.makeSeller()
    seller.selling.delete(stage.product)
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    await until { seller.question != nil }

    seller.question?.answer(true)
    try await stage.repository.deletions.next().fail(.notFound)
    await until { !seller.isActive }

    expect(seller.outcomes, [.deleted(stage.product.id)])
  }

  @Test func `the photo that goes is the one that was asked about`() async {
    let seller = stage.makeSeller()
    seller.selling.sell()
    await until { seller.form != nil }
    seller.formModel?.addPhotos(named: "/a.jpg")
    await until { seller.form?.photos.photos.count == 1 }
    seller.edit { form in form.editPhotos { $0.select(0) } }

    seller.formModel?.askToRemovePhoto()
    await seller.settle()
    seller.formModel?.addPhotos(named: "/b.jpg")
    await until { seller.form?.photos.photos.count == 2 }
    seller.question?.answer(true)
    await seller.settle()

    expect(seller.form?.photos.photos.map(\.name), ["b.jpg"])
  }

  @Test func `a form that a silent market has not answered for can be left`() async throws {
    let repository = GatedProductRepository(capabilities: nil, answersCancelledCalls: false)
    let seller = TestSeller(.sample(repository))
    seller.selling.sell()
    let call = try await repository.capabilityCalls.next()
    #expect(seller.selling.isOpening && !seller.isActive)

    seller.selling.cancelOpening()
    seller.selling.sell()
    let second = try await repository.capabilityCalls.next()
    call.answer(.full)
    #expect(seller.selling.isOpening)
    second.answer(.full)
    await until { seller.form != nil }
    await seller.settle()

    #expect(call.isCancelled && !seller.selling.isOpening)
  }

  @Test func `other keys of a seller work while a form is waited for`() async throws {
    let repository = GatedProductRepository(capabilities: nil, answersCancelledCalls: false)
    let seller = TestSeller(.sample(repository))
    seller.selling.sell()
    let call = try await repository.capabilityCalls.next()

    seller.selling.delete(stage.product)
    call.answer(.full)
    seller.enter("secret")
    try await repository.verifications.next().answer(())
    await until { seller.question != nil }

    #expect(call.isCancelled && seller.form == nil && !seller.selling.isOpening)
  }

  @Test func `a file that ends too early is told about and becomes a photo`() async {
    let seller = await stage.filled()

    seller.formModel?.addPhotos(named: "cut.jpg")
    await until { !seller.notices.isEmpty }

    expect(seller.notices, [.hint(.photoCut)])
    expect(seller.form?.photos.photos.count, 2)
  }

  @Test func `a file that cannot be read is told about and leaves no photo`() async {
    let seller = await stage.filled()

    seller.formModel?.addPhotos(named: "missing")
    await until { !seller.notices.isEmpty }

    expect(seller.notices, [.photoFailed(name: "missing", .notFound)])
    expect(seller.form?.photos.photos.count, 1)
  }

  // MARK: Passwords that go while a flow stands

  @Test func `a password that is wiped before the last answer is asked for again`() async throws {
    let seller = stage.makeSeller()
    seller.selling.delete(stage.product)
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    await until { seller.question != nil }

    seller.selling.passwordCache.forget()
    seller.question?.answer(true)
    await until { seller.prompt != nil }

    #expect(seller.gate?.phase == .asking(nil) && stage.repository.deletions.callCount == 0)
  }

  @Test func `a password that an edit was refused is not sent again`() async throws {
    let seller = try await stage.editing()
    seller.edit { $0.write("!", in: .name) }
    await stage.submit(seller)
    try await stage.repository.updates.next().fail(.wrongPassword)
    await until { seller.prompt != nil }
    seller.prompt?.cancel()
    await seller.settle()

    seller.formModel?.submit()
    await seller.settle()

    #expect(seller.prompt != nil && seller.question == nil)
    expect(stage.repository.updates.callCount, 1)
  }
}
