import EditorKit
import Expectations
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// Questions over a list of drafts and over a form.
struct ConfirmationModelTests {
  private let stage = SellingStage()

  @Test func `a draft of the list goes after a question, and the list stays`() async {
    let seller = await stage.filled()
    seller.formModel?.leave()
    await until { seller.shelf.drafts.count == 1 }
    seller.selling.sell()
    await until { seller.drafts != nil }

    seller.drafts?.askToRemove()
    await seller.settle()
    seller.question?.confirm()
    await seller.settle()
    #expect(seller.question == nil && seller.drafts?.drafts.count == 1)
    seller.drafts?.askToRemove()
    await seller.settle()
    seller.question?.answer(true)
    await until { seller.shelf.drafts.isEmpty }

    #expect(seller.question == nil && seller.drafts?.drafts.isEmpty == true)
    #expect(await stage.drafts.drafts().isEmpty)
  }

  @Test func `Esc means no, and the form goes on`() async throws {
    let seller = await stage.filled()
    await stage.ask(seller)

    seller.question?.cancel()
    await seller.settle()
    #expect(seller.dialog == nil && seller.form?.name.text == "Bicycle")
    await stage.submit(seller)

    let call = try await stage.repository.registrations.next()
    expect(stage.repository.registrations.callCount, 1)
    call.answer(.sample())
  }
}
