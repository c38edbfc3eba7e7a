import EditorKit
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport

/// A seller on a market that answers when the test likes.
struct SellingStage {
  let repository = GatedProductRepository(answersCancelledCalls: false)
  let drafts = FakeDrafts()
  let clock = ManualClock()
  let product = ListedProduct(.sample(id: 7, name: "Bicycle"))

  func makeSelling() -> SellingModel {
    .sample(repository, drafts: drafts, clock: clock)
  }

  /// A form for a new product in which everything keeps the rules.
  func sellingFilled() async -> SellingModel {
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

  func ask(_ selling: SellingModel) async {
    selling.submit()
    await until { selling.isAsking }
  }

  /// Submits the form and says yes.
  func submit(_ selling: SellingModel) async {
    await ask(selling)
    selling.confirmAnswer()
  }

  /// Sends the edit that the form holds; this is the market's answer.
  func send(_ selling: SellingModel, becoming after: ProductDetail) async {
    await submit(selling)
    await repository.updates.next().answer(after)
    await until { !selling.isActive }
  }

  /// Gives the password, says yes and hands out what is sent.
  func confirmUndo(
    _ selling: SellingModel
  ) async -> GatedCall<GatedProductRepository.Edit, ProductDetail> {
    selling.enter("secret")
    await repository.verifications.next().answer(())
    await until { selling.isAsking }
    selling.confirmAnswer()
    return await repository.updates.next()
  }

  /// The form of a product, its password given.
  func sellingEdit(
    _ detail: ProductDetail? = nil, drafts: FakeDrafts? = nil
  ) async -> SellingModel {
    let selling = SellingModel.sample(repository, drafts: drafts ?? self.drafts, clock: clock)
    selling.beginEdit(of: product)
    selling.enter("secret")
    await repository.verifications.next().answer(())
    await repository.details.next().answer(detail ?? .sample(of: product.product))
    await until { selling.form != nil }
    return selling
  }
}

extension SellingModel {
  var isAsking: Bool {
    if case .question = dialog { true } else { false }
  }

  var isInConflict: Bool {
    if case .conflict = dialog { true } else { false }
  }

  var gate: PasswordGate? {
    if case .password(let prompt) = dialog { prompt.gate } else { nil }
  }
}

extension Picture {
  static func sample(_ name: String) -> Picture {
    Picture(original: name, thumbnail: name)
  }
}
