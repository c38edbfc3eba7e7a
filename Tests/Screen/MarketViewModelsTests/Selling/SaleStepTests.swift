import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// Steps of a product's sale: reserved or not, and sold or not.
struct SaleStepTests {
  private let stage = SellingStage()

  private func detail(
    stock: Int64 = 3, isReserved: Bool = false, version: String = "1"
  ) -> ProductDetail {
    var product = stage.product.product
    product.stock = stock
    product.isReserved = isReserved
    return .sample(of: product, version: ProductVersion(rawValue: version))
  }

  /// Makes a step with its password, over what the market has; hands out what is sent.
  private func make(
    _ step: SaleStep, over detail: ProductDetail, _ seller: TestSeller, asks: Bool = true
  ) async throws -> GatedCall<GatedProductRepository.Edit, ProductDetail> {
    seller.selling.make(step, of: stage.product)
    try await stage.repository.details.next().answer(detail)
    if asks {
      await until { seller.prompt != nil }
      seller.enter("secret")
      try await stage.repository.verifications.next().answer(())
    }
    return try await stage.repository.updates.next()
  }

  @Test func `a step asks for the password and no question, and says what came of it`() async throws
  {
    let seller = stage.makeSeller()

    let call = try await make(.reserve, over: detail(), seller)
    let after = detail(isReserved: true, version: "2")
    call.answer(after)
    await until { !seller.isActive }

    var patch = ProductPatch()
    patch.isReserved = true
    #expect(call.request.patch == patch && call.request.secret == "secret")
    expect(call.request.expected, ProductVersion(rawValue: "1"))
    expect(seller.outcomes, [.changed(after)])
    expect(seller.notices, [.sold(.step(.reserve))])
    expect(seller.notices.last?.commands, ["undo-edit"])
  }

  @Test func `with the password that is kept a step is one key`() async throws {
    let seller = TestSeller(
      .sample(stage.repository, drafts: stage.drafts, clock: stage.clock), keepsPasswords: true)
    let starting = Task { await seller.selling.start() }
    try await stage.repository.sellers.next().answer(nil)
    await starting.value
    try await make(.reserve, over: detail(), seller).answer(detail(isReserved: true, version: "2"))
    await until { !seller.isActive }

    let call = try await make(
      .sell, over: detail(isReserved: true, version: "2"), seller, asks: false)

    expect(call.request.patch, ProductPatch(stock: 0))
    call.answer(detail(stock: 0, version: "3"))
    await until { !seller.isActive }
    expect(seller.notices.last, .sold(.step(.sell)))
  }

  @Test func `a wrong password is asked for again`() async throws {
    let seller = stage.makeSeller()

    try await make(.sell, over: detail(), seller).fail(.wrongPassword)
    await until { seller.gate?.phase == .asking(.wrongPassword) }
    seller.enter("right")
    try await stage.repository.verifications.next().answer(())
    let again = try await stage.repository.updates.next()

    #expect(again.request.secret == "right" && again.request.patch == ProductPatch(stock: 0))
    again.answer(detail(stock: 0))
    await until { !seller.isActive }
  }

  @Test func `undo brings back stock and reservation, and redo takes both again`() async throws {
    let seller = stage.makeSeller()
    try await make(.sell, over: detail(isReserved: true), seller).answer(
      detail(stock: 0, version: "2"))
    await until { !seller.isActive }

    seller.selling.undo()
    let undo = try await stage.confirmUndo(seller)
    var back = ProductPatch(stock: 3)
    back.isReserved = true
    expect(undo.request.patch, back)
    undo.answer(detail(isReserved: true, version: "3"))
    await until { !seller.isActive && seller.selling.canRedo }

    seller.selling.redo()
    let redo = try await stage.confirmUndo(seller)
    #expect(redo.request.patch.stock == 0 && redo.request.patch.isReserved == false)
    redo.answer(detail(stock: 0, version: "4"))
    await until { seller.selling.hasEdits }
  }

  @Test func `what has the step already is not sent, and its row shown as it is`() async throws {
    let seller = stage.makeSeller()
    seller.selling.make(.reserve, of: stage.product)
    try await stage.repository.details.next().answer(detail(isReserved: true))
    await until { !seller.notices.isEmpty }

    #expect(seller.notices == [.hint(.nothingChanged)] && seller.prompt == nil)
    expect(seller.outcomes, [.changed(detail(isReserved: true))])
  }

  @Test func `what was sold meanwhile is not reserved`() async throws {
    let seller = stage.makeSeller()
    seller.selling.make(.reserve, of: stage.product)
    try await stage.repository.details.next().answer(detail(stock: 0))
    await until { !seller.notices.isEmpty }

    #expect(seller.notices == [.hint(.soldNotReserved)] && seller.prompt == nil)
    expect(seller.outcomes, [.changed(detail(stock: 0))])
  }

