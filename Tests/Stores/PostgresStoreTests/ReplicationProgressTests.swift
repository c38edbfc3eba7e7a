import Expectations
import MarketModel
import Testing

@testable import PostgresStore

struct ReplicationProgressTests {
  private let start = ContinuousClock.now

  private func state(_ position: Int64, on server: String = "primary") -> ReplicationProgress.State
  {
    ReplicationProgress.State(
      position: MarketPosition(rawValue: position), server: server, transaction: position,
      nonce: position * 7)
  }

  private func report(
    _ position: Int64?, showing nonces: Set<Int64>, from server: String = "standby"
  ) -> ReplicationProgress.Report {
    ReplicationProgress.Report(
      position: position.map { MarketPosition(rawValue: $0) }, server: server, nonces: nonces)
  }

  /// Knowledge of a standby that has come to 20 of 20.
  private func known() -> ReplicationProgress {
    var knowledge = ReplicationProgress(at: start)
    knowledge.didSample(state(20), askedAt: start)
    knowledge.didReceive(report(20, showing: [140]))
    return knowledge
  }

  private func suits(
    _ knowledge: ReplicationProgress, _ position: Int64?, after time: Duration = .zero
  ) -> Bool {
    knowledge.suits(position.map { MarketPosition(rawValue: $0) }, at: start + time)
  }

  @Test func `nothing is known before both have answered`() {
    var knowledge = ReplicationProgress(at: start)
    #expect(!suits(knowledge, nil))

    knowledge.didSample(state(20), askedAt: start)

    #expect(!suits(knowledge, nil))
  }

  @Test func `a standby that has come to the market's state suits for a second from then`() {
    let knowledge = known()

    #expect(suits(knowledge, nil) && suits(knowledge, 20))
    #expect(!suits(knowledge, 21))
    #expect(suits(knowledge, 20, after: .milliseconds(999)))
    #expect(!suits(knowledge, nil, after: .seconds(1)))
  }

  @Test func `a standby that lags suits as long as an earlier state is young`() {
    var knowledge = known()
    knowledge.didSample(state(30), askedAt: start + .milliseconds(400))
    knowledge.didSample(state(40), askedAt: start + .milliseconds(600))

    knowledge.didReceive(report(35, showing: [210]))

    #expect(suits(knowledge, 35, after: .milliseconds(1_300)))
    #expect(!suits(knowledge, 40, after: .milliseconds(1_300)))
    #expect(!suits(knowledge, nil, after: .milliseconds(1_400)))
  }

  @Test func `a database of another history is never read at, however far it has come`() {
    var knowledge = ReplicationProgress(at: start)
    knowledge.didSample(state(20), askedAt: start)

    knowledge.didReceive(report(1_000, showing: [141]))

    #expect(!suits(knowledge, nil) && knowledge.server == nil)
  }

  @Test(arguments: ["primary", "another"])
  func `a server that follows nobody is read at if it is the market's own`(server: String) {
    var knowledge = ReplicationProgress(at: start)
    knowledge.didSample(state(20), askedAt: start)

    knowledge.didReceive(report(nil, showing: [140], from: server))

    expect(suits(knowledge, 20), server == "primary")
  }

  @Test func `what is known of one server says nothing of another one`() {
    var knowledge = known()
    knowledge.didSample(state(30), askedAt: start)

    knowledge.didReceive(report(25, showing: [], from: "another"))

    #expect(!suits(knowledge, nil))
  }

  @Test func `a failure counts until it has been looked at again`() {
    var knowledge = known()

    knowledge.didFail()
    #expect(!suits(knowledge, nil))
    knowledge.didSample(state(20), askedAt: start)
    knowledge.didReceive(report(20, showing: [140]))

    #expect(suits(knowledge, 20))
  }

  @Test func `states that are too old to count are not asked for any more`() {
    var knowledge = ReplicationProgress(at: start)
    for tenths in 0..<100 {
      knowledge.didSample(state(Int64(tenths)), askedAt: start + .milliseconds(tenths * 100))
    }

    expect(knowledge.awaited.count, 10)
  }
}
