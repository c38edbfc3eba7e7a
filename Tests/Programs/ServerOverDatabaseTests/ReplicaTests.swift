import Expectations
import MarketAPI
import MarketModel
import MarketServer
import PostgresTestSupport
import StoreCore
import Synchronization
import TestSupport
import Testing

@testable import PostgresStore

/// Reads that go to a standby: what is seen there, and what happens when it lags, falls or is silent.
@Suite(.cluster) struct ReplicaTests {
  /// A market with one lamp, a standby that has it, and a server of both.
  private struct Pair {
    let cluster: TestCluster
    let address: String
    let store: PostgresMarketStore
    let replica: PostgresReplica
    let places: ReplicaRouter
    let clock = MutableClock()
    let registry = MetricsRegistry()

    /// `replicaAddress` leads to the standby, by the address of the market.
    init(
      timeout: Duration = RequestDeadline.standard,
      _ replicaAddress: (TestCluster, String) throws -> String = { $0.replicaAddress(of: $1) }
    ) async throws {
      cluster = try TestCluster()
      address = try cluster.emptySchema()
      store = try await PostgresMarketStore.open(at: address)
      _ = try await store.register(.sample(name: "lamp"))
      try cluster.startReplica()
      replica = PostgresReplica(
        at: try replicaAddress(cluster, address), following: store,
        pictureProcessor: PassThroughPictureProcessor(), options: .forTests,
        now: { [clock] in clock.now })
      places = ReplicaRouter(
        from: MarketResponder(for: store, timeout: timeout),
        or: MarketResponder(for: replica.market, timeout: timeout), of: replica,
        registry: registry, now: { [clock] in clock.now })
      await come(to: await replica.presentPosition())
    }

    /// Looks until the standby has come to a position.
    func come(to position: MarketPosition?) async {
      while !replica.suits(position) { await replica.poll() }
    }

    /// The number of products that a reader is shown; nil where there is no answer.
    func count(from address: String, upTo position: String? = nil) async -> Int? {
      let request = ServerRequest.get(
        "/api/products?page_no=1&items_per_page=3",
        position.map { [HeaderName.marketPosition: $0] } ?? [:], from: address)
      var response = places.immediateResponse(to: request)
      if response == nil { response = await places.response(to: request) }
      let text = String(decoding: response?.message.body ?? [], as: UTF8.self)
      return (0...9).first { text.contains("\"totalCount\":\($0),") }
    }

    /// Registers one product more, and gives the position that was answered.
    func write(from address: String) async throws -> String? {
      let answer = await places.response(
        to: try .registering(.sample(name: "chair"), from: address))
      expect(answer.message.status, .created)
      return answer.message.headers[HeaderName.marketPosition]
    }

    /// Has a reader look until the standby answers: where all cores are busy, the first reads may take
    /// longer than the router waits.
    func readAtStandby() async {
      while reads(at: "standby") == 0 {
        await replica.poll()
        await expect(answeredCount(from: ReplicaTests.reader), 1)
      }
    }

    /// The number of products that a reader is shown, who asks again where there is no answer: on a busy
    /// machine a request may take too long.
    func answeredCount(from address: String) async -> Int {
      while true { if let count = await count(from: address) { return count } }
    }

    func reads(at cursor: String) -> Int { registry.counter(.reads, cursor).count }
  }

  private static let writer = "192.0.2.1"
  private static let reader = "192.0.2.2"

  @Test func `one's own change is seen at once, and others see what is a second old at most`()
    async throws
  {
    let pair = try await Pair()
    try pair.cluster.pauseReplica(true, at: pair.address)

    let position = try #require(try await pair.write(from: Self.writer))

    await expect(pair.count(from: Self.writer), 2)
    await expect(pair.count(from: "192.0.2.3", upTo: position), 2)
    await expect(pair.count(from: "192.0.2.3", upTo: "what nobody can read"), 2)
    #expect(pair.reads(at: "primary") == 3 && pair.reads(at: "standby") == 0)
    await expect(pair.count(from: Self.reader), 1)
    expect(pair.reads(at: "standby"), 1)
    await pair.replica.poll()
    pair.clock.pass(ReplicaStaleness.limit)
    await expect(pair.count(from: Self.reader), 2)
    expect(pair.reads(at: "primary"), 4)
  }