  @Test func `an answer that got lost is found in the conflict of the next attempt`() async throws {
    let seller = stage.makeSeller()

    let after = detail(stock: 0, version: "2")
    try await make(.sell, over: detail(), seller).fail(.conflict(current: after))
    await until { !seller.isActive }

    #expect(seller.outcomes == [.changed(after)] && seller.selling.hasEdits)
    expect(seller.notices, [.sold(.step(.sell))])
  }

  @Test func `what others changed meanwhile is said, and nothing kept`() async throws {
    let seller = stage.makeSeller()

    let theirs = detail(stock: 7, version: "2")
    try await make(.sell, over: detail(), seller).fail(.conflict(current: theirs))
    await until { !seller.isActive }

    expect(seller.notices, [.notSent(.conflict(current: theirs), keepsForm: false)])
    #expect(await stage.drafts.drafts().isEmpty)
  }

  // MARK: Without a connection

  /// Makes a step while the market does not answer.
  private func makeAway(_ step: SaleStep, _ seller: TestSeller) async throws {
    let count = seller.notices.count
    seller.selling.make(step, of: stage.product)
    try await stage.repository.details.next().fail(.unreachable(.refused))
    await until { seller.notices.count > count && !seller.isActive }
  }

  @Test func `without a connection a step is kept as a draft, in which the next one is made`()
    async throws
  {
    let seller = stage.makeSeller()

    try await makeAway(.reserve, seller)
    let reserved = await stage.drafts.drafts()
    try await makeAway(.sell, seller)
    let both = await stage.drafts.drafts()

    expect(seller.notices, [.hint(.draftIsQueued), .hint(.draftIsQueued)])
    expect(reserved.map(\.target), [.edit(stage.product.id)])
    #expect(reserved.first?.changedFields == [.reserved] && reserved.first?.isWaiting == true)
    expect(both.map(\.id), reserved.map(\.id))
    #expect(both.first?.changedFields == [.stock] && both.first?.values.name == "Bicycle")
    try await makeAway(.reserve, seller)
    expect(seller.notices.last, .hint(.soldNotReserved))
    await expect(stage.drafts.drafts(), both)
  }

  @Test(arguments: [[SaleStep.reserve, .endReservation], [.sell, .restock]])
  func `a step that is taken back without a connection leaves no draft`(steps: [SaleStep])
    async throws
  {
    let seller = stage.makeSeller()
    try await makeAway(steps[0], seller)

    try await makeAway(steps[1], seller)

    expect(seller.notices.last, .hint(.nothingChanged))
    #expect(await stage.drafts.drafts().isEmpty)
  }

  /// A draft of the product that was left, with its price and perhaps more changed.
  private func leaveDraft(_ fields: Set<ProductField>, isWaiting: Bool) async {
    var values = FormValues(detail())
    (values[.price], values[.reserved]) = ("5", "yes")
    _ = await stage.drafts.save(
      Draft(
        id: Draft.ID(rawValue: "left"), target: .edit(stage.product.id),
        key: IdempotencyKey(rawValue: "left"), isWaiting: isWaiting, values: values,
        changedFields: fields, changed: Timestamp(seconds: 0)))
  }

  @Test(arguments: [true, false])
  func `a step makes no draft wait that changes more`(isWaiting: Bool) async throws {
    await leaveDraft([.price], isWaiting: isWaiting)
    let seller = stage.makeSeller()

    try await makeAway(.reserve, seller)

    let draft = await stage.drafts.drafts().first
    expect(seller.notices, [.hint(isWaiting ? .draftIsQueued : .draftSaved)])
    #expect(draft?.id.rawValue == "left" && draft?.isWaiting == isWaiting)
    #expect(draft?.changedFields == [.price, .reserved] && draft?.values[.price] == "5")
  }

  @Test func `a step that waits is taken back also by a market that is there`() async throws {
    await leaveDraft([.reserved], isWaiting: true)
    let seller = stage.makeSeller()

    seller.selling.make(.endReservation, of: stage.product)
    try await stage.repository.details.next().answer(detail())
    await until { !seller.notices.isEmpty && !seller.isActive }
    await seller.selling.drafts.outliving.finish()

    expect(seller.notices, [.hint(.nothingChanged)])
    #expect(await stage.drafts.drafts().isEmpty)
  }

