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

/// What a server answers while its database is away, and how it finds the one that takes over.
@Suite(.cluster) struct FallingDatabaseTests {
  private static let list = "/api/products?page_no=1&items_per_page=3"

  /// A server that has answered for a list and a product, and a clock that it goes by.
  private struct Fallen {
    let cluster: TestCluster
    let store: PostgresMarketStore
    let responder: MarketResponder
    let detail: String
    /// What the writer was told.
    private(set) var position: String?
    private let clock = StoppedClock()

    /// Clock that stands still from when the database is away.
    private final class StoppedClock: Sendable {
      let moment = Mutex<ContinuousClock.Instant?>(nil)
    }

    init(writer: String? = nil) async throws {
      cluster = try TestCluster()
      store = try await PostgresMarketStore.open(at: cluster.emptySchema())
      let id = try await store.register(.sample(name: "lamp")).id
      detail = "/api/products/\(id.rawValue)"
      responder = MarketResponder(
        for: store,
        StaleIfErrorPolicy(now: { [clock] in clock.moment.withLock { $0 ?? .now } }))
      for target in [FallingDatabaseTests.list, detail] { _ = await answer(to: target) }
      if let writer { position = try await write(from: writer) }
      try cluster.stop()
      // What was asked just before counts for a moment.
      await poll { store.dataVersion() == nil }
      clock.moment.withLock { $0 = .now }
    }

    func pass(_ seconds: Int) { clock.moment.withLock { $0? += .seconds(seconds) } }

    func answer(
      to target: String, from address: String = "192.0.2.1", _ control: String? = nil,
      position: String? = nil
    ) async -> HTTPResponse {
      var headers = HTTPHeaders()
      if let control { headers[HeaderName.cacheControl] = control }
      if let position { headers[HeaderName.marketPosition] = position }
      return await responder.response(to: .get(target, headers, from: address)).message
    }

    private func write(from address: String) async throws -> String? {
      let answer = await responder.response(to: try .registering(.sample(), from: address))
      #expect(answer.message.status.isSuccess)
      return answer.message.headers[HeaderName.marketPosition]
    }
  }

  @Test func `what was answered before is answered for half a minute, with its age`() async throws {
    let fallen = try await Fallen()

    for target in [Self.list, fallen.detail] {
      let answer = await fallen.answer(to: target)
      expect(answer.status, .ok)
      #expect(answer.headers[HeaderName.age].flatMap { Int($0) } ?? 0 > 0)
      #expect(answer.headers[HeaderName.entityTag] != nil)
    }
    let unknown = await fallen.answer(to: "/api/products?page_no=2")
    #expect(unknown.status == .serviceUnavailable && unknown.headers[HeaderName.age] == nil)

    fallen.pass(31)
    let late = await fallen.answer(to: Self.list)
    expect(late.status, .serviceUnavailable)
    expect(late.headers[HeaderName.retryAfter], "1")

    try fallen.cluster.start()
    var again = await fallen.answer(to: Self.list)
    await poll {
      again = await fallen.answer(to: Self.list)
      return again.status == .ok
    }
    expect(again.headers[HeaderName.age], nil)
  }

  @Test func `a client says how old an answer may be that it takes`() async throws {
    let fallen = try await Fallen()
    fallen.pass(10)

    let cases = [
      ("no-cache", HTTPStatus.serviceUnavailable), ("max-age=0, no-cache", .serviceUnavailable),
      ("stale-if-error=5", .serviceUnavailable), ("stale-if-error = \"29\"", .ok),
      ("stale-if-error=3000", .ok), ("max-age=0", .ok),
    ]
    for (control, status) in cases {
      await expect(fallen.answer(to: Self.list, control).status, status, "\(control)")
    }
  }

  @Test func `nobody is shown what was there before a write of theirs`() async throws {
    let fallen = try await Fallen(writer: "192.0.2.7")

    await expect(fallen.answer(to: Self.list, from: "192.0.2.7").status, .serviceUnavailable)
    await expect(fallen.answer(to: Self.list, from: "192.0.2.8").status, .ok)
  }

  @Test func `nobody is shown what was there before a write of theirs at another server`()
    async throws
  {
    let fallen = try await Fallen(writer: "192.0.2.7")
    let position = try #require(fallen.position)
    #expect(MarketPosition(position) != nil)

    await expect(fallen.answer(to: Self.list, position: position).status, .serviceUnavailable)
    await expect(fallen.answer(to: Self.list).status, .ok)
  }

  @Test func `what hangs at a server goes on at the one that has taken over`() async throws {
    let (old, new) = (try TestCluster(), try TestCluster())
    let relays = [try DatabaseRelay(before: old), try DatabaseRelay(before: new)]
    let schema = try #require(try old.emptySchema().split(separator: "&").last)
    _ = try await PostgresMarketStore.open(at: new.emptySchema())
    let store = try await PostgresMarketStore.open(
      at: "postgresql://market@\(relays[0].address),\(relays[1].address)/postgres"
        + "?target_session_attrs=read-write&\(schema)")
    _ = try await store.register(.sample())
    let responder = MarketResponder(for: store)
    await expect(responder.response(to: .get(Self.list)).message.status, .ok)

    relays[0].fallSilent()
    let answers = await withTaskGroup(of: ServerResponse.self) { group in
      for number in 1...6 {
        group.addTask {
          await responder.response(to: .get("/api/products?page_no=\(number)"))
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(answers.allSatisfy { $0.message.status == .ok })
    // The other one has no products.
    #expect(try await store.page(PageRequest()).products.isEmpty)
  }
}