  @Test func `what was remembered of a standby is not shown once it is to have come further`()
    async throws
  {
    let pair = try await Pair()
    try pair.cluster.pauseReplica(true, at: pair.address)
    let word = try #require(try await pair.write(from: Self.writer))
    let position = try #require(MarketPosition(word))

    try pair.cluster.pauseReplica(false, at: pair.address)
    while !pair.replica.suits(position) {
      _ = await pair.count(from: Self.reader)
      await pair.replica.poll()
    }
    let before = pair.reads(at: "standby")

    await expect(pair.count(from: Self.writer), 2)
    await expect(pair.count(from: Self.reader), 2)
    expect(pair.reads(at: "standby"), before + 2)
  }

  @Test func `whoever reads again for a change that was told sees it`() async throws {
    let pair = try await Pair()
    let log = pair.places.log(of: pair.store)
    let cursor = try await log.changes(after: nil, atMost: 10).cursor
    try pair.cluster.pauseReplica(true, at: pair.address)
    _ = try await pair.store.register(.sample(name: "chair"))
    await expect(pair.answeredCount(from: Self.reader), 1)

    let told = try await log.changes(after: cursor, atMost: 10)

    expect(told.changes.count, 1)
    await expect(pair.answeredCount(from: Self.reader), 2)
  }

  @Test func `a standby that is killed costs nobody an answer`() async throws {
    let pair = try await Pair()
    await pair.readAtStandby()

    try pair.cluster.stopReplica()
    _ = try await pair.store.register(.sample(name: "chair"))
    // What was asked just before counts for a moment.
    while pair.replica.market.dataVersion() != nil { await Task.yield() }
    let start = ContinuousClock.now
    let count = await pair.count(from: Self.reader)

    expect(count, 2)
    #expect(ContinuousClock.now - start < ReplicaRouter.timeout)
    #expect(!pair.replica.suits(nil))
    await pair.replica.poll()
    #expect(!pair.replica.suits(nil))
  }

  @Test func `a standby that falls silent costs nobody an answer`() async throws {
    let relays = Mutex<DatabaseRelay?>(nil)
    // Where all cores are busy, the eight take longer than a request may.
    let pair = try await Pair(timeout: .seconds(100)) { cluster, address in
      let relay = try DatabaseRelay(before: cluster, port: TestCluster.replicaPort)
      relays.withLock { $0 = relay }
      return address.replacing(
        "@/postgres?host=\(cluster.folder)&", with: "@\(relay.address)/postgres?")
    }
    await pair.readAtStandby()

    relays.withLock { $0?.fallSilent() }
    _ = try await pair.store.register(.sample(name: "chair"))
    while pair.replica.market.dataVersion() != nil { await Task.yield() }
    let counts = await withTaskGroup(of: Int?.self) { group in
      for number in 1...8 { group.addTask { await pair.count(from: "192.0.2.\(number)") } }
      return await group.reduce(into: []) { $0.append($1) }
    }

    await pair.replica.poll()
    relays.withLock { $0?.speak() }

    expect(counts, Array(repeating: 2, count: 8))
    #expect(!pair.replica.suits(nil))
  }

  @Test func `the market's own database may be named by mistake`() async throws {
    let pair = try await Pair { $1 }

    await pair.readAtStandby()
    let found = await PostgresReplica.inspect(at: pair.address, following: pair.address)
    guard case .follows = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }

  @Test func `a standby that was promoted is not read at any more`() async throws {
    let pair = try await Pair()
    let replica = pair.cluster.replicaAddress(of: pair.address)

    try pair.cluster.run("SELECT pg_promote()", at: replica)
    await pair.replica.poll()
    pair.clock.pass(ReplicaStaleness.limit)
    await pair.replica.poll()

    #expect(!pair.replica.suits(nil))
    await expect(PostgresReplica.inspect(at: replica, following: pair.address), .followsNobody)
  }

  @Test func `a look says how far a standby is behind, or what is wrong with it`() async throws {
    let pair = try await Pair()
    let replica = pair.cluster.replicaAddress(of: pair.address)
    let other = try pair.cluster.emptySchema()
    _ = try await PostgresMarketStore.open(at: other)
    func inspect(_ address: String) async -> ReplicaInspection? {
      await PostgresReplica.inspect(at: address, following: pair.address)
    }

    guard case .follows = await inspect(replica) else {
      Issue.record("it does not follow")
      return
    }
    await expect(inspect(other), .otherMarket)
    try pair.cluster.pauseReplica(true, at: pair.address)
    _ = try await pair.store.register(.sample(name: "chair"))
    await expect(inspect(replica), .lags)
    try pair.cluster.stopReplica()
    guard case .silent = await inspect(replica) else {
      Issue.record("it answers")
      return
    }
  }
}
