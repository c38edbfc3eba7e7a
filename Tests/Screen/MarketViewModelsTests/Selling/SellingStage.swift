import EditorKit
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// A seller on a market that answers when the test likes.
struct SellingStage {
  let repository = GatedProductRepository(answersCancelledCalls: false)
  let drafts = FakeDrafts()
  let clock = ManualClock()
  let product = ListedProduct(.sample(id: 7, name: "Bicycle"))

  func makeSeller() -> TestSeller {
    TestSeller(.sample(repository, drafts: drafts, clock: clock))
  }

  /// A form for a new product in which everything keeps the rules.
  func filled() async -> TestSeller {
    let seller = makeSeller()
    seller.selling.sell()
    await until { seller.form != nil }
    await seller.fillIn()
    seller.edit { $0.setPassword("secret") }
    return seller
  }

  func ask(_ seller: TestSeller) async {
    seller.formModel?.submit()
    await until { seller.question != nil }
  }

  /// Submits the form and says yes.
  func submit(_ seller: TestSeller) async {
    await ask(seller)
    seller.question?.confirm()
    await seller.settle()
  }

  /// Sends the edit that the form holds; this is the market's answer.
  func send(_ seller: TestSeller, becoming after: ProductDetail) async throws {
    await submit(seller)
    try await repository.updates.next().answer(after)
    await until { !seller.isActive }
  }

  /// Gives the password, says yes and hands out what is sent.
  func confirmUndo(
    _ seller: TestSeller
  ) async throws -> GatedCall<GatedProductRepository.Edit, ProductDetail> {
    seller.enter("secret")
    try await repository.verifications.next().answer(())
    await until { seller.question != nil }
    seller.question?.confirm()
    await seller.settle()
    return try await repository.updates.next()
  }

  /// The form of a product, its password given.
  func editing(
    _ detail: ProductDetail? = nil, drafts: FakeDrafts? = nil
  ) async throws -> TestSeller {
    let seller = TestSeller(.sample(repository, drafts: drafts ?? self.drafts, clock: clock))
    seller.selling.edit(product)
    seller.enter("secret")
    try await repository.verifications.next().answer(())
    try await repository.details.next().answer(detail ?? .sample(of: product.product))
    await until { seller.form != nil }
    return seller
  }
}

extension Picture {
  static func sample(_ name: String) -> Picture {
    Picture(original: name, thumbnail: name)
  }
}

extension TestSeller {
  /// Fills in an open form so that everything but the password keeps the rules.
  func fillIn() async {
    formModel?.addPhotos(named: "/a.jpg")
    await until { self.form?.photos.photos.first?.picture != nil }
    await until { self.form?.photos.isBusy == false }
    edit { form in
      form.write("Bicycle", in: .name)
      form.write("1000", in: .price)
      form.write("As good as new.", in: .description)
    }
  }
}
