import Expectations
import MarketModel
import MarketViewModels
import TestSupport
import Testing

struct AlertCheckTests {
  /// What was noted.
  private final class Notes {
    private(set) var all: [AlertObservation] = []

    func take(_ observation: AlertObservation) async -> TriggeredAlert? {
      all.append(observation)
      return nil
    }
  }

  private static func wait(_ id: Int64, _ subject: Alert.Subject) -> Alert {
    Alert(
      id: Alert.ID(rawValue: id), market: .local, subject: subject, name: "",
      condition: .backInStock
    )
  }

  private static func products(_ count: Int64) -> [Alert] {
    (1...count).map { wait($0, .product(Product.ID(rawValue: $0))) }
  }

  @Test func `a hundred products are asked with one request`() async throws {
    let repository = InMemoryProductRepository(count: 150)

    let notes = Notes()
    _ = try await AlertCheck(repository, now: Timestamp(seconds: 0))
      .check(for: Self.products(200), atMost: 2, note: notes.take)

    expect(notes.all.map(\.alert.rawValue), Array(1...200))
    #expect(
      notes.all.prefix(150).allSatisfy { $0.products.map(\.id.rawValue) == [$0.alert.rawValue] })
    expect(notes.all.map(\.isDeleted), (1...200).map { $0 > 150 })
  }

  @Test func `a further round goes on where the one before it ended`() async throws {
    let check = AlertCheck(InMemoryProductRepository(count: 150), now: Timestamp(seconds: 0))

    var rounds: [[Int64]] = []
    for round in 0..<3 {
      let notes = Notes()
      _ = try await check.check(
        for: Self.products(200), atMost: 1, round: round, note: notes.take)
      rounds.append(notes.all.map(\.alert.rawValue))
    }

    expect(rounds, [Array(1...100), Array(101...200), Array(1...100)])
  }

  /// A market that is asked for each product by itself.
  private static func oneByOne() -> GatedProductRepository {
    var capabilities = RepositoryCapabilities.full
    capabilities.parts.remove(.ids)
    return GatedProductRepository(capabilities: capabilities)
  }

  @Test func `a market that fails at one product tells the others, and that it failed`()
    async throws
  {
    let repository = Self.oneByOne()
    let check = AlertCheck(repository, now: Timestamp(seconds: 0))

    let notes = Notes()
    let looking = Task { try await check.check(for: Self.products(3), note: notes.take) }
    try await repository.details.next().fail(.badAnswer(.status(500)))
    try await repository.details.next().fail(.notFound)
    try await repository.details.next().answer(.sample(of: .sample(id: 3)))

    let failure = try await looking.value
    expect(notes.all.map(\.alert.rawValue), [2, 3])
    expect(notes.all.map(\.isDeleted), [true, false])
    expect(failure, .badAnswer(.status(500)))
  }

  @Test func `what was heard counts when the market goes, and nobody asks on`() async throws {
    let repository = Self.oneByOne()
    let check = AlertCheck(repository, now: Timestamp(seconds: 0))

    let notes = Notes()
    let looking = Task { try await check.check(for: Self.products(3), note: notes.take) }
    try await repository.details.next().answer(.sample(of: .sample(id: 1)))
    try await repository.details.next().fail(.unreachable(.refused))

    let failure = try await looking.value
    expect(notes.all.map(\.alert.rawValue), [1])
    expect(failure, .unreachable(.refused))
    expect(repository.details.callCount, 2)
  }

  @Test func `a market of which nothing is heard says why`() async throws {
    let repository = Self.oneByOne()
    let check = AlertCheck(repository, now: Timestamp(seconds: 0))

    let notes = Notes()
    let looking = Task { try await check.check(for: Self.products(1), note: notes.take) }
    try await repository.details.next().fail(.badAnswer(.status(500)))

    var failure: RepositoryError?
    do { _ = try await looking.value } catch { failure = error as? RepositoryError }
    expect(failure, .badAnswer(.status(500)))
  }
}