  @Test(arguments: [false, true])
  func `a step that is sent leaves what else a draft changes`(changesMore: Bool) async throws {
    await leaveDraft(changesMore ? [.reserved, .price] : [.reserved], isWaiting: true)
    let seller = stage.makeSeller()

    try await make(.sell, over: detail(), seller).answer(detail(stock: 0, version: "2"))
    await until { !seller.isActive }
    await seller.selling.drafts.outliving.finish()

    await expect(stage.drafts.drafts().count, changesMore ? 1 : 0)
  }

  @Test func `a step whose market goes away while it is sent is kept as well`() async throws {
    let seller = stage.makeSeller()

    try await make(.sell, over: detail(), seller).fail(.unreachable(.timedOut))
    await until { !seller.notices.isEmpty && !seller.isActive }

    await expect(stage.drafts.drafts().map(\.changedFields), [[.stock]])
  }

  @Test
  func `an edit that waited is offered when the market is there, and sent over what it is by then`()
    async throws
  {
    let reach = ReachabilityMonitor()
    let seller = TestSeller(
      .sample(stage.repository, drafts: stage.drafts, clock: stage.clock, reach: reach))
    reach.didFail(.unreachable(.refused))
    try await makeAway(.reserve, seller)

    reach.didAnswer()
    await until { seller.question != nil }
    let draft = await stage.drafts.drafts().first
    expect(seller.question?.subject, draft.map { .queued($0) })
    seller.question?.confirm()
    // Another client has changed the stock meanwhile, which stays.
    let now = detail(stock: 9, version: "5")
    try await stage.repository.details.next().answer(now)
    await until { seller.prompt != nil }
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    try await stage.repository.details.next().answer(now)
    // It was asked for once, and is not asked for again.
    let call = try await stage.repository.updates.next()

    var patch = ProductPatch()
    patch.isReserved = true
    #expect(call.request.patch == patch && call.request.expected == now.version)
    call.answer(detail(stock: 9, isReserved: true, version: "6"))
    await until { !seller.isActive }
    #expect(await stage.drafts.drafts().isEmpty)
  }

  @Test func `a reservation that waited for a market without any ends with a word`() async throws {
    let repository = GatedProductRepository(
      capabilities: .withUniversalFields, answersCancelledCalls: false)
    let reach = ReachabilityMonitor()
    let seller = TestSeller(
      .sample(repository, drafts: stage.drafts, clock: stage.clock, reach: reach))
    reach.didFail(.unreachable(.refused))
    seller.selling.make(.reserve, of: stage.product)
    try await repository.details.next().fail(.unreachable(.refused))
    await until { !seller.isActive && seller.notices.last == .hint(.draftIsQueued) }
    reach.didAnswer()
    await until { seller.question != nil }

    seller.question?.confirm()
    try await repository.details.next().answer(detail())
    await until { seller.prompt != nil }
    seller.enter("secret")
    try await repository.verifications.next().answer(())
    try await repository.details.next().answer(detail())
    await until { !seller.isActive }

    expect(seller.notices.last, .dropped([.reserved]))
    #expect(await stage.drafts.drafts().isEmpty && repository.updates.callCount == 0)
  }

  // MARK: Several

  @Test func `several are reserved but for what is sold`() async throws {
    let seller = stage.makeSeller()
    let products = [1, 2].map { ListedProduct(.sample(id: $0, stock: $0 - 1)) }

    seller.selling.change(products, by: SaleStep.reserve.change)
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    for product in products {
      try await stage.repository.details.next().answer(.sample(of: product.product))
    }
    await until { seller.several?.phase == .asking }

    expect(seller.several?.rows.map(\.state), [.sold, .ready])
  }

  @Test func `the steps of several lead back where all have made them`() {
    let free = ListedProduct(.sample(id: 1))
    let sold = ListedProduct(.sample(id: 2, stock: 0))
    let reserved = ListedProduct(detail(isReserved: true).product)

    expect(SaleStep.next(for: [free, reserved]), [.reserve, .sell])
    expect(SaleStep.next(for: [reserved]), [.endReservation, .sell])
    expect(SaleStep.next(for: [sold, sold]), [.reserve, .restock])
    expect(SaleStep.next(for: []), [.reserve, .sell])
  }

  @Test func `several that were sold get stock and reservation back as one, and lose both again`()
    throws
  {
    var product = Product.sample(stock: 3)
    product.isReserved = true
    let back = SaleStep.sell.change.textsBack(to: product)
    var sold = product
    sold.stock = 0

    expect(back, [.stock: "3", .reserved: "yes"])
    let undo = BulkChange.restoring([product.id: try #require(back)])
    expect(undo.textsBack(to: sold), [.stock: "0", .reserved: ""])
    expect(BulkChange.stock(5).textsBack(to: product), [.stock: "3"])
  }
}
