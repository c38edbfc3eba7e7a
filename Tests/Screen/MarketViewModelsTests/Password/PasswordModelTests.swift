import EditorKit
import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// The prompt for a password: what was typed does not outlive it.
struct PasswordModelTests {
  private let stage = SellingStage()

  @Test func `what was typed is wiped when it is checked, and when the prompt is left`()
    async throws
  {
    let seller = stage.makeSeller()
    seller.selling.edit(stage.product)
    let prompt = seller.prompt

    seller.enter("secret")
    let check = try await stage.repository.verifications.next()
    expect(prompt?.secret.isEmpty, true)
    prompt?.cancel()
    prompt?.edit { $0.type("other") }
    prompt?.cancel()
    await seller.settle()

    #expect(prompt?.secret.isEmpty == true && !seller.isActive && check.isCancelled)
    check.answer(())
  }

  @Test func `a first Esc stops the check, the second one leaves`() async throws {
    let seller = stage.makeSeller()
    seller.selling.edit(stage.product)
    seller.enter("secret")
    let check = try await stage.repository.verifications.next()

    seller.prompt?.cancel()
    await seller.settle()
    #expect(seller.gate?.phase == .asking(nil) && check.isCancelled)
    seller.prompt?.cancel()
    await seller.settle()

    #expect(!seller.isActive)
    check.answer(())
  }
}
