import EditorKit
import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// Registrations that are begun without a market and go out when it is there.
struct OutboxTests {
  private let repository = GatedProductRepository(
    capabilities: nil, answersCancelledCalls: false)
  private let drafts = FakeDrafts()
  private let reach = ReachabilityMonitor()

  private func makeSeller(seen: (any ProductCache)? = nil) -> TestSeller {
    let seller = TestSeller(
      .sample(
        repository, drafts: drafts, clock: ManualClock(), reach: reach, seen: seen))
    _ = seller.selling
    return seller
  }

  /// A form that was opened while the market did not answer, filled in except for the password.
  private func filledOffline() async throws -> TestSeller {
    let seller = makeSeller()
    reach.didFail(.unreachable(.refused))
    seller.selling.sell()
    try await repository.capabilityCalls.next().fail(.unreachable(.refused))
    await until { seller.form != nil }
    await seller.fillIn()
    return seller
  }

  /// A draft of it that waits.
  private func leftWaiting() async throws -> TestSeller {
    let seller = try await filledOffline()
    seller.formModel?.submit()
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { !seller.isActive && seller.notices.last == .hint(.draftIsQueued) }
    return seller
  }

  @Test func `a form opens without its market and says that it is not there`() async throws {
    let seller = try await filledOffline()

    expect(seller.formModel?.isGuessed, true)
    expect(seller.notices, [.hint(.formOffline)])
  }

  @Test func `a form without its market is as the market was when it could be asked`() async throws
  {
    var remembered = RepositoryCapabilities.full
    remembered.currencies = .only([.usd])
    let seller = makeSeller(seen: SeenProducts(capabilities: remembered))
    seller.selling.sell()

    try await repository.capabilityCalls.next().fail(.unreachable(.refused))
    await until { seller.form != nil }

    #expect(seller.form?.capabilities == remembered && seller.formModel?.isGuessed == true)
  }

  @Test func `what else the market says than nothing opens no form`() async throws {
    let seller = makeSeller()
    seller.selling.sell()

    try await repository.capabilityCalls.next().fail(.badAnswer(.notAMarket))
    await until { !seller.notices.isEmpty }

    #expect(seller.form == nil)
  }

  @Test func `sending without the market keeps a draft that waits, and no password`() async throws {
    let seller = try await leftWaiting()

    let saved = await drafts.drafts()
    #expect(saved.map(\.isWaiting) == [true] && saved.first?.values.photos.count == 1)
    expect(seller.notices.last, .hint(.draftIsQueued))
    expect(repository.registrations.callCount, 0)
  }

  @Test func `a template that is sent as it is waits as well`() async throws {
    let first = try await filledOffline()
    let values = first.form?.values ?? FormValues()
    first.formModel?.leave()
    await first.settle()
    for draft in await drafts.drafts() { await drafts.delete(draft.id) }
    _ = await drafts.save(
      Draft(
        id: Draft.ID(rawValue: "t"), target: .registration, key: IdempotencyKey(rawValue: "t"),
        templateName: "cup", values: values, changed: Timestamp(seconds: 0)))
    let seller = makeSeller()
    seller.selling.sell()
    await until { seller.drafts != nil }
    seller.drafts?.move(.first)
    seller.drafts?.choose()
    try await repository.capabilityCalls.next().fail(.unreachable(.refused))
    await until { seller.form != nil }
    seller.edit { $0.setPassword("secret") }

    seller.formModel?.submit()
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { !seller.isActive && seller.notices.last == .hint(.draftIsQueued) }

    let saved = await drafts.drafts().filter { !$0.isTemplate }
    #expect(saved.map(\.isWaiting) == [true] && saved.first?.values == values)
  }

  @Test func `what is wrong with a form is said also without the market`() async throws {
    let seller = try await filledOffline()
    seller.edit { $0.clear(.name) }

    seller.formModel?.submit()
    await seller.settle()

    #expect(seller.form?.problems == [.name: .missing] && repository.pages.callCount == 0)
  }

  @Test func `a market that is there again meanwhile gets the form after its question`()
    async throws
  {
    let seller = try await filledOffline()
    seller.edit { $0.setPassword("secret") }

    seller.formModel?.submit()
    try await repository.pages.next().answer(
      ProductPage(products: [], total: .unknown, next: nil))
    try await repository.capabilityCalls.next().answer(.full)
    await until { seller.question != nil }

    #expect(seller.formModel?.isGuessed == false && !reach.isAway)
  }

  @Test func `what a market has no field for is said before the question, and not sent`()
    async throws
  {
    let seller = try await filledOffline()
    seller.edit { form in
      form.setPassword("secret")
      form.choose("sports", for: .category)
      form.write("서울", in: .place)
    }

    seller.formModel?.submit()
    try await repository.pages.next().answer(
      ProductPage(products: [], total: .unknown, next: nil))
    try await repository.capabilityCalls.next().answer(.withUniversalFields)
    await until { seller.question != nil }
    expect(seller.notices.last, .dropped([.category, .place]))
    seller.question?.confirm()
    let sent = try await repository.registrations.next()

    #expect(sent.request.registration.category == nil && sent.request.registration.place == nil)
    sent.answer(.sample())
    await until { !seller.isActive }
  }

