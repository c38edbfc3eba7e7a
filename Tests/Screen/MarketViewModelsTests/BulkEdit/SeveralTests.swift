import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// Changes of the prices of several products.
struct BulkChangeTests {
  private func price(_ step: String, of hundredths: Int64, _ currency: Currency = .krw) -> Int64? {
    try? BulkChange.PriceStep(step)
      .applied(to: Money(hundredths: hundredths, currency: currency)).hundredths
  }

  @Test func `an amount and a percentage count in the currency's usual decimals`() {
    expect(price("+1000", of: 500_000), 600_000)
    expect(price("-10%", of: 1_234_500), 1_111_100)
    expect(price("-10%", of: 1_235, .usd), 1_111)
    expect(price("+2.5%", of: 10_000, .usd), 10_250)
    expect(price("-12,5%", of: 10_000, .usd), 8_750)
    expect(price("-2,50", of: 10_000, .usd), 9_750)
    expect(price("+1만5천원", of: 500_000), 2_000_000)
  }

  @Test func `a number without a sign, or behind one that says so, is the new price`() throws {
    expect(price("12000", of: 500_000), 1_200_000)
    expect(price("=1만2천원", of: 500_000), 1_200_000)
    expect(price("= 9.50", of: 10_000, .usd), 950)
    #expect(price("9.50", of: 10_000) == nil && price("=$9", of: 10_000) == nil)

    let product = Product.sample(price: 100, discount: 80)
    let change = BulkChange.price(try .init("=50"))
    try expect(change.texts(for: product), [.price: "50", .discount: "40"])
    expect(change.textsBack(to: product), [.price: "100", .discount: "80"])
  }

  @Test func `one price is for products of one currency, which it must not contradict`() throws {
    let price = try BulkChange.price(reading: "12000")
    let dollars = try BulkChange.price(reading: "$12")

    #expect(price.refusal(in: [.krw]) == nil && dollars.refusal(in: [.usd]) == nil)
    expect(price.refusal(in: [.usd, .krw]), .severalCurrencies([.krw, .usd]))
    expect(dollars.refusal(in: [.krw]), .noAmount(.otherCurrency(.usd, instead: .krw)))
    try expect(BulkChange.price(reading: "-10%").refusal(in: [.usd, .krw]), nil)
    expect(BulkChange.stock(3).refusal(in: [.usd, .krw]), nil)
  }

  @Test func `no price falls below nothing`() {
    expect(price("-1000", of: 50_000), 0)
    expect(price("-300%", of: 50_000), 0)
  }

  @Test(arguments: [
    "=", "10%", "=-5", "+", "-x", "+0.500", "+1,500%", "-10.500%", "+$5%", "", "+0", "+1e3", "%",
    "+99999999999999999999",
  ])
  func `what is neither a price nor a change of one is refused`(_ text: String) {
    #expect(throws: AmountError.self) { try BulkChange.PriceStep(text) }
  }

  @Test func `an amount of another currency, or with decimals of won, changes no price`() {
    expect(price("-$2", of: 10_000), nil)
    expect(price("-2.50", of: 10_000), nil)
    expect(price("-$2", of: 10_000, .usd), 9_800)
  }

  @Test func `a discount keeps its share of the price, and comes back with it`() throws {
    let product = Product.sample(price: 100, discount: 80)
    let change = BulkChange.price(.percent(-5_000))

    try expect(change.texts(for: product), [.price: "50", .discount: "40"])
    expect(change.textsBack(to: product), [.price: "100", .discount: "80"])
    let dear = Product.sample(price: 999, discount: 333)
    try expect(
      BulkChange.price(try .init("=9007199254740991")).texts(for: dear)[.discount],
      "3002399751580330")
    expect(BulkChange.price(try .init("-10")).textsBack(to: .sample(price: 100)), [.price: "100"])
  }

