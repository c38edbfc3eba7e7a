import Expectations
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// Registrations without a form whose answer is lost.
struct HeadlessSellingTests {
  private static var lamp: ProductEntries {
    var entries = ProductEntries()
    entries.texts = [
      .name: "Desk lamp", .price: "42000", .description: "Warm light, works.", .stock: "1",
    ]
    entries.photos = ["/lamp.jpg"]
    return entries
  }

  private func outcome(
    _ services: SellingServices, at stage: SellingStage,
    _ answer: (GatedCall<GatedProductRepository.Registration, ProductDetail>) async -> Void
  ) async throws -> (key: String, failure: HeadlessSelling.Failure?) {
    var selling = HeadlessSelling(services) { _ in }
    selling.enter("secret")
    let run = Task.immediate { [selling] () -> HeadlessSelling.Failure? in
      do throws(HeadlessSelling.Failure) {
        _ = try await selling.register(Self.lamp, as: nil)
        return nil
      } catch {
        return error
      }
    }
    let call = try await stage.repository.registrations.next()
    let key = call.request.key.rawValue
    await answer(call)
    return (key, await run.value)
  }

  private func services(_ stage: SellingStage) async -> SellingServices {
    let accounts = FakeAccounts()
    _ = await accounts.save(SellerAccount(identifier: SellerIdentifier(secret: "me"), name: "Hana"))
    return .sample(stage.repository, drafts: stage.drafts, accounts: accounts)
  }

  @Test func `a lost answer says that the product may be listed, and the next has its key`()
    async throws
  {
    let stage = SellingStage()
    let services = await services(stage)

    let lost = try await outcome(services, at: stage) { $0.fail(.unreachable(.disconnected)) }
    let refused = try await outcome(services, at: stage) { $0.fail(.unreachable(.refused)) }
    let done = try await outcome(services, at: stage) { $0.answer(.sample(of: .sample(id: 4))) }
    let new = try await outcome(services, at: stage) { $0.fail(.unreachable(.refused)) }

    expect(lost.failure, .mayBeListed(.unreachable(.disconnected)))
    expect(refused.failure, .mayBeListed(.unreachable(.refused)))
    expect(done.failure, nil)
    expect(Set([lost, refused, done].map(\.key)).count, 1)
    expect(new.failure, .repository(.unreachable(.refused)))
  }

  @Test func `a registration that was refused is over`() async throws {
    let stage = SellingStage()

    let refused = try await outcome(services(stage), at: stage) { $0.fail(.blocked) }

    expect(refused.failure, .repository(.blocked))
  }
}
