import MarketModel
import TestSupport
import Testing

/// What the tests of view models wait with.
struct GateTests {
  @Test func `a call that never comes ends the wait`() async {
    await #expect(processExitsWith: .failure) {
      _ = await GatedProductRepository().pages.next(within: .milliseconds(10))
    }
  }

  @Test func `a call that came in time is not missed afterwards`() async throws {
    let repository = GatedProductRepository()
    let asking = Task { try await repository.page(PageRequest()) }

    await repository.pages.next(within: .seconds(30)).fail(.notFound)

    await #expect(throws: RepositoryError.notFound) { try await asking.value }
  }
}
