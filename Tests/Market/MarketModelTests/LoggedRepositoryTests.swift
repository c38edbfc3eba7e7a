import Expectations
import MarketModel
import Synchronization
import TestSupport
import Testing

struct LoggedRepositoryTests {
  /// What a log was told, without how long it took.
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    var log: EventLog {
      EventLog { line in
        self.lines.withLock {
          $0.append(String(line[..<(line.lastIndex(of: ",") ?? line.endIndex)]))
        }
      }
    }
  }

  private let lines = Lines()

  @Test(arguments: RepositoryContract.cases)
  func `keeps the contract of repositories`(_ contract: RepositoryContract) async throws {
    try await contract.run(on: LoggedRepository(InMemoryProductRepository(), log: lines.log))
  }

  @Test func `a failure is recorded with what was asked, and comes through`() async throws {
    let repository = LoggedRepository(InMemoryProductRepository(), log: lines.log)

    await #expect(throws: RepositoryError.notFound) {
      try await repository.detail(of: Product.ID(rawValue: 7))
    }

    expect(lines.all, ["detail 7: notFound"])
  }

  @Test func `what was sent, what a server said and what somebody ended stay out`() {
    let invalid = RepositoryError.invalid([
      FieldError(.name, .refused("secret words")), FieldError(.price, .negative),
    ])
    let conflict = RepositoryError.conflict(current: .sample())

    expect(invalid.logged, "invalid name, price")
    expect(conflict.logged, "conflict")
    expect(RepositoryError.cancelled.logged, nil)
    expect(RepositoryError.store(.failed(code: 266)).logged, "store, failed(code: 266)")
    expect(RepositoryError.unreachable(.refused).logged, "unreachable, refused")
  }
}