  @Test func `a draft goes on in a market that has fewer fields, which says what it left out`()
    async throws
  {
    let seller = try await filledOffline()
    seller.edit { $0.write("서울", in: .place) }
    seller.formModel?.submit()
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { !seller.isActive && seller.notices.last == .hint(.draftIsQueued) }
    reach.didAnswer()
    await until { seller.waiting != nil }
    seller.waiting?.confirm()
    await seller.settle()
    seller.waiting?.edit { $0.type("secret") }

    seller.waiting?.confirm()
    try await repository.capabilityCalls.next().answer(.withUniversalFields)
    let sent = try await repository.registrations.next()

    expect(sent.request.registration.place, nil)
    #expect(seller.notices.contains(.dropped([.place])))
    sent.answer(.sample())
    await until { !seller.isActive }
  }

  @Test func `when the market is back one box asks, then the draft goes out once with its key`()
    async throws
  {
    let seller = try await leftWaiting()
    let key = await drafts.drafts().first?.key

    reach.didAnswer()
    await until { seller.waiting != nil }
    expect(seller.waiting?.draft.values.name, "Bicycle")
    seller.waiting?.confirm()
    await seller.settle()
    seller.waiting?.edit { $0.type("secret") }
    seller.waiting?.confirm()
    try await repository.capabilityCalls.next().answer(.full)
    let sent = try await repository.registrations.next()

    #expect(sent.request.key == key && sent.request.registration.name == "Bicycle")
    #expect(sent.request.registration.password.byteCount == 6 && seller.question == nil)
    sent.answer(.sample())
    await until { !seller.isActive }
    #expect(await drafts.drafts().isEmpty && seller.outcomes.count == 1)
  }

  @Test func `what is put off stays a draft and is offered when the market comes back again`()
    async throws
  {
    let seller = try await leftWaiting()
    reach.didAnswer()
    await until { seller.waiting != nil }

    seller.waiting?.cancel()
    await seller.settle()
    reach.didAnswer()
    #expect(!seller.isActive)
    reach.didFail(.unreachable(.timedOut))
    reach.didAnswer()
    await until { seller.waiting != nil }

    await expect(drafts.drafts().first?.isWaiting, true)
    expect(repository.registrations.callCount, 0)
  }

  @Test func `each one that waits is offered once, that which waits longest first`() async {
    for number in 1...2 as ClosedRange<Int64> {
      _ = await drafts.save(
        Draft(
          id: Draft.ID(rawValue: "\(number)"), target: .registration,
          key: IdempotencyKey(rawValue: "\(number)"), isWaiting: true, values: FormValues(),
          changed: Timestamp(seconds: number)))
    }
    let seller = makeSeller()
    reach.didAnswer()
    await until { seller.waiting != nil }
    let first = seller.waiting

    first?.cancel()
    await until { seller.waiting != nil && seller.waiting !== first }

    #expect(first?.draft.id.rawValue == "1" && first?.count == 2)
    #expect(seller.waiting?.draft.id.rawValue == "2" && seller.waiting?.count == 1)
  }

  @Test func `an answer that is no market's keeps the form, and nothing waits`() async throws {
    let seller = try await filledOffline()
    seller.formModel?.submit()

    try await repository.pages.next().fail(.badAnswer(.notAMarket))
    await until { seller.notices.last == .notSent(.badAnswer(.notAMarket), keepsForm: true) }

    #expect(seller.form != nil && seller.dialog == nil)
    #expect(await drafts.drafts().allSatisfy { !$0.isWaiting })
  }

  @Test func `the box waits for what is open, and for no longer`() async throws {
    let seller = try await leftWaiting()
    seller.selling.delete(ListedProduct(.sample(id: 7)))
    reach.didAnswer()
    await until { seller.prompt != nil }
    #expect(seller.waiting == nil)

    seller.prompt?.cancel()
    await until { seller.waiting != nil }

    #expect(seller.prompt == nil)
  }

  @Test func `what the market refuses is mended in the form`() async throws {
    let seller = try await leftWaiting()
    reach.didAnswer()
    await until { seller.waiting != nil }
    seller.waiting?.confirm()
    await seller.settle()
    seller.waiting?.edit { $0.type("secret") }
    seller.waiting?.confirm()
    try await repository.capabilityCalls.next().answer(.full)

    try await repository.registrations.next().fail(.invalid([FieldError(.stock, .negative)]))
    await until { seller.dialog == nil }

    expect(seller.form?.problems, [.stock: .negative])
    await expect(drafts.drafts().first?.isWaiting, true)
  }

  @Test func `an error is an answer unless nobody gave it`() {
    reach.didFail(.unreachable(.refused))
    reach.didFail(.cancelled)
    #expect(reach.isAway)

    reach.didFail(.notFound)

    #expect(!reach.isAway)
  }

  @Test func `a watched repository notes answers, and no memory of them`() async throws {
    let watched = ReachabilityTrackingRepository(repository, reach: reach)
    let page = Task { try? await watched.page(PageRequest(size: 1)) }
    try await repository.pages.next().fail(.unreachable(.refused))
    _ = await page.value
    #expect(reach.isAway)

    let capabilities = Task { try? await watched.capabilities() }
    try await repository.capabilityCalls.next().answer(.full)
    _ = await capabilities.value
    #expect(reach.isAway)
    let again = Task { try? await watched.page(PageRequest(size: 1)) }
    try await repository.pages.next().answer(
      ProductPage(products: [], total: .unknown, next: nil))
    _ = await again.value

    #expect(!reach.isAway)
  }
}
