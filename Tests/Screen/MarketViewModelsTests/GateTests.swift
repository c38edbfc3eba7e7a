import MarketModel
import SellingTestSupport
import TestSupport
import Testing

/// What the tests of view models wait with.
struct GateTests {
  @Test func `a call that never comes ends the wait as an issue, and a later one is not lost`()
    async throws
  {
    let repository = GatedProductRepository()
    await withKnownIssue {
      await #expect(throws: CancellationError.self) { try await repository.pages.next(turns: 5) }
    } matching: {
      $0.description.contains("nobody asked for ProductPage")
    }

    let asking = Task { try await repository.page(PageRequest()) }
    try await repository.pages.next().fail(.notFound)

    await #expect(throws: RepositoryError.notFound) { try await asking.value }
  }

  @Test func `a wait of a cancelled test ends at once, without an issue`() async {
    let waiting = Task { try await GatedProductRepository().pages.next() }

    waiting.cancel()

    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func `what never becomes so ends the wait as an issue`() async {
    await withKnownIssue {
      await until(turns: 5) { false }
    } matching: {
      $0.description.contains("did not become so")
    }
    await withKnownIssue {
      await poll(turns: 5) { false }
    } matching: {
      $0.description.contains("did not become so")
    }
  }
}