  @Test func `what was tried again is taken back to what it was before the first time`() {
    let product = ListedProduct(.sample(id: 3))
    var edits = FinishedEdits()

    edits.append(product, texts: [.stock: "1"], ofRun: 1)
    edits.append(product, texts: [.stock: "2"], ofRun: 1)

    expect(edits.lastOfSeveral?.texts, [product.id: [.stock: "1"]])
    expect(edits.lastOfSeveral?.products.count, 1)
  }

  @Test func `what does not fit is no price`() {
    expect(price("+900%", of: .max / 2), nil)
  }
}

/// Several products that are changed together.
struct BulkEditingTests {
  private let stage = SellingStage()
  private let products = [1, 2, 3].map { ListedProduct(.sample(id: Int64($0), name: "Ware \($0)")) }

  /// A list of what is going to change; the password was given for the first product.
  private func asking(
    _ change: BulkChange, _ seller: TestSeller
  ) async throws -> BulkEditModel {
    seller.selling.change(products, by: change)
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    if change != .deletion {
      for product in products {
        try await stage.repository.details.next().answer(
          .sample(of: product.product, version: ProductVersion(rawValue: "1")))
      }
    }
    await until { seller.several?.phase == .asking }
    return try #require(seller.several)
  }

  @Test func `one password and one question change all of them`() async throws {
    let seller = stage.makeSeller()
    let model = try await asking(.stock(9), seller)
    expect(stage.repository.updates.callCount, 0)

    model.confirm()
    for product in products {
      let call = try await stage.repository.updates.next()
      #expect(call.request.id == product.id && call.request.patch == ProductPatch(stock: 9))
      expect(call.request.expected, ProductVersion(rawValue: "1"))
      call.answer(.sample(of: product.product))
    }
    await until { model.phase == .done }

    #expect(stage.repository.verifications.callCount == 1 && seller.outcomes.count == 3)
    #expect(!model.hasOpenRows)
  }

  /// Changes all of them; the market answers with what they are then.
  private func change(_ change: BulkChange, _ seller: TestSeller) async throws {
    let model = try await asking(change, seller)
    model.confirm()
    for product in products {
      try await stage.repository.updates.next().answer(.sample(of: product.product))
    }
    await until { model.phase == .done }
    model.cancel()
    await seller.settle()
  }

