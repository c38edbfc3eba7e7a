import EditorKit
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SellingModelTests {
  private let repository = GatedProductRepository(answersCancelledCalls: false)
  private let drafts = FakeDrafts()
  private let clock = ManualClock()
  private let product = ListedProduct(.sample(id: 7, name: "Bicycle"))

  private func makeSelling() -> SellingModel {
    .sample(repository, drafts: drafts, clock: clock)
  }

  /// A form for a new product in which everything keeps the rules.
  private func sellingFilled() async -> SellingModel {
    let selling = makeSelling()
    selling.beginRegistration()
    await until { selling.form != nil }
    selling.addPhotos(named: "/a.jpg")
    await until { selling.form?.photos.photos.first?.picture != nil }
    await until { selling.form?.photos.isBusy == false }
    selling.edit { form in
      form.write("Bicycle", in: .name)
      form.write("1000", in: .price)
      form.write("As good as new.", in: .description)
      form.editPassword { $0.type("secret") }
    }
    return selling
  }

  private func ask(_ selling: SellingModel) async {
    selling.submit()
    await until { selling.isAsking }
  }

  /// The form of a product, its password given.
  private func sellingEdit() async -> SellingModel {
    let selling = makeSelling()
    selling.beginEdit(of: product)
    selling.enter("secret")
    await repository.verifications.next().answer(())
    await repository.details.next().answer(.sample(of: product.product))
    await until { selling.form != nil }
    return selling
  }

  @Test func `a registration goes out once, however often one presses`() async {
    let selling = await sellingFilled()
    await ask(selling)

    selling.confirmAnswer()
    selling.confirmAnswer()
    selling.submit()
    let call = await repository.registrations.next()
    call.answer(.sample(of: product.product))
    await until { !selling.isActive }

    #expect(repository.registrations.callCount == 1)
    #expect(await drafts.drafts().isEmpty)
  }

  @Test func `a retry after a time-out carries the same key`() async {
    let selling = await sellingFilled()
    await ask(selling)
    selling.confirmAnswer()
    let first = await repository.registrations.next()

    first.fail(.unreachable(.timedOut))
    await until { selling.dialog == nil }
    await ask(selling)
    selling.confirmAnswer()
    let second = await repository.registrations.next()

    #expect(first.request.key == second.request.key)
    #expect(await drafts.drafts().first?.wasSent == true)
    second.answer(.sample())
  }

  @Test func `an answer that comes after a cancel and a new attempt ends both`() async {
    let selling = await sellingFilled()
    await ask(selling)
    selling.confirmAnswer()
    let first = await repository.registrations.next()
    selling.cancelSending()
    await ask(selling)
    selling.confirmAnswer()
    let second = await repository.registrations.next()

    first.answer(.sample(of: product.product))
    await until { !selling.isActive }

    #expect(selling.registered == [product.id] && second.isCancelled)
    second.answer(.sample(of: product.product))
  }

  @Test func `what the market refuses lands on its field and nothing is lost`() async {
    let selling = await sellingFilled()
    await ask(selling)
    selling.confirmAnswer()

    await repository.registrations.next().fail(.invalid([FieldError(.stock, .negative)]))
    await until { selling.dialog == nil }

    #expect(selling.form?.focus == .stock && selling.form?.name.text == "Bicycle")
  }

  @Test func `wrong passwords are counted and the prompt stays`() async {
    let selling = makeSelling()
    selling.beginEdit(of: product)

    for count in 1...3 {
      selling.enter("wrong")
      await repository.verifications.next().fail(.wrongPassword)
      await until { selling.gate?.wrongCount == count }
    }

    #expect(selling.gate?.phase == .asking(.wrongPassword) && selling.form == nil)
  }

  @Test func `the answer to a prompt that was left opens nothing`() async {
    let selling = makeSelling()
    selling.beginEdit(of: product)
    selling.enter("secret")
    let late = await repository.verifications.next()
    selling.cancelPassword()
    selling.cancelPassword()
    selling.beginDeletion(of: product)

    late.answer(())
    selling.enter("secret")
    await repository.verifications.next().fail(.wrongPassword)
    await until { selling.gate?.wrongCount == 1 }

    #expect(selling.form == nil && !selling.isAsking)
  }

  @Test func `only what was changed is sent, with the version that was read`() async {
    let selling = await sellingEdit()
    selling.edit { $0.write("!", in: .name) }
    await ask(selling)
    selling.confirmAnswer()

    let edit = await repository.updates.next()

    #expect(edit.request.patch == ProductPatch(name: "Bicycle!"))
    #expect(edit.request.expected == ProductVersion(rawValue: "1"))
    edit.answer(.sample())
  }

  @Test func `nothing changed means nothing sent`() async {
    let selling = await sellingEdit()

    selling.submit()

    #expect(!selling.isActive && repository.updates.callCount == 0)
  }

  @Test func `another version is shown beside one's own, and sent over the new one`() async {
    let selling = await sellingEdit()
    selling.edit { $0.write("!", in: .name) }
    await ask(selling)
    selling.confirmAnswer()
    let theirs = ProductDetail.sample(
      of: .sample(id: 7, name: "Bike"), version: ProductVersion(rawValue: "2"))

    await repository.updates.next().fail(.conflict(current: theirs))
    await until { selling.isInConflict }
    selling.resolveConflict()
    await ask(selling)
    selling.confirmAnswer()
    let second = await repository.updates.next()

    #expect(second.request.expected == ProductVersion(rawValue: "2"))
    #expect(second.request.patch == ProductPatch(name: "Bicycle!"))
    second.answer(.sample())
  }

  @Test func `a conflict with one's own lost attempt is a success`() async {
    let selling = await sellingEdit()
    selling.edit { $0.write("!", in: .name) }
    await ask(selling)
    selling.confirmAnswer()
    let mine = ProductDetail.sample(
      of: .sample(id: 7, name: "Bicycle!"), version: ProductVersion(rawValue: "2"))

    await repository.updates.next().fail(.conflict(current: mine))
    await until { !selling.isActive }

    #expect(selling.edits.count == 1)
  }

  @Test func `a deletion asks with no as its answer`() async {
    let selling = makeSelling()
    selling.beginDeletion(of: product)
    selling.enter("secret")
    await repository.verifications.next().answer(())
    await until { selling.isAsking }

    selling.confirmAnswer()

    #expect(!selling.isActive && repository.deletions.callCount == 0)
  }

  @Test func `a draft follows a change and comes back with the caret`() async {
    let selling = await sellingFilled()
    selling.edit { form in
      form.focus(.name)
      form.edit(TextChange { $0.move(.wordLeft) })
    }
    await clock.sleeps(of: .milliseconds(300)).next().answer(())
    await until { selling.savedAt != nil }
    selling.leave()

    let next = makeSelling()
    next.beginRegistration()
    await until { next.dialog != nil }
    next.chooseDraft()
    await until { next.form != nil }

    #expect(next.form?.name.text == "Bicycle" && next.form?.name.buffer.caret == 0)
    #expect(next.form?.focus == .name && next.form?.photos.photos.count == 1)
    #expect(next.form?.password.isEmpty == true)
  }

  @Test func `a file that cannot be read is told about and leaves no photo`() async {
    let selling = await sellingFilled()

    let notice = await withCheckedContinuation { continuation in
      selling.didAnnounce = { continuation.resume(returning: $0) }
      selling.addPhotos(named: "missing")
    }

    #expect(notice == .photoFailed(name: "missing", .notFound))
    #expect(selling.form?.photos.photos.count == 1)
  }

  @Test func `an edit is taken back by its old values`() async {
    let selling = await sellingEdit()
    selling.edit { $0.write("!", in: .name) }
    await ask(selling)
    selling.confirmAnswer()
    let after = ProductDetail.sample(
      of: .sample(id: 7, name: "Bicycle!"), version: ProductVersion(rawValue: "2"))
    await repository.updates.next().answer(after)
    await until { !selling.isActive }

    selling.beginUndo()
    selling.enter("secret")
    await repository.verifications.next().answer(())
    await until { selling.isAsking }
    selling.confirmAnswer()
    let undo = await repository.updates.next()

    #expect(undo.request.patch == ProductPatch(name: "Bicycle"))
    #expect(undo.request.expected == ProductVersion(rawValue: "2"))
    undo.answer(.sample())
    await until { selling.edits.isEmpty }
  }
}

extension SellingModel {
  fileprivate var isAsking: Bool {
    if case .question = dialog { true } else { false }
  }

  fileprivate var isInConflict: Bool {
    if case .conflict = dialog { true } else { false }
  }

  fileprivate var gate: PasswordGate? {
    if case .password(let prompt) = dialog { prompt.gate } else { nil }
  }
}
