import EditorKit
import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct SellingAgainTests {
  private let stage = SellingStage()

  @Test
  func `a copy has all fields and the photos that can be read, and those that cannot are named`()
    async throws
  {
    let seller = stage.makeSeller()
    let pictures = [Picture.sample("a"), .sample("gone"), .sample("b")]

    seller.selling.sell(from: .product(stage.product.id))
    try await stage.repository.details.next().answer(
      .sample(of: stage.product.product, pictures: pictures))
    await until { seller.form != nil }

    #expect(seller.form?.name.text == "Bicycle" && seller.form?.password.isEmpty == true)
    expect(seller.form?.photos.photos.count, 2)
    expect(seller.notices, [.photosNotCopied(numbers: [2])])
  }

  @Test func `a copy that was not touched leaves no draft`() async throws {
    let seller = stage.makeSeller()
    seller.selling.sell(from: .product(stage.product.id))
    try await stage.repository.details.next().answer(.sample(of: stage.product.product))
    await until { seller.form != nil }

    seller.formModel?.leave()
    await seller.settle()

    #expect(!seller.isActive)
    #expect(await stage.drafts.drafts().isEmpty)
  }

  @Test func `a template stays what it is and no draft, and a form begins with it`() async {
    let seller = await stage.filled()
    seller.formModel?.keepAsTemplate()
    let name = seller.dialog as? PromptModel
    expect(name?.confirm(), true)
    await until { seller.notices.contains(.hint(.templateSaved)) }
    seller.formModel?.leave()
    await until { !seller.isActive }
    for draft in await stage.drafts.drafts() where !draft.isTemplate {
      await stage.drafts.delete(draft.id)
    }

    seller.selling.sell()
    await until { seller.drafts != nil }
    #expect(seller.drafts?.drafts.isEmpty == true && seller.drafts?.selectedDraft == nil)
    seller.drafts?.move(.up)
    seller.drafts?.choose()
    await until { seller.form != nil }

    #expect(seller.form?.name.text == "Bicycle" && seller.form?.photos.photos.count == 1)
    await expect(stage.drafts.drafts().map(\.templateName), ["Bicycle"])
  }

  @Test func `a template takes the place of one with its name, also of another one renamed`()
    async throws
  {
    let seller = await stage.filled()
    seller.formModel?.leave()
    await until { seller.notices.contains(.hint(.draftSaved)) }
    let store = seller.selling.drafts
    let draft = try #require(await store.all().first)

    let first = try #require(await store.keep(draft, asTemplate: "Bikes"))
    _ = await store.keep(draft, asTemplate: "Bikes")
    await expect(store.templates().map(\.id), [first.id])
    let other = try #require(await store.keep(draft, asTemplate: "Lamps"))
    _ = await store.rename(other, to: "Bikes")

    await expect(store.templates().map(\.id), [other.id])
    await expect(store.all().map(\.id), [draft.id])
  }

  @Test func `another form keeps the currency, and leaving it leaves nothing`() async {
    let seller = stage.makeSeller()

    seller.selling.sell(from: .another(.usd))
    await until { seller.form != nil }

    #expect(seller.form?.currency == .usd && seller.form?.isUntouched == true)
  }
}