  @Test func `one undo takes a change of several back as a whole`() async throws {
    let seller = stage.makeSeller()
    try await change(.price(.init("+10")), seller)
    expect(seller.selling.edits.count, 1)

    seller.selling.undo()
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    for product in products {
      var dearer = product.product
      dearer.pricing = .readable(try #require(Price(full: product.raised)))
      try await stage.repository.details.next().answer(.sample(of: dearer))
    }
    await until { seller.several?.phase == .asking }
    let model = try #require(seller.several)
    model.confirm()
    for product in products {
      let call = try await stage.repository.updates.next()
      expect(call.request.id, product.id)
      expect(call.request.patch.priceHundredths, product.product.pricing.price?.full.hundredths)
      call.answer(.sample(of: product.product))
    }
    await until { model.phase == .done }

    #expect(seller.selling.edits.isEmpty)
  }

  /// Takes the latest change of several back, or makes it again, over products of this stock.
  private func restore(stock: Int64, _ seller: TestSeller, _ act: (SellingModel) -> Void)
    async throws
  {
    act(seller.selling)
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    for product in products {
      var changed = product.product
      changed.stock = stock
      try await stage.repository.details.next().answer(.sample(of: changed))
    }
    await until { seller.several?.phase == .asking }
    seller.several?.confirm()
  }

  @Test func `a change of several that was taken back is made again as a whole`() async throws {
    let seller = stage.makeSeller()
    try await change(.stock(9), seller)
    try await restore(stock: 9, seller) { $0.undo() }
    for product in products {
      try await stage.repository.updates.next().answer(.sample(of: product.product))
    }
    await until { seller.several?.phase == .done }
    seller.several?.cancel()
    await seller.settle()
    #expect(!seller.selling.hasEdits && seller.selling.canRedo)

    try await restore(stock: 3, seller) { $0.redo() }
    let first = try await stage.repository.updates.next()
    first.answer(.sample(of: products[0].product))
    try await stage.repository.updates.next().fail(.unreachable(.timedOut))
    await until { seller.several?.phase == .done }

    expect(first.request.patch, ProductPatch(stock: 9))
    // What came through can be taken back, and what did not be made again.
    expect(seller.selling.edits.lastOfSeveral?.texts, [products[0].id: [.stock: "3"]])
    expect(seller.selling.edits.lastUndoOfSeveral?.products.map(\.id), products[1...].map(\.id))
  }

  @Test func `what could not be taken back can be taken back again`() async throws {
    let seller = stage.makeSeller()
    try await change(.stock(9), seller)
    seller.selling.undo()
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    for product in products {
      var changed = product.product
      changed.stock = 9
      try await stage.repository.details.next().answer(.sample(of: changed))
    }
    await until { seller.several?.phase == .asking }
    seller.several?.confirm()
    try await stage.repository.updates.next().answer(.sample(of: products[0].product))
    try await stage.repository.updates.next().fail(.unreachable(.timedOut))
    await until { seller.several?.phase == .done }
    seller.several?.cancel()
    await seller.settle()
    #expect(seller.selling.hasEdits)

    seller.selling.undo()

    #expect(seller.prompt?.product.id == products[1].id && seller.prompt?.count == 2)
  }

  @Test func `a deletion of several is none that can be taken back, and ends what could be`()
    async throws
  {
    let seller = stage.makeSeller()
    try await change(.stock(9), seller)
    let model = try await asking(.deletion, seller)
    model.confirm()
    for product in products {
      try await stage.repository.deletions.next().answer(.sample(of: product.product))
    }
    await until { model.phase == .done }

    #expect(!seller.selling.hasEdits)
  }

  @Test func `each has its result, and only what failed is sent again`() async throws {
    let seller = stage.makeSeller()
    let model = try await asking(.stock(9), seller)
    model.confirm()
    let first = try await stage.repository.updates.next()
    first.answer(.sample(of: products[0].product))
    try await stage.repository.updates.next().fail(.wrongPassword)
    try await stage.repository.updates.next().fail(.notFound)
    await until { model.phase == .done }
    expect(model.rows.map(\.state), [.done, .failed(.wrongPassword), .gone])
    expect(model.list.selectedNumber, 1)

    model.retry(all: true)
    await seller.settle()
    expect(seller.prompt?.product.id, products[1].id)
    seller.enter("other")
    try await stage.repository.verifications.next().answer(())
    await until { model.phase == .asking }
    model.confirm()
    let again = try await stage.repository.updates.next()
    again.answer(.sample(of: products[1].product))
    await until { model.phase == .done }

    #expect(first.request.secret == "secret" && again.request.secret == "other")
    #expect(again.request.id == products[1].id && stage.repository.updates.callCount == 4)
    expect(model.rows.map(\.state), [.done, .done, .gone])
  }

  @Test func `an answer that got lost is not sent a second time`() async throws {
    let seller = stage.makeSeller()
    let model = try await asking(.price(.init("+10")), seller)
    model.confirm()
    let lost = try await stage.repository.updates.next()
    lost.fail(.unreachable(.timedOut))
    await until { model.phase == .done }
    expect(model.rows.map(\.state).dropFirst(), [.notReached, .notReached])

    model.retry(all: false)
    await seller.settle()
    await until { model.phase == .asking }
    model.confirm()
    let again = try await stage.repository.updates.next()

    expect(again.request.patch, lost.request.patch)
    expect(again.request.expected, lost.request.expected)
    again.answer(.sample(of: products[0].product))
    await until { model.phase == .done }
  }

  /// Sends a stock of 9, to which the market answers that the first product is another one by now.
  private func send(meeting current: ProductDetail, _ seller: TestSeller) async throws
    -> BulkEditModel
  {
    let model = try await asking(.stock(9), seller)
    model.confirm()
    try await stage.repository.updates.next().fail(.conflict(current: current))
    for product in products.dropFirst() {
      try await stage.repository.updates.next().answer(.sample(of: product.product))
    }
    await until { model.phase == .done }
    return model
  }

  @Test func `what others changed is read again before it is tried again`() async throws {
    let seller = stage.makeSeller()
    let current = ProductDetail.sample(
      of: products[0].product, version: ProductVersion(rawValue: "2"))
    let model = try await send(meeting: current, seller)
    expect(model.rows.map(\.state), [.failed(.conflict(current: current)), .done, .done])

    model.retry(all: true)
    await seller.settle()
    try await stage.repository.details.next().answer(current)
    await until { model.phase == .asking }
    model.confirm()
    let again = try await stage.repository.updates.next()

    expect(again.request.expected, ProductVersion(rawValue: "2"))
    again.answer(current)
    await until { model.phase == .done }
  }

  @Test func `a conflict with what was sent is the answer that got lost`() async throws {
    var changed = products[0].product
    changed.stock = 9

    let model = try await send(meeting: .sample(of: changed), stage.makeSeller())

    expect(model.rows.map(\.state), [.done, .done, .done])
  }

  @Test func `what is already as it is to become needs nothing any more`() async throws {
    let seller = stage.makeSeller()
    let marked = MarkedProducts()
    marked.add(products)

    seller.selling.change(products, by: .stock(3), marked: marked)
    seller.enter("secret")
    try await stage.repository.verifications.next().answer(())
    for product in products {
      try await stage.repository.details.next().answer(.sample(of: product.product))
    }
    await until { seller.several?.phase == .done }

    expect(seller.several?.rows.map(\.state), [.unchanged, .unchanged, .unchanged])
    #expect(marked.isEmpty)
  }

  @Test func `where the password was wiped nothing goes out, and another try asks for it`()
    async throws
  {
    let seller = stage.makeSeller()
    let model = try await asking(.stock(9), seller)

    seller.selling.passwordCache.forget()
    model.confirm()
    await until { model.phase == .done }
    model.retry(all: true)
    await seller.settle()

    expect(model.rows.map(\.state), [.notReached, .notReached, .notReached])
    #expect(stage.repository.updates.callCount == 0 && seller.prompt?.count == 3)
  }

  @Test func `the answer that is chosen first is no only to a deletion`() async throws {
    let seller = stage.makeSeller()
    let change = try await asking(.stock(9), seller)
    change.giveAnswer()
    expect(change.phase, .sending)
    try await stage.repository.updates.next().fail(.unreachable(.timedOut))
    await until { change.phase == .done }
    change.cancel()
    await seller.settle()

    let deletion = try await asking(.deletion, seller)
    deletion.giveAnswer()
    await seller.settle()

    #expect(seller.several == nil && stage.repository.deletions.callCount == 0)
  }

  @Test func `a cancel stops before the next one`() async throws {
    let seller = stage.makeSeller()
    let model = try await asking(.stock(9), seller)
    model.confirm()
    let first = try await stage.repository.updates.next()

    model.cancel()
    first.answer(.sample(of: products[0].product))
    await until { model.phase == .done }

    expect(model.rows.map(\.state), [.done, .notReached, .notReached])
    expect(stage.repository.updates.callCount, 1)
  }

  @Test func `a deletion asks for the password although one is kept`() async throws {
    let seller = TestSeller(
      .sample(stage.repository, drafts: stage.drafts, clock: stage.clock), keepsPasswords: true)
    _ = await seller.selling.account.current()
    seller.selling.passwordCache.keep(
      Password("secret"), for: products[0].id, by: seller.selling.account.identifier)

    seller.selling.change(products, by: .deletion)

    #expect(seller.prompt?.count == 3 && seller.gate?.phase == .asking(nil))
  }
}

extension ListedProduct {
  /// Its price, a thousand of the main unit higher.
  fileprivate var raised: Money {
    let full = product.pricing.price?.full ?? Money(hundredths: 0, currency: .krw)
    return Money(hundredths: full.hundredths + 100_000, currency: full.currency)
  }
}
