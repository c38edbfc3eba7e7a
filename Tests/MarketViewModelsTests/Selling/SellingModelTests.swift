import EditorKit
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SellingModelTests {
  private let stage = SellingStage()

  @Test func `a registration goes out once, however often one presses`() async {
    let selling = await stage.sellingFilled()
    await stage.ask(selling)

    selling.confirmAnswer()
    selling.confirmAnswer()
    selling.submit()
    let call = await stage.repository.registrations.next()
    call.answer(.sample(of: stage.product.product))
    await until { !selling.isActive }

    #expect(stage.repository.registrations.callCount == 1)
    #expect(await stage.drafts.drafts().isEmpty)
  }

  @Test func `a retry after a time-out carries the same key`() async {
    let selling = await stage.sellingFilled()
    await stage.submit(selling)
    let first = await stage.repository.registrations.next()

    first.fail(.unreachable(.timedOut))
    await until { selling.dialog == nil }
    await stage.submit(selling)
    let second = await stage.repository.registrations.next()

    #expect(first.request.key == second.request.key)
    #expect(await stage.drafts.drafts().first?.wasSent == true)
    second.answer(.sample())
  }

  @Test func `after an earlier try came through with other values the form goes out anew`() async {
    let selling = await stage.sellingFilled()
    await stage.submit(selling)
    let first = await stage.repository.registrations.next()

    first.fail(.keyReused)
    await until { selling.dialog == nil }
    await stage.submit(selling)
    let second = await stage.repository.registrations.next()

    #expect(selling.form?.name.text == "Bicycle")
    #expect(first.request.key != second.request.key)
    second.answer(.sample())
  }

  @Test func `an answer that comes after a cancel and a new attempt ends both`() async {
    let selling = await stage.sellingFilled()
    await stage.submit(selling)
    let first = await stage.repository.registrations.next()
    selling.cancelSending()
    await stage.submit(selling)
    let second = await stage.repository.registrations.next()

    first.answer(.sample(of: stage.product.product))
    await until { !selling.isActive }

    #expect(selling.registered == [stage.product.id] && second.isCancelled)
    second.answer(.sample(of: stage.product.product))
  }

  @Test func `what the market refuses lands on its field and nothing is lost`() async {
    let selling = await stage.sellingFilled()
    await stage.submit(selling)

    await stage.repository.registrations.next().fail(.invalid([FieldError(.stock, .negative)]))
    await until { selling.dialog == nil }

    #expect(selling.form?.focus == .stock && selling.form?.name.text == "Bicycle")
  }

  @Test func `wrong passwords are counted and the prompt stays`() async {
    let selling = stage.makeSelling()
    selling.beginEdit(of: stage.product)

    for count in 1...3 {
      selling.enter("wrong")
      await stage.repository.verifications.next().fail(.wrongPassword)
      await until { selling.gate?.wrongCount == count }
    }

    #expect(selling.gate?.phase == .asking(.wrongPassword) && selling.form == nil)
  }

  @Test func `the answer to a prompt that was left opens nothing`() async {
    let selling = stage.makeSelling()
    selling.beginEdit(of: stage.product)
    selling.enter("secret")
    let late = await stage.repository.verifications.next()
    selling.cancelPassword()
    selling.cancelPassword()
    selling.beginDeletion(of: stage.product)

    late.answer(())
    selling.enter("secret")
    await stage.repository.verifications.next().fail(.wrongPassword)
    await until { selling.gate?.wrongCount == 1 }

    #expect(selling.form == nil && !selling.isAsking)
  }

  @Test func `only what was changed is sent, with the version that was read`() async {
    let selling = await stage.sellingEdit()
    selling.edit { $0.write("!", in: .name) }
    await stage.submit(selling)

    let edit = await stage.repository.updates.next()

    #expect(edit.request.patch == ProductPatch(name: "Bicycle!"))
    #expect(edit.request.expected == ProductVersion(rawValue: "1"))
    edit.answer(.sample())
  }

  @Test func `nothing changed means nothing sent`() async {
    let selling = await stage.sellingEdit()

    selling.submit()

    #expect(!selling.isActive && stage.repository.updates.callCount == 0)
  }

  @Test func `another version is shown beside one's own, and sent over the new one`() async {
    let selling = await stage.sellingEdit()
    selling.edit { $0.write("!", in: .name) }
    await stage.submit(selling)
    let theirs = ProductDetail.sample(
      of: .sample(id: 7, name: "Bike"), version: ProductVersion(rawValue: "2"))

    await stage.repository.updates.next().fail(.conflict(current: theirs))
    await until { selling.isInConflict }
    selling.resolveConflict()
    await stage.submit(selling)
    let second = await stage.repository.updates.next()

    #expect(second.request.expected == ProductVersion(rawValue: "2"))
    #expect(second.request.patch == ProductPatch(name: "Bicycle!"))
    second.answer(.sample())
  }

  @Test func `a conflict with one's own lost attempt is a success`() async {
    let selling = await stage.sellingEdit()
    selling.edit { $0.write("!", in: .name) }
    await stage.submit(selling)
    let mine = ProductDetail.sample(
      of: .sample(id: 7, name: "Bicycle!"), version: ProductVersion(rawValue: "2"))

    await stage.repository.updates.next().fail(.conflict(current: mine))
    await until { !selling.isActive }

    #expect(selling.edits.count == 1)
  }

  @Test func `a deletion asks with no as its answer`() async {
    let selling = stage.makeSelling()
    selling.beginDeletion(of: stage.product)
    selling.enter("secret")
    await stage.repository.verifications.next().answer(())
    await until { selling.isAsking }

    selling.confirmAnswer()

    #expect(!selling.isActive && stage.repository.deletions.callCount == 0)
  }

  @Test func `who sells is saved when there is room again`() async {
    let accounts = FakeAccounts()
    await accounts.setFull(true)
    let selling = SellingModel.sample(stage.repository, accounts: accounts)
    var account = await accounts.account()
    account.name = "Hana"
    await selling.keep(account)
    #expect(await accounts.account().name != "Hana")

    await accounts.setFull(false)
    await selling.loadShelf()

    #expect(await accounts.account().name == "Hana")
  }

  @Test func `what somebody else has deleted meanwhile leaves the list as well`() async {
    let selling = stage.makeSelling()
    var gone: [Product.ID] = []
    selling.didFinish = { if case .deleted(let id) = $0 { gone.append(id) } }
    selling.beginDeletion(of: stage.product)
    selling.enter("secret")
    await stage.repository.verifications.next().answer(())
    await until { selling.isAsking }

    selling.answer(true)
    await stage.repository.deletions.next().fail(.notFound)
    await until { !selling.isActive }

    #expect(gone == [stage.product.id])
  }

  @Test func `the photo that goes is the one that was asked about`() async {
    let selling = stage.makeSelling()
    selling.beginRegistration()
    await until { selling.form != nil }
    selling.addPhotos(named: "/a.jpg")
    await until { selling.form?.photos.photos.count == 1 }
    selling.edit { form in form.editPhotos { $0.select(0) } }

    selling.addPhotos(named: "/b.jpg")
    selling.askToRemovePhoto()
    await until { selling.form?.photos.photos.count == 2 }
    selling.answer(true)

    #expect(selling.form?.photos.photos.map(\.name) == ["b.jpg"])
  }

  @Test func `a form that a silent market has not answered for can be left`() async {
    let repository = GatedProductRepository(capabilities: nil, answersCancelledCalls: false)
    let selling = SellingModel.sample(repository)
    selling.beginRegistration()
    let call = await repository.capabilityCalls.next()
    #expect(selling.isOpening && !selling.isActive)

    selling.cancelOpening()
    selling.beginRegistration()
    let second = await repository.capabilityCalls.next()
    call.answer(.full)
    #expect(selling.isOpening)
    second.answer(.full)
    await until { selling.form != nil }

    #expect(call.isCancelled && !selling.isOpening)
  }

  @Test func `other keys of a seller work while a form is waited for`() async {
    let repository = GatedProductRepository(capabilities: nil, answersCancelledCalls: false)
    let selling = SellingModel.sample(repository)
    selling.beginRegistration()
    let call = await repository.capabilityCalls.next()

    selling.beginDeletion(of: stage.product)
    call.answer(.full)
    selling.enter("secret")
    await repository.verifications.next().answer(())
    await until { selling.isAsking }

    #expect(call.isCancelled && selling.form == nil && !selling.isOpening)
  }

  @Test func `a file that cannot be read is told about and leaves no photo`() async {
    let selling = await stage.sellingFilled()

    let notice = await withCheckedContinuation { continuation in
      selling.didAnnounce = { continuation.resume(returning: $0) }
      selling.addPhotos(named: "missing")
    }

    #expect(notice == .photoFailed(name: "missing", .notFound))
    #expect(selling.form?.photos.photos.count == 1)
  }
}
