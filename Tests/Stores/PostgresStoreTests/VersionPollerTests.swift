import Expectations
import Synchronization
import TestSupport
import Testing

@testable import PostgresStore

struct VersionPollerTests {
  /// Who was told what.
  private final class Heard: Sendable {
    private let state = Mutex<[Int64?]>([])

    var versions: [Int64?] { state.withLock { $0 } }

    func note(_ version: Int64?) { state.withLock { $0.append(version) } }
  }

  private static let start = ContinuousClock.now

  private static func at(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  /// Questions of which the first was asked at 0 and answered after some milliseconds.
  private static func answered(
    _ mark: String = "a", after milliseconds: Int = 1
  ) -> VersionPoller {
    var questions = VersionPoller()
    _ = questions.add({ _ in }, at: at(0))
    _ = questions.didReceive(.state(mark), at: at(milliseconds))
    return questions
  }

  @Test func `an answer counts from when it was asked for`() {
    var questions = Self.answered(after: 30)

    expect(questions.known(at: Self.at(39)).version, 1)
    expect(questions.known(at: Self.at(40)).version, nil)
  }

  @Test func `one reader has the next answer fetched while the last one counts`() {
    var questions = Self.answered()

    #expect(!questions.known(at: Self.at(9)).begins)
    #expect(questions.known(at: Self.at(10)).begins)
    #expect(!questions.known(at: Self.at(11)).begins)
    _ = questions.didReceive(.state("a"), at: Self.at(12))
    expect(questions.known(at: Self.at(49)).version, 1)
  }

  @Test func `all who come during a question share the next one`() {
    var questions = VersionPoller()
    let (early, late) = (Heard(), Heard())

    expect(questions.add(early.note, at: Self.at(0)), true)
    for _ in 0..<3 { expect(questions.add(late.note, at: Self.at(1)), false) }
    let first = questions.didReceive(.state("a"), at: Self.at(2))
    for reader in first.readers { reader(first.version) }
    #expect(first.begins && early.versions == [1] && late.versions.isEmpty)

    let second = questions.didReceive(.state("b"), at: Self.at(3))
    for reader in second.readers { reader(second.version) }
    #expect(!second.begins && late.versions == [2, 2, 2])
  }

  @Test func `a write here ends what was asked before it`() {
    var questions = Self.answered()
    questions.forget()
    expect(questions.known(at: Self.at(2)).version, nil)

    _ = questions.add({ _ in }, at: Self.at(3))
    questions.forget()
    _ = questions.didReceive(.state("a"), at: Self.at(4))
    expect(questions.known(at: Self.at(5)).version, nil)

    _ = questions.add({ _ in }, at: Self.at(6))
    _ = questions.didReceive(.state("b"), at: Self.at(7))
    expect(questions.known(at: Self.at(8)).version, 2)
  }

  @Test func `a mark that comes back is a new version`() {
    var questions = VersionPoller()
    let versions = ["a", "a", "b", "a"].enumerated().map { number, mark in
      _ = questions.add({ _ in }, at: Self.at(number))
      return questions.didReceive(.state(mark), at: Self.at(number)).version
    }

    expect(versions, [1, 1, 2, 3])
  }

  @Test func `ten seconds make another version whatever the database says`() {
    var questions = Self.answered(after: 0)

    for (time, version) in [(9_999, 1), (10_000, 2), (10_001, 2)] as [(Int, Int64)] {
      _ = questions.add({ _ in }, at: Self.at(time))
      expect(questions.didReceive(.state("a"), at: Self.at(time)).version, version)
    }
  }

  @Test func `after a question that came to nothing nobody waits, and one is asked in time`() {
    var questions = Self.answered()
    let heard = Heard()
    _ = questions.add(heard.note, at: Self.at(100))
    _ = questions.add(heard.note, at: Self.at(110))

    let failed = questions.didReceive(.unknown, at: Self.at(400))
    for reader in failed.readers { reader(failed.version) }

    #expect(heard.versions == [nil, nil] && !failed.begins)
    #expect(questions.known(at: Self.at(699)) == (nil, false))
    #expect(questions.known(at: Self.at(700)) == (nil, true))
    expect(questions.add(heard.note, at: Self.at(701)), nil)
    _ = questions.didReceive(.state("a"), at: Self.at(702))
    #expect(questions.known(at: Self.at(703)) == (1, false))
    expect(questions.add(heard.note, at: Self.at(750)), true)
  }

  @Test func `a database that never tells is asked once`() {
    var questions = VersionPoller()
    _ = questions.add({ _ in }, at: Self.at(0))
    _ = questions.didReceive(.unsupported, at: Self.at(1))

    expect(questions.add({ _ in }, at: Self.at(100_000)), nil)
  }
}
